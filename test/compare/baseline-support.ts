import { contentHash } from '../../source/base/hash.js';
import type { CheckEvidence, Evidence, ScenarioEvidence } from '../../source/compare/types.js';

export const commit = 'a3f0c1d2e4b5968778695a4b3c2d1e0f00112233';

/** Ids of runs in the order of time: `runId(1)` is older than `runId(2)`. */
export function runId(n: number): string {
  const time = 140000 + Math.floor(n / 60) * 100 + (n % 60);
  return `20261130-${time}-a222`;
}

export function check(
  id: string,
  passed: number,
  of: number,
  more: Partial<CheckEvidence> = {},
): CheckEvidence {
  const failed = of - passed;
  return {
    id,
    type: 'pattern_present',
    kind: 'hard',
    absolute: false,
    hash: contentHash(['check', id]),
    verdict: failed === 0 ? 'pass' : failed === 1 && of > 1 ? 'warn' : 'fail',
    passed,
    of,
    ...more,
  };
}

export function judged(id: string, passed: number, of: number, score: number): CheckEvidence {
  return check(id, passed, of, {
    kind: 'judged',
    type: 'judge',
    rubric: contentHash(['rubric', id]),
    score,
    scores: new Array<number>(of).fill(score),
  });
}

export function scenarioOf(
  id: string,
  checks: CheckEvidence[],
  more: Partial<ScenarioEvidence> = {},
): ScenarioEvidence {
  return {
    id,
    hash: contentHash([id, checks.map(({ hash }) => hash)]),
    parts: {
      turns: contentHash(['turns', id]),
      fixtures: contentHash(['fixtures', id]),
      persona: contentHash(['persona', id]),
    },
    tags: [],
    checks: new Map(checks.map((one) => [one.id, one])),
    ...more,
  };
}

/** What a clean run of the prompt `v14` shows. */
export function evidence(
  scenarios: ScenarioEvidence[],
  more: Partial<Evidence> & { prompt?: string } = {},
): Evidence {
  const { prompt = 'v14', ...rest } = more;
  const parts = {
    prompt: contentHash(prompt),
    model: contentHash('model'),
    settings: contentHash('settings'),
    target: contentHash('prompt'),
  };
  return {
    kind: 'run',
    suite: 'support',
    runId: runId(1),
    at: Date.UTC(2026, 10, 30, 14, 25, 1),
    repeat: 3,
    condition: {
      id: 'a',
      target: 'prompt',
      promptName: prompt,
      promptPath: `prompts/support/${prompt}.md`,
      promptSha256: contentHash(['sha', prompt]).repeat(4),
      promptCommit: commit,
      promptDirty: false,
      model: 'simulated:support',
      temperature: 0.7,
      maxTokens: 800,
      maxSteps: 8,
      parts,
      hash: contentHash(parts),
    },
    answered: { models: ['simulated:support'], versions: [] },
    judge: { model: 'simulated:judge', prompt: 'default@1', promptSha256: contentHash('judge').repeat(4) },
    cache: 'cold',
    tokens: {
      agent: { input: 1200, output: 300, cacheRead: 0, cacheWrite: 0 },
      judge: { input: 90, output: 12, cacheRead: 0, cacheWrite: 0 },
    },
    trials: 3 * scenarios.length,
    taints: [],
    isComplete: true,
    scenarios: new Map(scenarios.map((one) => [one.id, one])),
    ...rest,
  };
}

export const saved = { now: Date.UTC(2026, 10, 30, 15), commit, by: 'Rosa' };

import { contentHash } from '../base/hash.js';
import type { Condition } from '../run/planned.js';
import { scoresCounted } from './baseline-counts.js';
import type { Baseline, BaselineCheck, BaselineScenario } from './baseline-schema.js';
import type { CheckEvidence, Evidence, ScenarioEvidence } from './types.js';

/** What a baseline knows, as a side of a comparison. Tags are not kept: those of the candidate hold. */
export function baselineEvidence(baseline: Baseline): Evidence {
  const { suite, lastRun, scenarios } = baseline;
  const { judge, user, answered } = baseline.condition;
  return {
    kind: 'baseline',
    suite,
    runId: lastRun.id,
    at: Date.parse(lastRun.at),
    repeat: lastRun.repeat,
    condition: conditionOf(baseline),
    answered,
    ...(judge && { judge: { model: judge.model, prompt: judge.prompt, promptSha256: judge.sha256 } }),
    ...(user && { user }),
    cache: lastRun.cache,
    tokens: lastRun.tokens,
    trials: lastRun.trials,
    taints: [],
    isComplete: true,
    scenarios: new Map(
      Object.entries(scenarios).map(([id, scenario]) => [id, scenarioEvidence(id, scenario)]),
    ),
  };
}

/** The condition that a baseline was made under. */
export function conditionOf({ condition }: Baseline): Condition {
  const { target, prompt, model, settings, fixtures, parts } = condition;
  return {
    id: 'baseline',
    target,
    promptName: prompt?.name ?? 'no prompt',
    ...(prompt && {
      promptPath: prompt.path,
      promptSha256: prompt.sha256,
      ...(prompt.commit !== undefined && { promptCommit: prompt.commit }),
    }),
    promptDirty: prompt?.dirty ?? false,
    model,
    ...settings,
    ...(fixtures === 'live' && { liveTools: true as const }),
    parts,
    hash: contentHash(parts),
  };
}

function scenarioEvidence(id: string, scenario: BaselineScenario): ScenarioEvidence {
  const { hash, parts, simulatedUser, usage, checks } = scenario;
  return {
    id,
    hash,
    parts,
    tags: [],
    ...(simulatedUser && { isSimulatedUser: true as const }),
    ...(usage && { usage }),
    checks: new Map(Object.entries(checks).map(([check, one]) => [check, checkEvidence(check, one)])),
  };
}

function checkEvidence(id: string, check: BaselineCheck): CheckEvidence {
  const { type, axis, absolute, hash, rubric, verdict, passed, of, score, scores, axes, known } = check;
  return {
    id,
    type,
    kind: rubric === undefined ? 'hard' : 'judged',
    absolute: absolute ?? false,
    ...(axis !== undefined && { axis }),
    hash,
    ...(rubric !== undefined && { rubric }),
    verdict,
    passed,
    of,
    ...(score !== undefined && { score }),
    ...(scores && { scores: scoresCounted(scores) }),
    ...(axes && {
      axes: Object.fromEntries(
        Object.entries(axes).map(([name, [right, all]]) => [name, { passed: right, of: all }]),
      ),
    }),
    ...(typeof known === 'string' && { why: `known: ${known}` }),
  };
}

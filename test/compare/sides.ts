import type { PassRate } from '../../source/base/statistics.js';
import type { CheckEvidence, Evidence } from '../../source/compare/types.js';
import { noUsage } from '../../source/model/types.js';
import { checkVerdict } from '../../source/tally/verdict.js';
import { plannedCondition } from '../tally/support.js';

/** A check as evidence has it, with the verdict that its counts give. */
export function checkEvidence({ passed, of }: PassRate, more: Partial<CheckEvidence> = {}): CheckEvidence {
  const counts = { pass: passed, warn: 0, fail: of - passed, unknown: 0, error: 0 };
  return {
    id: 'c',
    type: 't',
    kind: 'hard',
    absolute: false,
    hash: 'h',
    verdict: checkVerdict(counts) ?? 'unknown',
    passed,
    of,
    ...more,
  };
}

/** One side of a comparison, a run under the condition `name` with a check `c` for each scenario. */
export function sideOf(
  name: string,
  scenarios: readonly string[],
  ratesOf: (scenario: string) => PassRate,
  more: Partial<Evidence> = {},
): Evidence {
  return {
    kind: 'run',
    suite: 'tiny',
    runId: `run of ${name}`,
    at: 0,
    repeat: 3,
    condition: plannedCondition(name, { promptName: name }),
    answered: { models: [], versions: [] },
    cache: 'unknown',
    tokens: { agent: noUsage, judge: noUsage },
    trials: 0,
    taints: [],
    isComplete: true,
    scenarios: new Map(
      scenarios.map((id) => [
        id,
        {
          id,
          hash: 'h',
          parts: { turns: 't', fixtures: 'f', persona: 'p' },
          tags: [],
          checks: new Map([['c', checkEvidence(ratesOf(id))]]),
        },
      ]),
    ),
    ...more,
  };
}

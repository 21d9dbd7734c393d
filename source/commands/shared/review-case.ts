import type { ReviewCase } from '../../grade/labels/desk.js';
import { rubricHash } from '../../grade/labels/rubric-hash.js';
import { selectTurns } from '../../grade/turns.js';
import type { CheckResult } from '../../grade/types.js';
import type { RunStarted } from '../../run/reader.js';
import type { TrialRecord } from '../../run/types.js';
import type { Scenario } from '../../suite/types.js';

/**
 * A judge's verdict of a run as a case for a person, by the scenario of today, whose check has to ask what it asked then.
 * Undefined where it does not, or is gone: what was judged cannot be said any more.
 */
export function reviewCase(
  { suite, runId, judge, plan }: RunStarted,
  { key, turns: all, finished }: TrialRecord,
  result: CheckResult,
  now: Scenario | undefined,
): ReviewCase | undefined {
  if (!judge || !result.judge || !finished) return undefined;
  const then = plan.scenarios.find(({ id }) => id === key.scenario);
  const check = now?.checks.find(({ id }) => id === result.checkId);
  const rubric = then?.checks.find(({ id }) => id === result.checkId)?.rubric;
  const isSame = rubric === undefined ? then?.hash === now?.hash : check && rubricHash(check) === rubric;
  if (!check || isSame !== true) return undefined;
  const { end, unsent } = finished;
  const { turns } = selectTurns({ turns: all, end, unsent }, check.on ?? 'replies');
  return {
    check,
    rubric: rubricHash(check),
    turns,
    from: { suite, scenario: key.scenario, check: check.id, run: runId, trial: key.repeat },
    judged: {
      model: result.judge.model,
      prompt: result.judge.prompt,
      sha256: judge.promptSha256.slice(0, 12),
      pass: result.verdict === 'unknown' ? 'unknown' : result.verdict !== 'fail',
      ...(result.score !== undefined && Number.isInteger(result.score) && { score: result.score }),
    },
    reason: result.reason,
  };
}

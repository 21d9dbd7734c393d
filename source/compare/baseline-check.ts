import { countScores, type Expectation, pool, verdictOfCounts } from './baseline-counts.js';
import type { BaselineCheck } from './baseline-schema.js';
import type { CheckEvidence } from './types.js';

/** What becomes of one criterion when a run is counted. */
export interface CheckChange {
  /**
   * `counted`: its trials are added. `superseded`: what is expected is another thing now, `from` goes into the history.
   * `anew`: it is counted anew, with the same verdict. `kept`: it stands as it was. `unknown`: too few trials could be
   * graded to expect anything.
   */
  kind: 'counted' | 'new' | 'superseded' | 'anew' | 'gone' | 'kept' | 'unknown';
  from?: Expectation;
  to?: Expectation;
  /** For what reason it is kept, gone or unknown. */
  why?: string;
}

/** What decides whether trials of two sides are of the same thing. */
export interface CheckCircumstances {
  /** Condition, scenario, check and, where they have a say, judge and user are those of the baseline. */
  isSame: boolean;
  /** The run's conversations were counted before. */
  isAgain: boolean;
  /** The run is older than the last one of the baseline. */
  isOlder: boolean;
  /** Hash of the run's condition. */
  condition: string;
}

/** What counting a run does to one check: `was` of the baseline, `is` of the run. At least one is given. */
export function countCheck(
  was: BaselineCheck | undefined,
  is: CheckEvidence | undefined,
  { isSame, isAgain, isOlder, condition }: CheckCircumstances,
): CheckChange {
  if (!is) return was ? { kind: 'gone', from: was } : { kind: 'unknown' };
  const to = expectationOf(is);
  if (!was) return to ? { kind: 'new', to } : { kind: 'unknown', why: 'too few trials could be graded' };
  const isBlessedElsewhere = was.condition !== undefined && was.condition !== condition;
  if (isSame && isBlessedElsewhere)
    return { kind: 'kept', from: was, why: 'blessed under another condition' };
  if (isSame) {
    if (isAgain) return { kind: 'kept', from: was, why: 'counted before' };
    if (!to) return { kind: 'kept', from: was, why: 'too few trials could be graded' };
    return { kind: 'counted', from: was, to: pool(was, to) };
  }
  if (isOlder) return { kind: 'kept', from: was, why: 'the baseline is newer' };
  // Of something else it is no longer known what it does.
  if (!to) return { kind: 'gone', from: was, why: 'it changed, and too few trials could be graded' };
  return { kind: was.hash === is.hash && was.verdict === to.verdict ? 'anew' : 'superseded', from: was, to };
}

/** What the graded trials of a run say of a check; undefined where they say nothing. */
export function expectationOf({
  verdict,
  passed,
  of,
  score,
  scores,
  axes,
}: CheckEvidence): Expectation | undefined {
  if (verdict === 'unknown' || of === 0) return undefined;
  const said = verdictOfCounts(passed, of, verdict === 'warn');
  return (
    said && {
      verdict: said,
      passed,
      of,
      ...(score !== undefined && { score }),
      ...(scores && { scores: countScores(scores) }),
      ...(axes && {
        axes: Object.fromEntries(Object.entries(axes).map(([axis, rate]) => [axis, [rate.passed, rate.of]])),
      }),
    }
  );
}

/** A check as the file keeps it. Undefined where the run does not say what the check asks: nothing could be held against it. */
export function baselineCheck(
  is: CheckEvidence,
  to: Expectation,
  known: string | true | undefined,
): BaselineCheck | undefined {
  const { type, axis, absolute, hash, rubric } = is;
  if (hash === undefined) return undefined;
  return {
    ...to,
    type,
    ...(axis !== undefined && { axis }),
    ...(absolute && { absolute: true as const }),
    hash,
    ...(rubric !== undefined && { rubric }),
    ...(known !== undefined && to.verdict !== 'pass' && { known }),
  };
}

import type { PassRate } from '../base/statistics.js';
import type { CheckVerdict } from '../grade/types.js';
import type { CheckCounts, Verdict } from './types.js';

/**
 * How many of k trials may fail before a check fails rather than warns: 1 up to k = 11, then floor(k/6). A single
 * trial leaves no room: its failure is a failure.
 */
export function toleratedFailures(trials: number): number {
  if (trials <= 1) return 0;
  return trials <= 11 ? 1 : Math.floor(trials / 6);
}

/** All graded trials of a check, and those that count as passed: a warn trial does. Of a check without counts none. */
export function checkRate(counts: CheckCounts | undefined): PassRate {
  if (!counts) return { passed: 0, of: 0 };
  const passed = counts.pass + counts.warn;
  return { passed, of: passed + counts.fail };
}

type Decided = 'pass' | 'warn' | 'fail';

function decidedVerdict(failed: number, trials: number, hasWarning: boolean): Decided {
  if (failed === 0) return hasWarning ? 'warn' : 'pass';
  return failed <= toleratedFailures(trials) ? 'warn' : 'fail';
}

/**
 * The verdict if every ungraded trial (unknown, error) had passed, and if every one had failed. What is true lies
 * between. Undefined without a trial.
 */
export function verdictRange(counts: CheckCounts): { best: Decided; worst: Decided } | undefined {
  const ungraded = counts.unknown + counts.error;
  const trials = counts.pass + counts.warn + counts.fail + ungraded;
  if (trials === 0) return undefined;
  const hasWarning = counts.warn > 0;
  return {
    best: decidedVerdict(counts.fail, trials, hasWarning),
    worst: decidedVerdict(counts.fail + ungraded, trials, hasWarning),
  };
}

/**
 * The verdict of one check over its trials: pass when all pass, warn when all but a few do, else fail; unknown where
 * the ungraded trials could turn it either way. Undefined without a trial.
 */
export function checkVerdict(counts: CheckCounts): CheckVerdict | undefined {
  const range = verdictRange(counts);
  if (!range) return undefined;
  return range.best === range.worst ? range.best : 'unknown';
}

/** The verdict of trials of which all could be graded and none warned. Undefined without a trial. */
export function rateVerdict({ passed, of }: PassRate): CheckVerdict | undefined {
  return checkVerdict({ pass: passed, warn: 0, fail: of - passed, unknown: 0, error: 0 });
}

/** From worst to best. An error stands above unknown: it says less still about the agent. */
const verdictsWorstFirst: readonly Verdict[] = ['fail', 'error', 'unknown', 'warn', 'pass'];

/** The worst of some verdicts, in the order fail, error, unknown, warn, pass; undefined of none. */
export function worstVerdict<V extends Verdict>(verdicts: Iterable<V | undefined>): V | undefined {
  let worst: V | undefined;
  for (const verdict of verdicts) {
    if (verdict !== undefined && (worst === undefined || isWorse(verdict, worst))) worst = verdict;
  }
  return worst;
}

/** Whether `a` is strictly worse than `b`. */
export function isWorse(a: Verdict, b: Verdict): boolean {
  return verdictsWorstFirst.indexOf(a) < verdictsWorstFirst.indexOf(b);
}

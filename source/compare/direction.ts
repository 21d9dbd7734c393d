import { boschloo } from '../base/boschloo.js';
import type { CheckVerdict } from '../grade/types.js';
import type { GateSettings } from '../project/gate-settings.js';
import { isWorse, rateVerdict } from '../tally/verdict.js';
import type { CheckEvidence, CriterionChange, Direction, Evidence } from './types.js';

/** One criterion on both sides, the same question asked of both. */
export interface CriterionPair {
  from: CheckEvidence;
  to: CheckEvidence;
  kinds: { from: Evidence['kind']; to: Evidence['kind'] };
}

type Rules = Pick<GateSettings, 'confirm' | 'caseDrop'>;

/**
 * The verdict that a side stands for. A baseline's is that of all its trials pooled: what its last run happened to say
 * is one draw of many. A warn trial counts as passed there, so a warning that no failure explains is kept.
 */
export function standingOf(check: CheckEvidence, kind: Evidence['kind']): CheckVerdict {
  if (kind === 'run') return check.verdict;
  const pooled = rateVerdict(check) ?? 'unknown';
  return pooled === 'pass' && check.verdict === 'warn' ? 'warn' : pooled;
}

/** Whether one failure of a check is one too many. Without confirmation that holds of all hard ones. */
export function isStrict(check: Pick<CheckEvidence, 'kind' | 'absolute'>, { confirm }: Rules): boolean {
  return check.kind === 'hard' && (check.absolute || !confirm);
}

/** Whether any of its trials failed, those of a confirmation too. */
export function isViolated({ passed, of, fresh }: CheckEvidence): boolean {
  return passed < of || (fresh !== undefined && fresh.passed < fresh.of);
}

/**
 * The verdict of a side, with a strict check failing from its first failure on. Where both sides have failed a strict
 * check that is no news, and they are compared like any other check: see `directionOf`.
 */
export function strictStanding(check: CheckEvidence, kind: Evidence['kind'], rules: Rules): CheckVerdict {
  return isStrict(check, rules) && isViolated(check) ? 'fail' : standingOf(check, kind);
}

/** What became of a criterion; undefined: nothing. Its score decides where the verdict stayed. */
export function directionOf(pair: CriterionPair, rules: Rules): Direction | undefined {
  const { from, to, kinds } = pair;
  let before = strictStanding(from, kinds.from, rules);
  let after = strictStanding(to, kinds.to, rules);
  if (before === 'fail' && after === 'fail') {
    before = standingOf(from, kinds.from);
    after = standingOf(to, kinds.to);
    if (before === 'unknown' || after === 'unknown') return undefined;
  }
  if (before === 'unknown' || after === 'unknown') return before === after ? undefined : 'not-comparable';
  const drop = scoreDrop(pair);
  if (before === after || isSameForFewTrials(from, before, to, after)) return scoreDirection(drop, rules);
  if (!isWorse(after, before)) {
    if (isLucky(from, kinds.from, to, after)) return undefined;
    // A strict check that failed once in a while did not fail as a whole.
    const isCured = after === 'pass' && standingOf(from, kinds.from) === 'fail';
    return isCured && boschloo(to, from) <= curedAt ? 'fixed' : 'better';
  }
  return after === 'fail' || (drop !== undefined && drop > rules.caseDrop + 1e-9) ? 'regression' : 'drift';
}

/** Boschloo's p-value from which on a rise is a cure; above it a lucky draw would look the same. */
const curedAt = 0.05;

/** A strict check that failed now and then, and passes in fewer trials than the base has: that is no proof of a cure. */
function isLucky(
  from: CheckEvidence,
  kind: Evidence['kind'],
  to: CheckEvidence,
  after: CheckVerdict,
): boolean {
  return after === 'pass' && from.of > to.of && standingOf(from, kind) === 'warn';
}

/**
 * Whether one side warns and the other passes for no other reason than that it has fewer trials: what fails once in
 * twelve passes three of three most of the time, and nothing got better by that.
 */
function isSameForFewTrials(
  from: CheckEvidence,
  before: CheckVerdict,
  to: CheckEvidence,
  after: CheckVerdict,
): boolean {
  const failsInMore = (warned: CheckEvidence, passed: CheckEvidence) =>
    warned.of > passed.of && warned.passed < warned.of;
  if (before === 'warn' && after === 'pass') return failsInMore(from, to);
  return before === 'pass' && after === 'warn' && failsInMore(to, from);
}

/** Points by which the median score of a judged check fell. */
export function scoreDrop({ from, to }: Pick<CriterionPair, 'from' | 'to'>): number | undefined {
  return from.score === undefined || to.score === undefined ? undefined : from.score - to.score;
}

/** Points that a median has to move by before it is a change: less is between what single scores can say. */
const leastMove = 0.5;

function scoreDirection(drop: number | undefined, { caseDrop }: Rules): Direction | undefined {
  if (drop === undefined) return undefined;
  if (drop > caseDrop + 1e-9) return 'regression';
  if (Math.abs(drop) < Math.min(leastMove, caseDrop) - 1e-9 || drop === 0) return undefined;
  return drop > 0 ? 'drift' : 'better';
}

/** Whether a change is for the worse. */
export function isForTheWorse({ direction }: Pick<CriterionChange, 'direction'>): boolean {
  return direction === 'regression' || direction === 'drift';
}

import type { FailOn, GateSettings } from '../project/gate-settings.js';
import { isWorse } from '../tally/verdict.js';
import { isForTheWorse, isStrict, isViolated, scoreDrop, standingOf } from './direction.js';
import { knownTrials } from './score.js';
import type { Comparison, CriterionChange } from './types.js';

/**
 * By which rule a change for the worse counts. `violation`: a strict check failed that never failed in the base.
 * `rate`: the verdict fell, which the re-run proves by its pass rate. `case`: the median score of a judged case fell by
 * more than it may while it does not fail, or failed before; which the re-run proves by its scores. `warning`: no trial
 * failed, but some warned where none did; that counts as it falls, and only where drifts are to block.
 */
export type ChangeRule = 'violation' | 'rate' | 'case' | 'warning';

/** By which rule a change counts; undefined: it is too small, or none for the worse, and blocks nothing. */
export function ruleOf(
  change: CriterionChange,
  comparison: Pick<Comparison, 'base' | 'candidate'>,
  settings: GateSettings,
): ChangeRule | undefined {
  const { from, to } = change;
  if (!from || !to || !isForTheWorse(change)) return undefined;
  if (isStrict(to, settings) && isViolated(to) && (!settings.confirm || !isViolated(from)))
    return 'violation';
  const before = standingOf(from, comparison.base.kind);
  const after = standingOf(to, comparison.candidate.kind);
  const hasFallen = isWorse(after, before);
  // Where it fails, how often it passes says more than how its scores are spread: a yes or no has but two of them.
  if (hasFallen && after === 'fail') return 'rate';
  const drop = scoreDrop({ from, to });
  if (to.kind === 'judged' && drop !== undefined && drop > settings.caseDrop + 1e-9) return 'case';
  if (!hasFallen) return undefined;
  if (to.passed === to.of) return settings.failOn.includes('drift') ? 'warning' : undefined;
  // A single warning says little against a base that is hardly known, and would be re-run for nothing most of the time.
  const isKnown = before === 'pass' && from.of >= knownTrials;
  return isKnown || settings.failOn.includes('drift') ? 'rate' : undefined;
}

/** What a change can block by, the strictest first. */
export function blockersOf({ kind, direction }: CriterionChange, rule: ChangeRule): FailOn[] {
  if (rule === 'warning') return ['drift'];
  const blockers: FailOn[] = [kind === 'hard' ? 'hard-criteria' : 'score-drop'];
  if (direction === 'regression' || direction === 'drift') blockers.push(direction);
  return blockers;
}

/** Whether a change may block at all. */
export function canBlock(change: CriterionChange, rule: ChangeRule, { failOn }: GateSettings): boolean {
  return blockersOf(change, rule).some((name) => failOn.includes(name));
}

/** Whether the mean judged score dropped by more than it may. */
export function hasMeanDropped(
  { from, to }: { from: number; to: number },
  { meanDrop }: GateSettings,
): boolean {
  return from - to > meanDrop + 1e-9;
}

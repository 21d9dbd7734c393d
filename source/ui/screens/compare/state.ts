import type { Comparison, CriterionChange } from '../../../compare/types.js';
import { criterionId } from '../../../run/change-classes.js';
import { changeWords, wordOf } from '../../row-change.js';

/** What the person sees of what changed. */
export interface CompareState {
  /** The change that is selected, by `criterionId`. Not set: the first. */
  selected: string | undefined;
  /** First row on screen. */
  top: number;
  /** Both sides in figures, in the place of the changes. */
  isFigures: boolean;
}

export const firstCompareState: CompareState = { selected: undefined, top: 0, isFigures: false };

const sorted = new WeakMap<Comparison, readonly CriterionChange[]>();

/** The changes, those first that a person has to look at first; else in the order of the plan. */
export function changesOf(comparison: Comparison | undefined): readonly CriterionChange[] {
  if (!comparison) return [];
  const known = sorted.get(comparison);
  if (known) return known;
  const rank = (change: CriterionChange) => changeWords.indexOf(wordOf(change));
  const changes = [...comparison.changes].sort((a, b) => rank(a) - rank(b));
  sorted.set(comparison, changes);
  return changes;
}

/** Position of the selected change; 0 where it is not among them any more. */
export function selectedIndex(
  changes: readonly CriterionChange[],
  { selected }: Pick<CompareState, 'selected'>,
): number {
  return Math.max(
    0,
    changes.findIndex((change) => criterionId(change) === selected),
  );
}

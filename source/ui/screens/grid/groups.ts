import type { Condition } from '../../../run/planned.js';
import type { RunTally } from '../../../tally/types.js';

/** A group of cells a row: which of the conditions it is of, and its position in every row. */
export interface ShownGroup {
  condition: Condition;
  at: number;
}

/** The conditions that the grid has a group of cells for: one that stands by has none until something is run under it. */
export function shownGroups({ conditions, rows }: RunTally): ShownGroup[] {
  return conditions.flatMap((condition, at) => {
    const isShown =
      condition.standby !== true || rows.some(({ groups }) => (groups[at]?.cells.length ?? 0) > 0);
    return isShown ? [{ condition, at }] : [];
  });
}

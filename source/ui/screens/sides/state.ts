import type { TrialKey } from '../../../run/events.js';
import { isFresh } from '../../../tally/group.js';
import type { Cell, CellGroup } from '../../../tally/types.js';

export type Side = 'from' | 'to';

/** What the person sees of two conversations side by side. */
export interface SidesState {
  scenario: string;
  /** The criterion that they are looked at for; not set: any. */
  check: string | undefined;
  /** Repeat of the base's trial; not set: the one that shows best what was. */
  from: number | undefined;
  to: TrialKey;
  /** First line on screen, of both; `first-difference`: there, a little above. */
  top: number | 'first-difference';
  /** Which side is shown where there is room for one. */
  side: Side;
  /** Two trials of a check that disagree, see `TriageStanding`, and not a candidate beside its base. */
  isFlake?: true;
}

const passing: readonly Cell['state'][] = ['pass', 'warn', 'unknown', 'fail'];
const failing: readonly Cell['state'][] = ['fail', 'warn', 'error', 'unknown', 'pass'];

/** The trial of the base to begin with: one that passes. */
export function bestOf(group: CellGroup | undefined): number | undefined {
  return firstOf(group, passing, () => true);
}

/** The trial of the candidate to begin with: the worst, and of those one that the criterion decided. */
export function worstOf(group: CellGroup | undefined, check: string | undefined): number | undefined {
  const decided = firstOf(group, failing.slice(0, 2), ({ worstCheck }) => worstCheck === check);
  return decided ?? firstOf(group, failing, () => true);
}

/** Those of a confirmation come last: they were not what raised anything. */
function firstOf(
  group: CellGroup | undefined,
  states: readonly Cell['state'][],
  fits: (cell: Cell) => boolean,
): number | undefined {
  if (!group) return undefined;
  for (const isOfConfirmation of [false, true]) {
    const cells = group.cells.filter(
      (cell) => isFresh(group, cell.repeat) === isOfConfirmation && fits(cell),
    );
    for (const state of states) {
      const found = cells.find((cell) => cell.state === state);
      if (found) return found.repeat;
    }
  }
  return undefined;
}

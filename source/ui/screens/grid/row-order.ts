import type { ScenarioTally } from '../../../tally/types.js';
import type { Filter, FindChange } from './filter.js';
import { type SortName, sortValue } from './sort.js';

/**
 * The rows that are shown, in their order. Kept up to date row by row, so that a flush costs by what changed and
 * not by how many rows there are.
 */
export interface RowOrder {
  readonly count: number;
  /** Scenario at a position from 0. */
  at(index: number): string | undefined;
  /** Position of a scenario; -1 when it is not shown. */
  indexOf(scenario: string): number;
  /** Takes a row that has changed to its place, in or out. */
  update(row: ScenarioTally): void;
}

interface Entry {
  scenario: string;
  value: number;
  order: number;
}

function compare(a: Entry, b: Entry): number {
  return b.value - a.value || a.order - b.order;
}

export function createRowOrder(
  rows: readonly ScenarioTally[],
  sort: SortName,
  filter: Filter,
  changeOf: FindChange = () => undefined,
): RowOrder {
  const entryOf = (row: ScenarioTally): Entry => ({
    scenario: row.scenario.id,
    value: sortValue(sort, row, changeOf(row.scenario.id)),
    order: row.order,
  });
  const entries = rows.filter(filter.matches).map(entryOf).sort(compare);
  const known = new Map(entries.map((entry) => [entry.scenario, entry]));

  /** Where an entry stands, or would stand. */
  function place(entry: Entry): number {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = entries[middle];
      if (there && compare(there, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get count() {
      return entries.length;
    },
    at: (index) => entries[index]?.scenario,
    indexOf(scenario) {
      const entry = known.get(scenario);
      return entry ? place(entry) : -1;
    },
    update(row) {
      const before = known.get(row.scenario.id);
      const after = filter.matches(row) ? entryOf(row) : undefined;
      if (before && after && compare(before, after) === 0) return;
      if (before) {
        entries.splice(place(before), 1);
        known.delete(before.scenario);
      }
      if (after) {
        entries.splice(place(after), 0, after);
        known.set(after.scenario, after);
      }
    },
  };
}

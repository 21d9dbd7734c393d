import type { RunTally } from '../../../tally/types.js';
import type { RunStore } from '../../store.js';
import { parseFilter } from './filter.js';
import { createRowOrder, type RowOrder } from './row-order.js';
import type { SortName } from './sort.js';

export const emptyOrder: RowOrder = { count: 0, at: () => undefined, indexOf: () => -1, update: () => {} };

/** The rows of a run as they are shown, while they change. */
export interface LiveOrder {
  /** The rows, made anew when the sort or the filter is another one. */
  rows(sort: SortName, filter: string): RowOrder;
  /** Takes the rows that changed to their places. Between two calls rows stand where the person saw them last. */
  update(): void;
}

export function createLiveOrder(store: RunStore): LiveOrder {
  let made: { sort: SortName; filter: string; tally: RunTally; order: RowOrder } | undefined;
  return {
    rows(sort, filter) {
      const { tally } = store;
      if (!tally) return emptyOrder;
      if (made?.sort !== sort || made.filter !== filter || made.tally !== tally) {
        const { changeOf } = store;
        const order = createRowOrder(tally.rows, sort, parseFilter(filter, changeOf), changeOf);
        made = { sort, filter, tally, order };
      }
      return made.order;
    },
    update() {
      for (const scenario of store.takeTouched()) {
        const row = made?.tally.rowById.get(scenario);
        if (row) made?.order.update(row);
      }
    },
  };
}

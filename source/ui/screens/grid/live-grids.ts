import type { RunStore } from '../../store.js';
import type { Size } from '../../terminal/size.js';
import { gridHeight } from './geometry.js';
import { shownGroups } from './groups.js';
import { createLiveOrder, emptyOrder } from './live-order.js';
import type { RowOrder } from './row-order.js';
import { type GridState, reconciled } from './state.js';

/** The grids of several runs while their rows change. */
export interface LiveGrids {
  /** The rows of the grid of a run, filtered and sorted. */
  order(run: number, grid: GridState): RowOrder;
  /** Takes rows that changed to their places, and gives the grids as they stand then: the same where nothing moved. */
  refresh(grids: readonly GridState[], size: Size): readonly GridState[];
}

export function createLiveGrids(stores: readonly RunStore[]): LiveGrids {
  const orders = stores.map(createLiveOrder);
  const orderOf = (run: number, { sort, filter }: GridState) => orders[run]?.rows(sort, filter) ?? emptyOrder;
  return {
    order: orderOf,
    refresh(grids, size) {
      const next = grids.map((grid, run) => {
        const tally = stores[run]?.tally;
        orders[run]?.update();
        const height = gridHeight(size, tally ? shownGroups(tally).length : 1);
        return reconciled(grid, orderOf(run, grid), height);
      });
      return next.every((grid, run) => grid === grids[run]) ? grids : next;
    },
  };
}

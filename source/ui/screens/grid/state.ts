import type { Cell, ScenarioTally } from '../../../tally/types.js';
import { clamp, topAfterReorder, topFor } from '../../viewport.js';
import type { RowOrder } from './row-order.js';
import type { SortName } from './sort.js';

/** Names one cell of a row. */
export interface CellPlace {
  condition: string;
  repeat: number;
}

/** What the person sees and has chosen on the grid. The rows themselves are in the tally. */
export interface GridState {
  sort: SortName;
  /** The query as typed. */
  filter: string;
  /** Scenario that is selected, by id, so that it stays selected wherever it goes. Not set before there are rows. */
  selected: string | undefined;
  /** The person chose it; otherwise it is only what stood first. */
  isChosen: boolean;
  /** Where the selection was last seen, from 0: where it goes on when its row is filtered out. */
  index: number;
  /** First row on screen. */
  top: number;
  /** The cell that the person moved to. Not set: the worst of whatever row is selected. */
  cell: CellPlace | undefined;
}

export const firstGridState: GridState = {
  sort: 'order',
  filter: '',
  selected: undefined,
  isChosen: false,
  index: 0,
  top: 0,
  cell: undefined,
};

/** The grid after rows moved, came or went, or the body got another height. The same object when nothing is different. */
export function reconciled(grid: GridState, order: RowOrder, height: number): GridState {
  const found = grid.selected === undefined ? -1 : order.indexOf(grid.selected);
  // What nobody chose is not followed off the screen: the marker goes back to what stands first.
  if (!grid.isChosen && (found < 0 || found >= height)) {
    const first = order.at(0);
    const isSame = grid.selected === first && grid.index === 0 && grid.top === 0;
    return isSame ? grid : { ...grid, selected: first, index: 0, top: 0 };
  }
  const index = found >= 0 ? found : clamp(grid.index, 0, Math.max(0, order.count - 1));
  const top = topAfterReorder({ top: grid.top, height, count: order.count }, grid.index, index);
  return index === grid.index && top === grid.top ? grid : { ...grid, index, top };
}

/** The grid with the row at a position selected; positions outside are brought inside. */
export function selectedAt(grid: GridState, order: RowOrder, height: number, wanted: number): GridState {
  if (order.count === 0) return grid;
  const index = clamp(wanted, 0, order.count - 1);
  return {
    ...grid,
    index,
    selected: order.at(index),
    isChosen: true,
    top: topFor({ top: grid.top, height, count: order.count }, index),
  };
}

/** Every cell of a row, group after group. */
export function cellsOf(row: ScenarioTally): CellPlace[] {
  return row.groups.flatMap(({ condition, cells }) => cells.map(({ repeat }) => ({ condition, repeat })));
}

/** What of a row is looked at when the person has not chosen: the first of the worst. */
const worstFirst: readonly Cell['state'][] = ['fail', 'error', 'warn', 'unknown'];

/**
 * Position among `cellsOf` of the chosen cell, or of the one nearest to it in this row; of the worst one when none is
 * chosen; -1 for a row without cells.
 */
export function cellIndex(row: ScenarioTally, cell: CellPlace | undefined): number {
  const cells = cellsOf(row);
  if (!cell) {
    const states = row.groups.flatMap((group) => group.cells.map(({ state }) => state));
    const worst = worstFirst.find((state) => states.includes(state));
    return worst ? states.indexOf(worst) : Math.min(0, cells.length - 1);
  }
  const exact = cells.findIndex(
    (place) => place.condition === cell.condition && place.repeat === cell.repeat,
  );
  if (exact >= 0) return exact;
  const inGroup = cells.findLastIndex(
    (place) => place.condition === cell.condition && place.repeat <= cell.repeat,
  );
  return inGroup >= 0 ? inGroup : cells.length - 1;
}

/** The grid with the cell chosen that stands `steps` to the right; it stops at the ends of the row. */
export function movedCell(grid: GridState, row: ScenarioTally, steps: number): GridState {
  const cells = cellsOf(row);
  const cell = cells[clamp(cellIndex(row, grid.cell) + steps, 0, cells.length - 1)];
  return cell ? { ...grid, cell } : grid;
}

import type { Cell, ScenarioTally } from '../../../tally/types.js';
import { changeWords, type RowChange } from '../../row-change.js';

/** In the order in which `s` goes through them. */
export const sortNames = ['order', 'worst', 'changed', 'flakiest', 'slowest', 'tokens'] as const;
export type SortName = (typeof sortNames)[number];

export const sortTitles: Record<SortName, string> = {
  order: 'the order of the suite',
  worst: 'worst first',
  changed: 'changed first',
  flakiest: 'flakiest first',
  slowest: 'slowest first',
  tokens: 'most tokens first',
};

export function isSortName(text: string | undefined): text is SortName {
  return sortNames.some((name) => name === text);
}

/** The next sort; without a base nothing has changed. */
export function nextSort(sort: SortName, hasBase: boolean): SortName {
  const next = sortNames[(sortNames.indexOf(sort) + 1) % sortNames.length] ?? 'order';
  return next === 'changed' && !hasBase ? nextSort(next, hasBase) : next;
}

/** What a sort compares: the higher comes first; equal rows stand in the order of the suite. */
export function sortValue(sort: SortName, row: ScenarioTally, change?: RowChange): number {
  switch (sort) {
    case 'order':
      return 0;
    case 'worst':
      return severity(row) + failingShare(row);
    case 'changed':
      return change ? changeWords.length - changeWords.indexOf(change.word) : 0;
    case 'flakiest':
      return flakiness(row);
    case 'slowest':
      return meanMs(row);
    case 'tokens':
      return row.tokens;
  }
}

const severities = { fail: 5, error: 4, warn: 3, unknown: 2, pass: 1 } as const;

function severity(row: ScenarioTally): number {
  return row.verdict && !row.isQuarantined ? severities[row.verdict] : 0;
}

function share(cells: readonly Cell[], isCounted: (cell: Cell) => boolean): number {
  const graded = cells.filter(({ state }) => state === 'pass' || state === 'warn' || state === 'fail');
  return graded.length === 0 ? 0 : graded.filter(isCounted).length / graded.length;
}

/** Below 1, so that it only orders rows of one verdict. */
function failingShare(row: ScenarioTally): number {
  return (
    share(
      row.groups.flatMap(({ cells }) => cells),
      ({ state }) => state === 'fail',
    ) * 0.99
  );
}

/** How evenly the trials of one condition are split between failing and not: 0 when they agree, at most 0.5. */
function flakiness(row: ScenarioTally): number {
  return Math.max(
    0,
    ...row.groups.map(({ cells }) => {
      const failing = share(cells, ({ state }) => state === 'fail');
      return Math.min(failing, 1 - failing);
    }),
  );
}

/** Milliseconds of one finished trial of the row, on average; 0 before the first. */
export function meanMs(row: ScenarioTally): number {
  const finished = row.groups.flatMap(({ cells }) => cells).filter(({ ms }) => ms !== undefined).length;
  return finished === 0 ? 0 : row.ms / finished;
}

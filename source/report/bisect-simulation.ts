import { jeffreysInterval } from '../base/statistics.js';
import type { GuiltKind, SimulatedRow } from '../bisect/simulate.js';
import { smallDropText } from './bisect-words.js';
import { countOf } from './format.js';

/** What was simulated, for its table and its JSON. */
export interface SimulatedTable {
  hunks: number;
  guilty: GuiltKind;
  rates: { good: number; bad: number };
  seed: string;
  /** Not set: the usual one. */
  budget?: number;
  rows: readonly SimulatedRow[];
  /** Trials below which nobody can be right 95 times of 100; only worked out for a single guilty hunk. */
  limit?: number;
}

const guiltWords: Record<GuiltKind, string> = {
  single: 'one guilty hunk',
  both: 'two guilty hunks that take both',
  either: 'two guilty hunks of which either suffices',
  additive: 'two guilty hunks of which each takes half of the drop',
  'any-of-three': 'three guilty hunks of which any suffices',
  none: 'no guilty hunk, A as good as B',
  'a-broken': 'no guilty hunk, A as bad as B',
};

/** The table of a simulation, a row a strategy. */
export function* simulatedLines(table: SimulatedTable): Generator<string> {
  const { hunks, guilty, rates, seed, budget, rows, limit } = table;
  const runs = rows[0]?.runs ?? 0;
  const rateText =
    guilty === 'none'
      ? `pass rate ${rates.good}`
      : guilty === 'a-broken'
        ? `pass rate ${rates.bad}`
        : `pass rates ${rates.good} → ${rates.bad}`;
  const budgetText = budget === undefined ? '' : `, budget ${budget}`;
  yield `${countOf(hunks, 'hunk')}, ${guiltWords[guilty]}, ${rateText}: ${runs} bisects each, seed ${seed}${budgetText}`;
  yield cells([
    'strategy',
    'right',
    '95 % interval',
    'mean trials',
    '9 in 10 within',
    'how the others ended',
  ]);
  for (const row of rows) {
    const { endings } = row;
    const { low, high } = jeffreysInterval(endings.right, row.runs);
    yield cells([
      row.strategy,
      percent(endings.right / row.runs),
      `${percent(low)} – ${percent(high)}`,
      row.meanTrials.toFixed(1),
      String(row.trialsOfNineInTen),
      otherEndings(row),
    ]);
  }
  if (limit !== undefined)
    yield `no method that is right 95 times of 100 can do with fewer than ${Math.ceil(limit)} trials on average, even one that knows the rates`;
  const smallDrop = guilty === 'none' || guilty === 'a-broken' ? undefined : smallDropText(rates);
  if (smallDrop !== undefined) yield smallDrop;
}

const widths = [12, 6, 15, 12, 15, 0];

function cells(texts: readonly string[]): string {
  return texts
    .map((text, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || column === texts.length - 1 ? text.padEnd(width) : text.padStart(width);
    })
    .join('  ')
    .trimEnd();
}

function percent(share: number): string {
  // 99.8 is not all of them.
  const rounded = share < 1 ? Math.min(99, Math.round(100 * share)) : 100;
  return `${rounded} %`;
}

function otherEndings({ endings }: SimulatedRow): string {
  const words = [
    [endings.innocent, 'blamed an innocent hunk'],
    [endings.partial, 'named too few'],
    [endings.missed, 'missed it'],
    [endings.inconclusive, 'inconclusive'],
  ] as const;
  return words
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

/** The same for machines. */
export function simulatedFacts({ rows, ...of }: SimulatedTable) {
  return {
    ...of,
    strategies: rows.map(({ strategy, runs, endings, meanTrials, trialsOfNineInTen }) => ({
      strategy,
      runs,
      right: endings.right / runs,
      endings,
      meanTrials,
      trialsOfNineInTen,
    })),
  };
}

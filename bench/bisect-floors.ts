/** What bisecting must reach in simulation, for the tests (fewer bisects, looser) and for `npm run bench -- bisect`. */

import { type GuiltKind, type SimulatedRow, simulateBisect, sumUp } from '../source/bisect/simulate.js';
import type { StrategyName } from '../source/run/bisect-events.js';

export interface Floor {
  strategy: StrategyName;
  guilty: GuiltKind;
  hunks: number;
  rates: { good: number; bad: number };
  /** Share of right answers at the least. */
  right: number;
  /** Mean trials at the most. */
  mean?: number;
  /** Share of bisects that blame an innocent hunk at the most. */
  innocent?: number;
}

function row(
  [strategy, guilty, hunks]: [StrategyName, GuiltKind, number],
  [good, bad]: [number, number],
  floor: Pick<Floor, 'right' | 'mean' | 'innocent'>,
): Floor {
  return { strategy, guilty, hunks, rates: { good, bad }, ...floor };
}

export const floors: readonly Floor[] = [
  row(['auto', 'single', 16], [1, 0], { right: 1, mean: 15 }),
  row(['auto', 'single', 16], [0.95, 0.3], { right: 0.97, mean: 28 }),
  row(['auto', 'single', 16], [0.9, 0.5], { right: 0.93, mean: 64, innocent: 0.05 }),
  row(['auto', 'single', 16], [0.8, 0.4], { right: 0.91, mean: 80 }),
  row(['auto', 'single', 32], [0.9, 0.5], { right: 0.91, mean: 74 }),
  row(['auto', 'both', 16], [0.95, 0.3], { right: 0.97, mean: 44 }),
  row(['auto', 'either', 16], [0.95, 0.3], { right: 0.92, mean: 60 }),
  row(['auto', 'any-of-three', 16], [1, 0], { right: 0.95, mean: 38 }),
  row(['auto', 'none', 16], [0.9, 0.5], { right: 0.93, mean: 42 }),
  row(['auto', 'a-broken', 16], [0.95, 0.3], { right: 0.93 }),
  row(['guided', 'single', 16], [0.95, 0.3], { right: 0.97, mean: 54 }),
  row(['guided', 'single', 16], [0.9, 0.5], { right: 0.92, mean: 100 }),
];

export function nameOf({ strategy, guilty, hunks, rates: { good, bad } }: Floor): string {
  return `${strategy} ${guilty} n=${hunks} ${good} → ${bad}`;
}

export interface Measured {
  row: SimulatedRow;
  /** Standard error of the mean number of trials. */
  meanError: number;
}

/** Plays a row; the same `seed` gives the same figures. */
export function measure({ strategy, guilty, hunks, rates }: Floor, bisects: number, seed: string): Measured {
  const played = Array.from({ length: bisects }, (_, index) =>
    simulateBisect({ strategy, guilty, hunks, rates, seed: `${seed} ${index}` }),
  );
  const row = sumUp(strategy, played);
  const square = played.reduce((sum, { trials }) => sum + (trials - row.meanTrials) ** 2, 0);
  return { row, meanError: Math.sqrt(square / Math.max(1, bisects - 1) / bisects) };
}

/** What a row misses of its floor, loosened by so many standard errors; nothing where it holds. */
export function shortfalls(floor: Floor, { row, meanError }: Measured, looser: number): string[] {
  const error = (share: number) => looser * Math.sqrt((share * (1 - share)) / row.runs);
  const right = row.endings.right / row.runs;
  const innocent = row.endings.innocent / row.runs;
  const missed: string[] = [];
  if (right < floor.right - error(floor.right)) missed.push(`right ${right} of at least ${floor.right}`);
  if (floor.mean !== undefined && row.meanTrials > floor.mean + looser * meanError)
    missed.push(`${row.meanTrials} trials of at most ${floor.mean}`);
  if (floor.innocent !== undefined && innocent > floor.innocent + error(floor.innocent))
    missed.push(`innocent ${innocent} of at most ${floor.innocent}`);
  return missed;
}

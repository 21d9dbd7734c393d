import { describe, expect, it } from 'vitest';
import { type Floor, floors, measure, nameOf, shortfalls } from '../../bench/bisect-floors.js';
import { simulateBisect, sumUp } from '../../source/bisect/simulate.js';

/**
 * The floors that `npm run bench -- bisect` holds with 500 bisects a row, loosened by two standard errors: of 100 bisects,
 * of 60 in the rows that take the most trials, and of 30 with 32 hunks, where choosing takes five times as long.
 */
function bisectsOf({ hunks, mean = 0 }: Floor): number {
  if (hunks > 16) return 30;
  return mean > 60 ? 60 : 100;
}

describe('simulated bisects', () => {
  for (const floor of floors) {
    it(`reach their floor: ${nameOf(floor)}`, () => {
      const measured = measure(floor, bisectsOf(floor), 'test');
      expect(shortfalls(floor, measured, 2)).toEqual([]);
    }, 120_000);
  }

  it('are the same for the same seed, and others for another', () => {
    const simulation = {
      strategy: 'auto',
      guilty: 'single',
      hunks: 8,
      rates: { good: 0.9, bad: 0.5 },
    } as const;
    const play = (seed: string) => simulateBisect({ ...simulation, seed }).session.entries;
    expect(play('a')).toEqual(play('a'));
    expect(play('b')).not.toEqual(play('a'));
  });

  it('of one-by-one and binary are wrong far more often at the same rates', () => {
    for (const strategy of ['one-by-one', 'binary'] as const) {
      const { row } = measure(
        { strategy, guilty: 'single', hunks: 16, rates: { good: 0.9, bad: 0.5 }, right: 0 },
        200,
        'plain',
      );
      expect(row.endings.right / row.runs).toBeLessThan(0.65);
    }
  });

  it('of guided never blame an innocent hunk where it breaks outright', () => {
    const rates = { good: 1, bad: 0 };
    const bisects = Array.from({ length: 20 }, (_, seed) =>
      simulateBisect({ strategy: 'guided', guilty: 'both', hunks: 6, rates, seed: String(seed) }),
    );
    expect(sumUp('guided', bisects).endings).toEqual({
      right: 20,
      partial: 0,
      innocent: 0,
      missed: 0,
      inconclusive: 0,
    });
  });
});

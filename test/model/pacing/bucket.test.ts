import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBucket } from '../../../source/model/pacing/bucket.js';
import { createFakeClock } from '../fake-clock.js';

/** Takes as early as the bucket lets it, for so long; the instants of all takes, from 0. */
async function takeGreedily(perMinute: number, amounts: readonly number[]): Promise<number[]> {
  const clock = createFakeClock(0);
  const bucket = createBucket(perMinute, clock);
  const taken: number[] = [];
  for (const amount of amounts) {
    const waitMs = bucket.waitMs(amount);
    await clock.advance(waitMs);
    expect(bucket.waitMs(amount)).toBe(0);
    bucket.take(amount);
    taken.push(clock.now());
  }
  return taken;
}

describe('a budget a minute', () => {
  test.each([1, 2, 7, 10, 60])(
    'of %i requests is never exceeded in any minute, and used up',
    async (perMinute) => {
      const times = await takeGreedily(perMinute, new Array(perMinute * 3).fill(1));
      for (const from of times) {
        const inMinute = times.filter((at) => at >= from && at < from + 60_000).length;
        expect(inMinute).toBeLessThanOrEqual(perMinute);
      }
      // Three minutes' worth takes little more than two: the first is there at once or comes while the others do.
      expect((times.at(-1) ?? 0) / 60_000).toBeLessThan(3.2);
    },
  );

  test('of tokens is never exceeded in any minute by requests that fit into it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 5_000 }),
        fc.array(fc.double({ min: 0.001, max: 0.1, noNaN: true }), { minLength: 20, maxLength: 60 }),
        async (perMinute, shares) => {
          const amounts = shares.map((share) => Math.max(1, Math.floor(share * perMinute)));
          const times = await takeGreedily(perMinute, amounts);
          for (const from of times) {
            const inMinute = amounts.filter((_amount, at) => {
              const time = times[at] ?? 0;
              return time >= from && time < from + 60_000;
            });
            expect(inMinute.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(perMinute + 1);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('lets an amount larger than itself through when it is full, and then has it paid off', () => {
    const clock = createFakeClock(0);
    const bucket = createBucket(600, clock);
    expect(bucket.waitMs(10_000)).toBe(0);
    bucket.take(10_000);
    // 10,000 at 541 a minute.
    expect(bucket.waitMs(1) / 60_000).toBeCloseTo((10_000 - 60 + 1) / 541, 1);
  });

  test('gives back what was not taken after all, and no more than it holds', () => {
    const clock = createFakeClock(0);
    const bucket = createBucket(600, clock);
    bucket.take(60);
    expect(bucket.waitMs(60)).toBeGreaterThan(0);
    bucket.settle(60, 0);
    expect(bucket.waitMs(60)).toBe(0);
    bucket.settle(1_000, 0);
    bucket.take(60);
    expect(bucket.waitMs(1)).toBeGreaterThan(0);
  });

  test('a clock that is set back gives nothing and takes nothing', () => {
    let now = 1_000_000;
    const bucket = createBucket(60, { now: () => now, wait: () => Promise.resolve() });
    bucket.take(6);
    now -= 500_000;
    expect(bucket.waitMs(1)).toBeGreaterThan(0);
    expect(bucket.waitMs(1)).toBeLessThan(2_000);
  });
});

import { describe, expect, it } from 'vitest';
import { cusum, cusumReference } from '../../source/base/cusum.js';
import { drawBeta, drawNormal, drawPassed } from '../../source/base/draws.js';
import { falseDiscovery } from '../../source/base/false-discovery.js';
import { createRandom } from '../../source/base/random.js';
import { signTest } from '../../source/base/sign-test.js';

describe('false discovery over many p-values', () => {
  it('holds what Benjamini and Hochberg hold in their example of 1995', () => {
    // Table 1 of the paper: at 5 % the first four of fifteen are rejected, where Bonferroni rejects three.
    const paper = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
      0.759, 1,
    ];
    expect(falseDiscovery(paper).filter(Boolean)).toHaveLength(4);
    const backwards = falseDiscovery([...paper].reverse());
    expect(backwards.lastIndexOf(false)).toBe(10);
  });

  it('lets a p-value above its own limit hold where a later one holds', () => {
    expect(falseDiscovery([0.04, 0.03])).toEqual([true, true]);
    expect(falseDiscovery([0.04, 0.2])).toEqual([false, false]);
    expect(falseDiscovery([])).toEqual([]);
  });
});

describe('the sign test', () => {
  it('adds up the upper tail of a fair coin', () => {
    expect(signTest(1, 9)).toBeCloseTo(11 / 1024, 12);
    expect(signTest(5, 5)).toBeCloseTo(638 / 1024, 12);
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(4, 0)).toBe(1);
  });

  it.each([
    [0, 0.035],
    [0.05, 0.3],
    [0.1, 0.76],
  ])('sees a uniform fall of %f over 51 scenarios, three trials each, in a share of %f', (fall, share) => {
    const repetitions = 1000;
    let alarms = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const random = createRandom('sign', fall, repetition);
      let better = 0;
      let worse = 0;
      for (let scenario = 0; scenario < 51; scenario++) {
        const rate = drawBeta(random, 1.33, 0.33);
        const moved = drawPassed(random, 3, Math.max(0, rate - fall)) - drawPassed(random, 3, rate);
        if (moved > 0) better++;
        if (moved < 0) worse++;
      }
      if (signTest(better, worse) <= 0.05) alarms++;
    }
    expect(Math.abs(alarms / repetitions - share)).toBeLessThan(0.05);
  });
});

describe('CUSUM', () => {
  it('adds up what lies below, less the slack, and forgets what lies above', () => {
    const found = cusum([9, 8, 12, 4, 4, 4], { mean: 10, sd: 2 });
    expect(found.sums).toEqual([0, 0.5, 0, 2.5, 5, 7.5]);
    expect(found.alarm).toBe(5);
    expect(cusum([10, 10], { mean: 10, sd: 0 }).alarm).toBeUndefined();
    expect(cusumReference([1])).toBeUndefined();
    expect(cusumReference([2, 4])).toEqual({ mean: 3, sd: Math.SQRT2 });
  });

  it('finds a fall of five points, and a slow one of half a point a run, against twenty runs', () => {
    // Scores of 51 scenarios, of which 20 % flip: the score of a single run varies by 4.4 points.
    const sd = 0.044;
    const alarmAfter = (name: string, runs: number, fall: (run: number) => number) => {
      const found: (number | undefined)[] = [];
      for (let repetition = 0; repetition < 600; repetition++) {
        const random = createRandom('cusum', name, repetition);
        const pinned = Array.from({ length: 20 }, () => 0.8 + sd * drawNormal(random));
        const values = Array.from(
          { length: runs },
          (_, run) => 0.8 - fall(run + 1) + sd * drawNormal(random),
        );
        const reference = cusumReference(pinned) ?? { mean: 0, sd: 0 };
        found.push(cusum(values, reference).alarm);
      }
      return found;
    };
    const median = (found: (number | undefined)[]) =>
      found.map((alarm) => (alarm ?? 1e6) + 1).sort((a, b) => a - b)[found.length >> 1] ?? 0;
    const falseAlarms = alarmAfter('none', 60, () => 0).filter((alarm) => alarm !== undefined).length / 600;
    // The figures of the docs: 17 % false alarms in 60 runs, about 10 runs to find a step, 12 to find a ramp.
    expect(falseAlarms).toBeGreaterThan(0.13);
    expect(falseAlarms).toBeLessThan(0.21);
    expect(median(alarmAfter('step', 60, () => 0.05))).toBeLessThanOrEqual(10);
    expect(median(alarmAfter('ramp', 60, (run) => run * 0.005))).toBeLessThanOrEqual(12);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boschloo } from '../../source/base/boschloo.js';
import { fisher } from '../../source/base/fisher.js';
import { powerOf, trialsNeeded } from '../../source/base/trials-needed.js';

const of = (passed: number, all: number) => ({ passed, of: all });

describe('exact tests of two rates', () => {
  // Boschloo's and Fisher's one-sided p-values by scipy 1.17 (boschloo_exact with n=256, fisher_exact).
  it.each([
    [6, 6, 3, 6, 0.0337882738835, 0.0909090909091],
    [20, 20, 4, 6, 0.0189408978581, 0.0461538461538],
    [3, 3, 0, 3, 0.015625, 0.05],
    [19, 20, 3, 6, 0.013638199007, 0.0277591973244],
    [12, 15, 7, 15, 0.0341091546616, 0.0640679660169],
    [5, 8, 2, 7, 0.120537471597, 0.214452214452],
    [9, 9, 2, 6, 0.00507920553537, 0.010989010989],
    [100, 120, 70, 110, 0.000368133511098, 0.000551242326817],
  ])('%i of %i against %i of %i is what scipy says', (a, b, c, d, exact, conditional) => {
    expect(boschloo(of(a, b), of(c, d))).toBeCloseTo(exact, 9);
    expect(fisher(of(a, b), of(c, d))).toBeCloseTo(conditional, 9);
  });

  it('is never above Fisher, never above 1, and smaller the less passes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(25),
        fc.nat(12),
        (before, after, x, y) => {
          const base = of(Math.min(x, before), before);
          const passed = Math.min(y, after);
          const p = boschloo(base, of(passed, after));
          expect(p).toBeGreaterThan(0);
          expect(p).toBeLessThanOrEqual(fisher(base, of(passed, after)) * (1 + 1e-9));
          if (passed > 0) expect(boschloo(base, of(passed - 1, after))).toBeLessThanOrEqual(p * (1 + 1e-9));
        },
      ),
    );
  });

  it('goes red by chance no more often than it says, whatever the common rate', () => {
    for (const rate of [0.5, 0.8, 0.9, 0.95, 0.99]) expect(powerOf(12, rate, rate)).toBeLessThanOrEqual(0.05);
  });

  it('says nothing where a side has no trials', () => {
    expect(boschloo(of(0, 0), of(0, 6))).toBe(1);
    expect(boschloo(of(6, 6), of(0, 0))).toBe(1);
  });

  it('is Fisher’s where a side is known so well that the two hardly differ, however many trials that are', () => {
    const before = { passed: 99_000, of: 100_000 };
    const after = { passed: 4, of: 6 };
    expect(boschloo(before, after)).toBe(fisher(before, after));
    const huge = { passed: 300_000_000, of: 300_000_000 };
    expect(boschloo(huge, { passed: 3, of: 6 })).toBeLessThan(1e-6);
    expect(boschloo(huge, { passed: 6, of: 6 })).toBeCloseTo(1, 6);
    const [large, other] = [
      { passed: 960, of: 1000 },
      { passed: 940, of: 1000 },
    ];
    expect(boschloo(large, other) / fisher(large, other)).toBeGreaterThan(0.85);
  });

  it('takes little time with the counts that a gate meets', () => {
    const start = performance.now();
    let sum = 0;
    for (let passed = 0; passed <= 20; passed++) {
      for (let after = 0; after <= 6; after++) sum += boschloo(of(passed, 20), of(after, 6));
    }
    expect(sum).toBeGreaterThan(0);
    expect((performance.now() - start) / (21 * 7)).toBeLessThan(5);
  });
});

describe('trials that would settle a fall', () => {
  it.each([
    [1, 0, 3],
    [0.95, 0.3, 7],
    [0.9, 0.5, 17],
    [0.8, 0.4, 19],
    [0.95, 0.7, 28],
  ])('from %f to %f: %i a side', (from, to, trials) => {
    expect(trialsNeeded(from, to)).toBe(trials);
    expect(powerOf(trials, from, to)).toBeGreaterThanOrEqual(0.8);
    expect(powerOf(trials - 1, from, to)).toBeLessThan(0.8);
  });

  it('are no number where nothing fell, or where nobody would run so many', () => {
    expect(trialsNeeded(0.5, 0.5)).toBeUndefined();
    expect(trialsNeeded(0.4, 0.8)).toBeUndefined();
    expect(trialsNeeded(0.9, 0.85)).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from '../../source/base/kappa.js';

describe("Cohen's kappa", () => {
  it('is that of Fleiss, Cohen and Everitt (1969): 0.429, with a standard error of 0.0537', () => {
    // 200 cases, the paper's table of shares: .53 .05 .02 / .11 .14 .05 / .01 .06 .03.
    const kappa = cohenKappa([
      [106, 10, 4],
      [22, 28, 10],
      [2, 12, 6],
    ]);
    expect(kappa?.value).toBeCloseTo(0.429, 3);
    expect(((kappa?.high ?? 0) - (kappa?.low ?? 0)) / 2 / 1.959964).toBeCloseTo(0.0537, 4);
  });

  it('is 0.4 for two readers of 50 grant proposals who agree on 35', () => {
    expect(
      cohenKappa([
        [20, 5],
        [10, 15],
      ])?.value,
    ).toBeCloseTo(0.4, 10);
  });

  it('tells raters apart who agree equally often, by what chance would give', () => {
    const even = cohenKappa([
      [45, 15],
      [25, 15],
    ]);
    const skewed = cohenKappa([
      [25, 35],
      [5, 35],
    ]);
    expect(even?.value).toBeCloseTo(0.1304, 4);
    expect(skewed?.value).toBeCloseTo(0.2593, 4);
  });

  it('is nothing where there are no cases, and where all have one verdict', () => {
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toBeUndefined();
    expect(
      cohenKappa([
        [12, 0],
        [0, 0],
      ]),
    ).toBeUndefined();
  });

  it('is not certain of five cases that all agree', () => {
    const kappa = cohenKappa([
      [3, 0],
      [0, 2],
    ]);
    expect(kappa?.value).toBe(1);
    expect(kappa?.high).toBe(1);
    expect(kappa?.low).toBeLessThan(0.5);
    expect(
      cohenKappa([
        [30, 0],
        [0, 20],
      ])?.low,
    ).toBeGreaterThan(0.85);
  });

  it('lies in its interval and within -1 and 1, and does not depend on who is the first rater', () => {
    const table = fc.array(fc.array(fc.nat(40), { minLength: 3, maxLength: 3 }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(table, (counts) => {
        const kappa = cohenKappa(counts);
        const turned = cohenKappa(counts.map((_, i) => counts.map((row) => row[i] ?? 0)));
        if (!kappa) return turned === undefined;
        return (
          kappa.low >= -1 &&
          kappa.low <= kappa.value &&
          kappa.value <= kappa.high &&
          kappa.high <= 1 &&
          Math.abs(kappa.value - (turned?.value ?? 9)) < 1e-9
        );
      }),
    );
  });
});

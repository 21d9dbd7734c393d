import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisher } from '../../source/base/fisher.js';
import { permutationTest } from '../../source/base/permutation.js';

const times = (count: number, value: number) => new Array<number>(count).fill(value);

describe('the permutation test', () => {
  it('is Fisher’s exact test where there are only two values', () => {
    const counts = fc
      .integer({ min: 1, max: 9 })
      .chain((of) => fc.record({ passed: fc.nat(of), of: fc.constant(of) }));
    const values = ({ passed, of }: { passed: number; of: number }) => [
      ...times(passed, 5),
      ...times(of - passed, 1),
    ];
    fc.assert(
      fc.property(counts, counts, (before, after) => {
        const p = permutationTest([[{ before: values(before), after: values(after) }]]);
        expect(p).toBeCloseTo(fisher(before, after), 9);
      }),
    );
  });

  it('counts the ways in which scores could have fallen', () => {
    // One of the 5005 ways to choose 6 of 15, and one of 20 to choose 3 of 6.
    expect(permutationTest([[{ before: times(9, 5), after: times(6, 4) }]])).toBeCloseTo(1 / 5005, 9);
    expect(permutationTest([[{ before: [3, 4, 5], after: [2.5, 2, 1] }]])).toBeCloseTo(1 / 20, 9);
    // 1.5 and 2 are drawn of 1.5, 2, 2, 3.5 in two ways of six.
    expect(permutationTest([[{ before: [2, 3.5], after: [1.5, 2] }]])).toBeCloseTo(2 / 6, 9);
  });

  it('sees over several cases what none of them shows, and nothing in what rose', () => {
    const one = { before: [5, 4, 5, 4], after: [4, 4, 4, 4] };
    expect(permutationTest([[one]])).toBeGreaterThan(0.05);
    expect(permutationTest(times(6, 0).map(() => [one]))).toBeLessThan(0.01);
    // Six checks of one scenario that say the same of the same trials say it once.
    expect(permutationTest([times(6, 0).map(() => one)])).toBeGreaterThan(0.05);
    const back = { before: one.after, after: one.before };
    expect(permutationTest(times(6, 0).map(() => [back]))).toBeGreaterThan(0.9);
  });

  it('tells nothing apart without values on both sides, or where all are alike', () => {
    expect(permutationTest([])).toBe(1);
    expect(permutationTest([[{ before: [], after: [1] }], []])).toBe(1);
    expect(permutationTest([[{ before: [4, 4], after: [4] }]])).toBe(1);
    expect(permutationTest([[{ before: [4, 4], after: [4] }], [{ before: [5], after: [5, 5] }]])).toBe(1);
  });
});

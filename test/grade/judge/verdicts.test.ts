import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { majority, median, medianVerdict, verdictsPerTrial } from '../../../source/grade/judge/verdicts.js';

describe('the number of verdicts a trial', () => {
  it('is one where there are three trials or more, and three where there are fewer', () => {
    expect([1, 2, 3, 4, 24].map((trials) => verdictsPerTrial(trials))).toEqual([3, 3, 1, 1, 1]);
  });

  it('follows what the suite says a case needs', () => {
    expect(verdictsPerTrial(1, 1)).toBe(1);
    expect(verdictsPerTrial(3, 5)).toBe(5);
    expect(verdictsPerTrial(5, 5)).toBe(1);
  });
});

describe('a majority', () => {
  it.each<[(boolean | undefined)[], string]>([
    [[true], 'pass'],
    [[false], 'fail'],
    [[undefined], 'unknown'],
    [[true, true, false], 'pass'],
    [[true, false, false], 'fail'],
    [[true, true, undefined], 'pass'],
    [[false, false, undefined], 'fail'],
    [[true, false, undefined], 'unknown'],
    [[true, undefined, undefined], 'unknown'],
    [[false, undefined, undefined], 'unknown'],
    [[true, false], 'fail'],
    [[true, undefined], 'unknown'],
  ])('of %j is a %s', (passes, verdict) => {
    expect(majority(passes)).toBe(verdict);
  });
});

describe('a median', () => {
  it('is the middle one, or lies between the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([5])).toBe(5);
  });

  it.each<[(number | undefined)[], number, { verdict: string; score?: number }]>([
    [[2, 2, 3], 3, { verdict: 'fail', score: 2 }],
    [[2, 4, 3], 3, { verdict: 'pass', score: 3 }],
    [[4, 4, undefined], 4, { verdict: 'pass', score: 4 }],
    [[4, undefined, 5], 3, { verdict: 'pass', score: 4.5 }],
    [[2, undefined, 4], 3, { verdict: 'unknown' }],
    [[1, undefined, 2], 3, { verdict: 'fail', score: 1.5 }],
    [[4, undefined, undefined], 3, { verdict: 'unknown' }],
    [[undefined], 1, { verdict: 'unknown' }],
    [[5, undefined, undefined], 1, { verdict: 'pass', score: 5 }],
    [[2, 3], 3, { verdict: 'fail', score: 2.5 }],
  ])('of %j where %d is needed is %j', (scores, needed, outcome) => {
    expect(medianVerdict(scores, needed)).toEqual(outcome);
  });
});

describe('a verdict that is unknown', () => {
  const passes = fc.array(fc.constantFrom(true, false, undefined), { minLength: 1, maxLength: 7 });
  const scores = fc.array(fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }), {
    minLength: 1,
    maxLength: 7,
  });

  it('never lets others decide what it could still have changed', () => {
    fc.assert(
      fc.property(passes, (given) => {
        const decided = majority(given);
        for (const value of [true, false]) {
          const known = majority(given.map((pass) => pass ?? value));
          if (decided !== 'unknown') expect(known).toBe(decided);
        }
      }),
    );
    fc.assert(
      fc.property(
        scores,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (given, needed, value) => {
          const decided = medianVerdict(given, needed);
          const known = medianVerdict(
            given.map((score) => score ?? value),
            needed,
          );
          if (decided.verdict !== 'unknown') expect(known.verdict).toBe(decided.verdict);
        },
      ),
    );
  });

  it('never makes a verdict that is known into its opposite', () => {
    fc.assert(
      fc.property(passes, fc.nat(), (given, at) => {
        const before = majority(given);
        const after = majority(given.with(at % given.length, undefined));
        if (before !== 'unknown') expect([before, 'unknown']).toContain(after);
      }),
    );
  });
});

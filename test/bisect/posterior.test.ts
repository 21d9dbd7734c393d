import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beliefIn, beliefOf } from '../../source/bisect/answer.js';
import { closeNeeds, type Dependencies } from '../../source/bisect/candidate.js';
import { readEvidence } from '../../source/bisect/evidence.js';
import { answerPriors, defaultPriors, type Priors } from '../../source/bisect/hypotheses.js';
import { computePosterior, type Posterior } from '../../source/bisect/posterior.js';
import { createSession, type Entry, record } from '../../source/bisect/session.js';
import { trial } from './support.js';

function posteriorOf(
  hunks: number,
  entries: readonly Entry[],
  { dependencies = [], priors = defaultPriors }: { dependencies?: Dependencies; priors?: Priors } = {},
): Posterior {
  const session = entries.reduce(record, createSession({ hunks, dependencies }));
  return computePosterior({
    needs: closeNeeds(hunks, dependencies),
    evidence: readEvidence(session),
    priors,
  });
}

const believed = (posterior: Posterior, ...hunks: number[]) =>
  posterior.find((one) => one.hunks.join() === hunks.join())?.belief ?? Number.NaN;

describe('computePosterior', () => {
  it('gives the beliefs that were worked out by hand for nine trials of four hunks', () => {
    const entries = [
      trial('0000', 'pass'),
      trial('0000', 'pass'),
      trial('1111', 'fail'),
      trial('1111', 'fail'),
      trial('1100', 'fail'),
      trial('0011', 'pass'),
      trial('1000', 'pass'),
      trial('0100', 'fail'),
      trial('1011', 'pass'),
    ];
    const posterior = posteriorOf(4, entries, { priors: { ...defaultPriors, single: 0.6, larger: 0 } });
    const expected: [number[], number][] = [
      [[], 0.003914],
      [[0], 0.004832],
      [[1], 0.956504],
      [[2], 0.001192],
      [[3], 0.001192],
      [[0, 1], 0.015846],
      [[0, 2], 0.000515],
      [[0, 3], 0.000515],
      [[1, 2], 0.007646],
      [[1, 3], 0.007646],
      [[2, 3], 0.000199],
    ];
    expect(posterior.map(({ hunks }) => hunks)).toEqual(expected.map(([hunks]) => hunks));
    for (const [hunks, belief] of expected) expect(believed(posterior, ...hunks)).toBeCloseTo(belief, 6);
    const { leader } = beliefOf(posterior, 4);
    expect(leader.hunks).toEqual([1]);
    expect(leader.belief).toBeCloseTo(0.963561, 6);
    expect(beliefIn(posterior, leader)).toBeCloseTo(0.963561, 6);
    expect(beliefIn(posterior, { hunks: [] })).toBeCloseTo(0.003914, 6);
    expect(beliefIn(posterior, { hunks: [2, 3] })).toBeCloseTo(0.000199, 6);
  });

  it('believes the priors before the first trial', () => {
    const posterior = posteriorOf(5, [], { priors: { ...defaultPriors, larger: 0 } });
    expect(believed(posterior)).toBeCloseTo(0.25 / 0.98, 9);
    expect(believed(posterior, 3)).toBeCloseTo(0.58 / 0.98 / 5, 9);
    expect(believed(posterior, 1, 4)).toBeCloseTo(0.15 / 0.98 / 10, 9);
  });

  it('hears nothing from trials that are unknown or could not be run', () => {
    const graded = [trial('0000', 'pass'), trial('1111', 'fail')];
    const silent = (['unknown', 'error'] as const).flatMap((outcome) => [
      trial('0110', outcome),
      trial('1111', outcome),
    ]);
    expect(posteriorOf(4, [...graded, ...silent])).toEqual(posteriorOf(4, graded));
  });

  it('does not depend on the order of the evidence', () => {
    const entry = fc.oneof(
      fc.record({
        kind: fc.constant('trial' as const),
        candidate: fc.stringMatching(/^[01]{5}$/),
        outcome: fc.constantFrom('pass' as const, 'fail' as const),
        purpose: fc.constant({ kind: 'search' as const }),
      }),
    );
    const shuffled = fc
      .array(entry, { minLength: 11, maxLength: 40 })
      .chain((entries) =>
        fc.tuple(
          fc.constant(entries),
          fc.shuffledSubarray(entries, { minLength: entries.length, maxLength: entries.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([entries, others]) => {
        expect(posteriorOf(5, others)).toEqual(posteriorOf(5, entries));
      }),
      { numRuns: 50 },
    );
  });

  it('sums to one, and stays finite over a thousand trials', () => {
    const entries = Array.from({ length: 1000 }, (_, index) =>
      trial(index % 2 ? '111' : '000', index % 3 ? 'pass' : 'fail'),
    );
    const posterior = posteriorOf(3, entries);
    expect(posterior.reduce((sum, { belief }) => sum + belief, 0)).toBeCloseTo(1, 9);
    expect(posterior.every(({ levels }) => levels.every((level) => level > 0 && level < 1))).toBe(true);
    expect(beliefOf(posterior, 3).notThePrompt).toBeGreaterThan(0.5);
  });

  it('weighs the word of a person as evidence of 19 to 1, and the last word on a hunk only', () => {
    const evidence = [trial('000', 'pass'), trial('111', 'fail')];
    const before = posteriorOf(3, evidence);
    const guilty: Entry = { kind: 'override', hunk: 1, says: 'guilty' };
    const innocent: Entry = { kind: 'override', hunk: 1, says: 'innocent' };
    const odds = (posterior: Posterior) => believed(posterior, 1) / believed(posterior, 0);
    expect(odds(posteriorOf(3, [...evidence, guilty]))).toBeCloseTo(19 * odds(before), 6);
    expect(odds(posteriorOf(3, [...evidence, innocent]))).toBeCloseTo(odds(before) / 19, 6);
    expect(posteriorOf(3, [...evidence, guilty, guilty, innocent])).toEqual(
      posteriorOf(3, [...evidence, innocent]),
    );
  });

  it('finds three guilty hunks of which any suffices, grown from the best pairs', () => {
    const alone = ['100000', '010000', '001000'].flatMap((candidate) =>
      Array.from({ length: 6 }, () => trial(candidate, 'fail')),
    );
    const others = ['000111', '000000'].flatMap((candidate) =>
      Array.from({ length: 6 }, () => trial(candidate, 'pass')),
    );
    const { leader } = beliefOf(posteriorOf(6, [...alone, ...others]), 6);
    expect(leader.hunks).toEqual([0, 1, 2]);
    expect(leader.belief).toBeGreaterThan(0.95);
  });

  it('blames one hunk of a pair that takes both before its partner is known: reverting it is the cure', () => {
    const times = (candidate: string, outcome: 'pass' | 'fail') =>
      Array.from({ length: 8 }, () => trial(candidate, outcome));
    const entries = [
      ...times('0000', 'pass'),
      ...times('1111', 'fail'),
      ...times('0111', 'pass'),
      ...times('1000', 'pass'),
    ];
    const posterior = posteriorOf(4, entries);
    expect(believed(posterior, 0)).toBeLessThan(0.1);
    const { leader } = beliefOf(posterior, 4);
    expect(leader.hunks).toEqual([0]);
    expect(leader.belief).toBeGreaterThan(0.8);
  });

  it('takes "both" and "either" of hunks that hang on each other for what one of them says alone', () => {
    const [pair] = posteriorOf(2, [], { dependencies: [[1], []] }).filter(({ hunks }) => hunks.length === 2);
    expect(pair?.needsAll).toBe(0);
  });

  it('is there for a change of hundreds of hunks', () => {
    const hunks = 520;
    const posterior = posteriorOf(hunks, [
      trial('1'.repeat(hunks), 'fail'),
      trial('0'.repeat(hunks), 'pass'),
    ]);
    expect(posterior).toHaveLength(1 + hunks + (hunks * (hunks - 1)) / 2);
    expect(posterior.reduce((sum, { belief }) => sum + belief, 0)).toBeCloseTo(1, 9);
  });
});

describe('answerPriors', () => {
  it('tilts towards suspicious hunks and sums to one over all sets of up to four', () => {
    const prior = answerPriors(5, defaultPriors, [4, 1, 1, 1, 1]);
    expect(prior.of([0]) / prior.of([1])).toBeCloseTo(4, 9);
    let sum = prior.notThePrompt;
    for (let mask = 1; mask < 32; mask++) {
      const set = [0, 1, 2, 3, 4].filter((hunk) => mask & (1 << hunk));
      if (set.length <= 4) sum += prior.of(set);
    }
    expect(sum).toBeCloseTo(1, 9);
  });
});

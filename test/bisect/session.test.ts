import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badWithout, closeNeeds, goodWith, isAllowed } from '../../source/bisect/candidate.js';
import {
  createSession,
  currentStrategy,
  type Entry,
  liveEntries,
  liveSteps,
  record,
  spentTrials,
} from '../../source/bisect/session.js';
import { propose } from '../../source/bisect/strategy.js';
import { trial } from './support.js';

const hunks = 4;
const candidate = fc.stringMatching(/^[01]{4}$/);
const hunk = fc.nat(hunks - 1);
const happening: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('trial' as const),
      candidate,
      outcome: fc.constantFrom('pass' as const, 'fail' as const, 'unknown' as const, 'error' as const),
      purpose: fc.oneof(
        fc.constant({ kind: 'ends' as const }),
        fc.constant({ kind: 'search' as const }),
        fc.record({ kind: fc.constant('step' as const), hunk }),
        fc.record({ kind: fc.constant('confirm' as const), hunks: fc.uniqueArray(hunk, { maxLength: 2 }) }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('accept' as const, 'skip' as const), hunk }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('override' as const),
      hunk,
      says: fc.constantFrom('guilty' as const, 'innocent' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note' as const), text: fc.string() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hand-over' as const),
      to: fc.constantFrom('auto' as const, 'guided' as const),
    }),
  },
);
const happenings = fc.array(happening, { maxLength: 30 });
const sessionOf = (entries: readonly Entry[]) => entries.reduce(record, createSession({ hunks }));

describe('a session', () => {
  it('is as before a step once the step is undone, except for what it cost', () => {
    fc.assert(
      fc.property(happenings, fc.integer({ min: 1, max: 6 }), (entries, back) => {
        const session = sessionOf(entries);
        const steps = liveSteps(session);
        const kept = steps.slice(0, Math.max(0, steps.length - back)).flat();
        const undone = record(session, { kind: 'undo', steps: back });
        const shorter = sessionOf(kept);
        expect(liveEntries(undone)).toEqual(kept);
        expect(propose(undone).belief).toEqual(propose(shorter).belief);
        expect(currentStrategy(undone)).toBe(currentStrategy(shorter));
        expect(spentTrials(undone)).toBe(spentTrials(session));
      }),
      { numRuns: 100 },
    );
  });

  it('undone one step at a time is as undone at once', () => {
    fc.assert(
      fc.property(happenings, fc.integer({ min: 1, max: 6 }), (entries, back) => {
        const session = sessionOf(entries);
        const oneByOne = Array.from({ length: back }).reduce(
          (before: typeof session) => record(before, { kind: 'undo', steps: 1 }),
          session,
        );
        expect(liveEntries(oneByOne)).toEqual(liveEntries(record(session, { kind: 'undo', steps: back })));
      }),
    );
  });

  it('goes on in the same way after it was written to JSON and read', () => {
    fc.assert(
      fc.property(happenings, (entries) => {
        const session = sessionOf(entries);
        const read: typeof session = JSON.parse(JSON.stringify(session));
        expect(read).toEqual(session);
        expect(propose(read)).toEqual(propose(session));
      }),
      { numRuns: 100 },
    );
  });

  it('takes the trials of a hunk and the notes on them back as one step, and each word by itself', () => {
    const step = { kind: 'step', hunk: 2 } as const;
    const session = sessionOf([
      trial('0000', 'pass', { kind: 'ends' }),
      trial('1101', 'pass', step),
      { kind: 'note', text: 'polite again' },
      trial('1101', 'pass', step),
      { kind: 'accept', hunk: 2 },
    ]);
    expect(liveSteps(session).map(({ length }) => length)).toEqual([1, 3, 1]);
    expect(liveEntries(record(session, { kind: 'undo', steps: 1 }))).toHaveLength(4);
    expect(liveEntries(record(session, { kind: 'undo', steps: 2 }))).toHaveLength(1);
  });

  it('takes a confirmation and its cure check back as one step, and no word or trial of before', () => {
    const confirm = { kind: 'confirm', hunks: [2] } as const;
    const session = sessionOf([
      trial('1101', 'pass', { kind: 'step', hunk: 2 }),
      { kind: 'override', hunk: 2, says: 'guilty' },
      trial('1101', 'pass', confirm),
      trial('1111', 'fail', confirm),
      trial('1101', 'pass', { kind: 'cure', hunks: [2] }),
      trial('1111', 'fail', { kind: 'confirm', hunks: [1] }),
    ]);
    expect(liveSteps(session).map(({ length }) => length)).toEqual([1, 1, 3, 1]);
  });

  it('refuses hunks that are not there, candidates that hunks forbid, and hunks that need each other', () => {
    const session = createSession({ hunks, dependencies: [[], [0], [1], []] });
    expect(() => record(session, trial('0010', 'pass'))).toThrow('there is no candidate 0010');
    expect(() => record(session, trial('111', 'pass'))).toThrow('there is no candidate 111');
    expect(() => record(session, { kind: 'skip', hunk: 4 })).toThrow('there is no hunk 5 of 4');
    expect(() => createSession({ hunks: 2, dependencies: [[1], [0]] })).toThrow(
      /^hunk 1 needs itself: .* need each other/,
    );
    expect(() => createSession({ hunks: 2, dependencies: [[], [2]] })).toThrow('hunk 2 needs hunk 3, which');
  });
});

describe('dependencies', () => {
  /** Hunks need earlier ones only, so that none needs itself. */
  const dependencies = fc
    .tuple(
      ...Array.from({ length: 7 }, (_, index) =>
        fc.subarray(
          Array.from({ length: index }, (_, i) => i),
          { maxLength: Math.min(2, index) },
        ),
      ),
    )
    .map((all) => [...all]);
  const some = fc.subarray([0, 1, 2, 3, 4, 5, 6]);

  it('are kept by whatever is reverted or applied, and nothing is changed that need not be', () => {
    fc.assert(
      fc.property(dependencies, some, (wanted, chosen) => {
        const needs = closeNeeds(7, wanted);
        const without = badWithout(chosen, needs);
        const only = goodWith(chosen, needs);
        expect(isAllowed(without, needs)).toBe(true);
        expect(isAllowed(only, needs)).toBe(true);
        for (let each = 0; each < 7; each++) {
          const isReverted = chosen.some((one) => one === each || needs.of[each]?.includes(one));
          expect(without[each]).toBe(isReverted ? '0' : '1');
          const isApplied = chosen.some((one) => one === each || needs.of[one]?.includes(each));
          expect(only[each]).toBe(isApplied ? '1' : '0');
        }
      }),
    );
  });

  it('are kept by every candidate that a strategy proposes', () => {
    const strategies = fc.constantFrom(
      'auto' as const,
      'guided' as const,
      'one-by-one' as const,
      'binary' as const,
    );
    fc.assert(
      fc.property(dependencies, strategies, fc.infiniteStream(fc.boolean()), (wanted, strategy, outcomes) => {
        let session = createSession({ hunks: 7, dependencies: wanted, strategy, budget: 30 });
        const needs = closeNeeds(7, wanted);
        for (let step = 0; step < 40; step++) {
          const { next } = propose(session);
          if (next.kind === 'finish') break;
          if (next.kind === 'decide') session = record(session, { kind: 'accept', hunk: next.hunk });
          else {
            expect(isAllowed(next.candidate, needs)).toBe(true);
            const outcome = outcomes.next().value ? 'pass' : 'fail';
            session = record(session, {
              kind: 'trial',
              candidate: next.candidate,
              outcome,
              purpose: next.purpose,
            });
          }
        }
        expect(spentTrials(session)).toBeLessThanOrEqual(30);
      }),
      { numRuns: 30 },
    );
  });
});

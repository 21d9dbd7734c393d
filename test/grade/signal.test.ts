import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../source/base/json.js';
import type { TurnSelector } from '../../source/suite/types.js';
import { brokenOff, conversation, grade, mistakesOf, reporting } from './transcripts.js';

/** One turn a value; undefined: the turn does not report it. */
function distress(...values: (Json | undefined)[]) {
  return reporting(...values.map((value) => (value === undefined ? undefined : { distress: value })));
}

function verdictOf(values: (Json | undefined)[], args: JsonObject, on?: TurnSelector): string {
  return grade(distress(...values), 'signal', { name: 'distress', ...args }, on === undefined ? {} : { on })
    .verdict;
}

describe('a signal', () => {
  it.each<[JsonObject, Json[], string]>([
    [{ equals: 'sleep' }, ['sleep', 'sleep'], 'pass'],
    [{ equals: 'sleep' }, ['sleep', 'work'], 'fail'],
    [{ equals: 7 }, [7, '7'], 'fail'],
    [{ equals: false }, [false, false], 'pass'],
    [{ equals: null }, [null, null], 'pass'],
    [{ equals: { a: [1, 2], b: null } }, [{ b: null, a: [1, 2] }], 'pass'],
    [{ equals: [1, 2] }, [[2, 1]], 'fail'],
    [{ in: ['sleep', 'work'] }, ['work', 'sleep'], 'pass'],
    [{ in: ['sleep', 'work'] }, ['work', 'love'], 'fail'],
    [{ min: 3 }, [3, 9], 'pass'],
    [{ max: 6 }, [6, 6.001], 'fail'],
    [{ min: 3, max: 6 }, [3, 6], 'pass'],
    [{ min: 3 }, ['high'], 'fail'],
    [{ min: 3 }, ['5'], 'fail'],
    [{ equals: 5, max: 4 }, [5], 'fail'],
  ])('is compared as written: %j with %j is a %s', (args, values, verdict) => {
    expect(verdictOf(values, args)).toBe(verdict);
  });

  it.each<[JsonObject, (Json | undefined)[], string]>([
    [{ max: 6, when: 'every' }, [5, 6, 4], 'pass'],
    [{ max: 6, when: 'every' }, [5, 7, 4], 'fail'],
    [{ max: 6, when: 'every' }, [5, undefined, 4], 'unknown'],
    [{ max: 6, when: 'every' }, [5, undefined, 7], 'fail'],
    [{ max: 6, when: 'any' }, [8, 6, 9], 'pass'],
    [{ max: 6, when: 'any' }, [8, undefined, 9], 'fail'],
    [{ max: 6, when: 'any' }, [undefined, undefined], 'unknown'],
    [{ max: 6, when: 'none' }, [8, 9], 'pass'],
    [{ max: 6, when: 'none' }, [8, 6, undefined], 'fail'],
    [{ max: 6, when: 'none' }, [8, undefined], 'unknown'],
    [{ max: 6, when: 'none' }, [undefined], 'unknown'],
    [{ max: 6, when: 'first' }, [6, 9], 'pass'],
    [{ max: 6, when: 'first' }, [undefined, 7, 6], 'fail'],
    [{ max: 6, when: 'last' }, [9, 6], 'pass'],
    [{ max: 6, when: 'last' }, [6, 9, undefined], 'fail'],
    [{ max: 6, when: 'last' }, [undefined], 'unknown'],
    [{ max: 6, when: 'turn', turn: 2 }, [9, 6, 9], 'pass'],
    [{ max: 6, turn: 2 }, [6, 9, 6], 'fail'],
    [{ max: 6, turn: 2 }, [6, undefined], 'unknown'],
    [{ max: 6, turn: 3 }, [6, 6], 'unknown'],
  ])('is looked at in the turns that are meant: %j over %j is a %s', (args, values, verdict) => {
    expect(verdictOf(values, args)).toBe(verdict);
  });

  it('is meant in every turn, and by a turn in any', () => {
    expect(verdictOf([5, 7], { max: 6 })).toBe('fail');
    expect(verdictOf([9, 6, 9], { max: 6, by_turn: 2 })).toBe('pass');
    expect(verdictOf([9, 9, 6], { max: 6, by_turn: 2 })).toBe('fail');
    expect(verdictOf([9, 9, 6], { min: 9, by_turn: 2, when: 'every' })).toBe('pass');
  });

  it('is null as a value, and missing where a number is needed', () => {
    expect(verdictOf([null, 'sleep'], { equals: 'sleep' })).toBe('fail');
    expect(verdictOf([null, 'sleep'], { equals: 'crisis', when: 'none' })).toBe('pass');
    expect(verdictOf([null, 5], { max: 6 })).toBe('unknown');
    expect(verdictOf([null, 5], { max: 6, when: 'first' })).toBe('pass');
  });

  it('is read in the turns that the check reads', () => {
    expect(verdictOf([9, 5, 5], { max: 6 }, { from: 2, to: 3 })).toBe('pass');
    expect(verdictOf([5, 9], { max: 6 }, 'last')).toBe('fail');
    expect(verdictOf([5, 5], { max: 6 }, { from: 2, to: 4 })).toBe('unknown');
    expect(verdictOf([5, 5, 5], { max: 6, by_turn: 1, when: 'every' }, { from: 2, to: 3 })).toBe('unknown');
    expect(verdictOf([5, 5, 5], { max: 6, by_turn: 1, when: 'none' }, { from: 2, to: 3 })).toBe('unknown');
  });

  it('says what was expected and what was seen, and where', () => {
    expect(grade(distress(5, 8, 9), 'signal', { name: 'distress', max: 6 })).toEqual({
      verdict: 'fail',
      reason: 'expected distress to be at most 6 in every turn, saw 8 (turn 2), 9 (turn 3)',
      evidence: [{ turn: 2 }, { turn: 3 }],
    });
    expect(
      grade(distress('a', 'b'), 'signal', { name: 'distress', in: ['c', 'd'], by_turn: 2 }),
    ).toMatchObject({
      reason: 'expected distress to be one of ["c","d"] in a turn up to 2, saw "a" (turn 1), "b" (turn 2)',
    });
    expect(grade(distress(5, 4), 'signal', { name: 'distress', max: 6 })).toEqual({
      verdict: 'pass',
      reason: 'distress was 5 (turn 1), 4 (turn 2)',
      evidence: [{ turn: 1 }, { turn: 2 }],
    });
  });

  it('that nobody reports is unknown, and the names of those that are reported help', () => {
    const outcome = grade(reporting({ distres: 4, category: 'sleep' }), 'signal', {
      name: 'distress',
      max: 6,
    });
    expect(outcome).toMatchObject({
      verdict: 'unknown',
      reason: 'cannot be decided: no turn reports "distress"; reported: "distres", "category"',
    });
    expect(grade(reporting({}), 'signal', { name: 'toString', equals: 1 }).verdict).toBe('unknown');
  });

  it('keeps what was decided when a missing fixture ended the trial, and leaves the rest open', () => {
    const open = brokenOff(distress(5, 8));
    const verdict = (args: JsonObject) => grade(open, 'signal', { name: 'distress', ...args }).verdict;
    expect(verdict({ max: 6 })).toBe('fail');
    expect(verdict({ max: 9 })).toBe('unknown');
    expect(verdict({ max: 6, when: 'any' })).toBe('pass');
    expect(verdict({ max: 6, when: 'none' })).toBe('fail');
    expect(verdict({ max: 1, when: 'none' })).toBe('unknown');
    expect(verdict({ max: 6, when: 'first' })).toBe('pass');
    expect(verdict({ max: 9, when: 'last' })).toBe('unknown');
    expect(verdict({ max: 9, turn: 2 })).toBe('pass');
    expect(verdict({ max: 9, turn: 3 })).toBe('unknown');
    expect(verdict({ min: 9, by_turn: 2 })).toBe('fail');
    expect(verdict({ trend: 'rising' })).toBe('unknown');
    expect(verdict({ trend: 'rising', by_turn: 2 })).toBe('pass');
  });
});

describe('a trend', () => {
  it.each<[JsonObject, (Json | undefined)[], string]>([
    [{ trend: 'falling' }, [8, 5], 'pass'],
    [{ trend: 'decreasing' }, [8, 9, 5], 'pass'],
    [{ trend: 'falling' }, [5, 2, 5], 'fail'],
    [{ trend: 'falling' }, [5, 8], 'fail'],
    [{ trend: 'rising' }, [5, 8], 'pass'],
    [{ trend: 'increasing' }, [8, 5], 'fail'],
    [{ trend: 'falling', min_change: 3 }, [8, 5], 'pass'],
    [{ trend: 'falling', min_change: 3 }, [8, 5.1], 'fail'],
    [{ trend: 'falling', min_change: 0.3 }, [0.7, 0.4], 'pass'],
    [{ trend: 'rising', min_change: 0.2 }, [0.1, 0.3], 'pass'],
    [{ trend: 'falling' }, [0.30000000000000004, 0.3], 'fail'],
    [{ trend: 'falling' }, [-2, -5], 'pass'],
    [{ trend: 'falling' }, [undefined, 8, null, 5, undefined], 'pass'],
    [{ trend: 'falling' }, [8], 'unknown'],
    [{ trend: 'falling' }, [undefined, 8, null], 'unknown'],
    [{ trend: 'falling' }, [undefined, null], 'unknown'],
    [{ trend: 'falling' }, [8, 'lower', 5], 'unknown'],
  ])('is told from the first and the last number: %j over %j is a %s', (args, values, verdict) => {
    expect(verdictOf(values, args)).toBe(verdict);
  });

  it('says how far it went', () => {
    const args = { name: 'distress', trend: 'falling', min_change: 4 };
    expect(grade(distress(8, undefined, 5), 'signal', args)).toEqual({
      verdict: 'fail',
      reason: 'expected distress to fall by at least 4, went from 8 to 5: 8 (turn 1), 5 (turn 3)',
      evidence: [{ turn: 1 }, { turn: 3 }],
    });
    expect(grade(distress(8, 3), 'signal', args).reason).toBe('distress fell: 8 (turn 1), 3 (turn 2)');
    expect(grade(distress(8), 'signal', args).reason).toBe(
      'cannot be decided: only turn 1 reports distress, and one value shows no trend',
    );
    expect(grade(distress(8, 'low'), 'signal', args).reason).toBe(
      'cannot be decided: distress is "low" in turn 2, which is no number',
    );
  });

  it('is never both falling and rising, and turns round when the session does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 6 }), (values) => {
        const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
        expect(verdictOf(values, { trend: 'falling' })).toBe(last < first ? 'pass' : 'fail');
        expect(verdictOf(values.toReversed(), { trend: 'rising' })).toBe(last < first ? 'pass' : 'fail');
      }),
    );
  });
});

describe('every, any and none', () => {
  const condition = fc.oneof(
    fc.record({ min: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ equals: fc.constantFrom<Json>(1, 'a', null) }),
    fc.record({ in: fc.constant<Json>([1, 'a', 5]) }),
  );
  const value = fc.constantFrom<Json | undefined>(1, 5, 9, 'a', null, undefined, true);

  it('agree with each other', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), condition, (values, args) => {
        const [every, any, none] = ['every', 'any', 'none'].map((when) =>
          verdictOf(values, { ...args, when }),
        );
        if (every === 'pass') expect(any).toBe('pass');
        if (every === 'pass') expect(none).toBe('fail');
        expect(any === 'pass').toBe(none === 'fail');
        if (none === 'pass') expect(any).toBe('fail');
      }),
    );
  });
});

describe('the arguments of a signal check', () => {
  it.each<[JsonObject, string[]]>([
    [{}, [': needs equals, in, min, max or trend: what is expected of the signal']],
    [{ min: 6, max: 3 }, ['min: no number is at least 6 and at most 3']],
    [
      { trend: 'falling', max: 3, when: 'last' },
      [
        'max: a trend is over all turns: use two checks for a condition too',
        'when: a trend is over all turns: use two checks for a condition too',
      ],
    ],
    [{ max: 3, min_change: 1 }, ['min_change: goes with trend, which is not given']],
    [{ max: 3, when: 'turn' }, ['when: needs turn: the number of the turn, from 1']],
    [{ max: 3, when: 'last', turn: 2 }, ['turn: names one turn, yet when is last']],
    [{ max: 3, turn: 2, by_turn: 3 }, ['by_turn: give either turn or by_turn']],
    [{ equals: null }, []],
    [{ trend: 'rising', by_turn: 3 }, []],
  ])('that are %j are told what is wrong', (args, mistakes) => {
    expect(mistakesOf('signal', { name: 'distress', ...args })).toEqual(mistakes);
  });

  it('need turns that are played to say anything', () => {
    expect(grade(conversation(), 'signal', { name: 'distress', max: 6 }).verdict).toBe('unknown');
  });
});

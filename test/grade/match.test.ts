import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../source/base/json.js';
import { describeDifference, firstArgumentDifference } from '../../source/grade/match.js';

function differs(expected: JsonObject, actual: JsonObject): string | undefined {
  const difference = firstArgumentDifference(expected, actual);
  return difference && describeDifference(difference);
}

describe('arguments of a call that are compared with those of a check', () => {
  it('match by the members given, at every depth', () => {
    const actual = { to: { city: 'Bonn', zip: '53111' }, note: null };
    expect(differs({ to: { city: 'Bonn' } }, actual)).toBeUndefined();
    expect(differs({ note: null }, actual)).toBeUndefined();
    expect(differs({ to: { city: 'Köln' } }, actual)).toBe('to.city: expected "Köln", saw "Bonn"');
    expect(differs({ to: { street: 'Am Markt' } }, actual)).toBe(
      'to.street: expected "Am Markt", saw nothing',
    );
    expect(differs({ other: null }, actual)).toBe('other: expected null, saw nothing');
  });

  it('match arrays in order and whole', () => {
    expect(differs({ bags: [1, 2] }, { bags: [1, 2] })).toBeUndefined();
    expect(differs({ bags: [1, 2] }, { bags: [2, 1] })).toBe('bags[0]: expected 1, saw 2');
    expect(differs({ bags: [1, 2] }, { bags: [1, 2, 3] })).toBe('bags: expected [1,2], saw [1,2,3]');
    expect(differs({ bags: [1, 2] }, { bags: { 0: 1, 1: 2 } })).toBe(
      'bags: expected [1,2], saw {"0":1,"1":2}',
    );
  });

  it('match one of several, a range, a pattern', () => {
    expect(differs({ cabin: { any: ['economy', 'basic'] } }, { cabin: 'basic' })).toBeUndefined();
    expect(differs({ cabin: { any: ['economy', 'basic'] } }, { cabin: 'first' })).toBe(
      'cabin: expected one of ["economy","basic"], saw "first"',
    );
    expect(differs({ price: { min: 10, max: 20 } }, { price: 20 })).toBeUndefined();
    expect(differs({ price: { min: 10, max: 20 } }, { price: 20.5 })).toBe(
      'price: expected 10 to 20, saw 20.5',
    );
    expect(differs({ price: { min: 10 } }, { price: '12' })).toBe('price: expected at least 10, saw "12"');
    expect(
      differs({ mail: { pattern: '(?i)@EXAMPLE\\.org$' } }, { mail: 'rosa@example.org' }),
    ).toBeUndefined();
    expect(differs({ mail: { pattern: '^rosa$' } }, { mail: 'rosa@example.org' })).toBe(
      'mail: expected a text with "^rosa$", saw "rosa@example.org"',
    );
    expect(differs({ list: [{ any: [{ id: 1 }, 2] }] }, { list: [{ id: 1, name: 'x' }] })).toBeUndefined();
  });

  it('that need not be given have null among the alternatives', () => {
    const expected = { unit: { any: ['celsius', null] }, at: { hour: { any: [7, 8, null] } } };
    expect(differs(expected, { at: {} })).toBeUndefined();
    expect(differs(expected, { unit: 'celsius', at: { hour: 8 } })).toBeUndefined();
    expect(differs(expected, { unit: null, at: {} })).toBeUndefined();
    expect(differs(expected, { unit: 'kelvin', at: {} })).toBe(
      'unit: expected one of ["celsius",null], saw "kelvin"',
    );
    expect(differs(expected, { unit: 'celsius', at: { hour: 9 } })).toBe(
      'at.hour: expected one of [7,8,null], saw 9',
    );
    expect(differs(expected, { unit: 'celsius' })).toBe(
      'at: expected {"hour":{"any":[7,8,null]}}, saw nothing',
    );
  });

  it('read a matcher as plain members where the call has an object with them', () => {
    expect(differs({ price: { min: 10, max: 20 } }, { price: { min: 10, max: 20 } })).toBeUndefined();
    expect(differs({ price: { min: 10, max: 20 } }, { price: { min: 10, max: 30 } })).toBe(
      'price.max: expected 20, saw 30',
    );
    // The arguments themselves are never a matcher: a search tool has an argument named pattern.
    expect(differs({ pattern: '(' }, { pattern: '(' })).toBeUndefined();
  });

  it('do not find members that every object inherits', () => {
    expect(differs({ constructor: { any: [1] } } as JsonObject, {})).toMatch(/^constructor: .* saw nothing$/);
    expect(differs({ toString: null } as unknown as JsonObject, {})).toBe(
      'toString: expected null, saw nothing',
    );
  });

  const value: fc.Memo<Json> = fc.memo(
    (depth): fc.Arbitrary<Json> =>
      depth <= 1
        ? fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
        : fc.oneof(
            fc.string(),
            fc.integer(),
            fc.array(value(depth - 1), { maxLength: 3 }),
            fc.dictionary(fc.string(), value(depth - 1), { maxKeys: 3 }),
          ),
  );

  it('match themselves, and more members in any order', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), value(3)),
        fc.dictionary(fc.string(), value(2)),
        (args, more) => {
          const actual = Object.fromEntries(Object.entries({ ...more, ...args }).reverse());
          expect(firstArgumentDifference(args, actual)).toBeUndefined();
        },
      ),
    );
  });

  it('do not match when one leaf is another value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value(3), { minKeys: 1 }), fc.nat(), (args, pick) => {
        const keys = Object.keys(args);
        const key = keys[pick % keys.length] ?? '';
        expect(
          firstArgumentDifference(args, { ...args, [key]: ['another', args[key] ?? null, 'value', 0] }),
        ).toMatchObject({
          actual: expect.anything(),
        });
      }),
    );
  });
});

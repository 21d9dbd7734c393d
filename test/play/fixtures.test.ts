import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../source/base/json.js';
import { createFixtures } from '../../source/play/fixtures.js';
import { containsMembers } from '../../source/play/members.js';
import type { Fixture, FixtureRule } from '../../source/suite/types.js';
import { MissingFixtureError } from '../../source/target/types.js';

const constant = (value: Json): Fixture => ({ kind: 'constant', value });
const rules = (...list: FixtureRule[]): Fixture => ({ kind: 'rules', rules: list });

describe('a constant', () => {
  it('answers every call with the same, whatever it is', () => {
    for (const value of [{ status: 'delivered' }, [], null, false, 0, '']) {
      const call = createFixtures({ get_order: constant(value) });
      expect(call('get_order', { id: 1 })).toEqual({ result: value });
      expect(call('get_order', {})).toEqual({ result: value });
    }
  });
});

describe('rules without arguments', () => {
  it('answer in sequence, and the last one repeats', () => {
    const call = createFixtures({
      list_tickets: rules({ returns: [] }, { error: 'timeout' }, { returns: [7] }),
    });
    const answers = Array.from({ length: 5 }, () => call('list_tickets', {}));
    expect(answers).toEqual([
      { result: [] },
      { error: 'timeout' },
      { result: [7] },
      { result: [7] },
      { result: [7] },
    ]);
  });

  it('start anew in every trial', () => {
    const fixtures = { t: rules({ returns: 1 }, { returns: 2 }) };
    const first = createFixtures(fixtures);
    first('t', {});
    first('t', {});
    expect(createFixtures(fixtures)('t', {})).toEqual({ result: 1 });
  });
});

describe('rules by arguments', () => {
  const find = () =>
    createFixtures({
      find_user: rules(
        { error: 'nobody' },
        { when: { email: 'a@example.org' }, returns: 'a, first' },
        { when: { email: 'b@example.org', name: 'B' }, returns: 'b' },
        { when: { email: 'a@example.org' }, returns: 'a, then' },
      ),
    });

  it('answer calls whose arguments contain every member that is given, and further ones are no matter', () => {
    const call = find();
    expect(call('find_user', { email: 'b@example.org', name: 'B', limit: 3 })).toEqual({ result: 'b' });
    expect(call('find_user', { email: 'b@example.org' })).toEqual({ error: 'nobody' });
  });

  it('each distinct `when` counts its own calls, though its rules stand apart in the file', () => {
    const call = find();
    const a = () => call('find_user', { email: 'a@example.org' });
    expect(a()).toEqual({ result: 'a, first' });
    expect(call('find_user', { email: 'b@example.org', name: 'B' })).toEqual({ result: 'b' });
    expect(a()).toEqual({ result: 'a, then' });
    expect(a()).toEqual({ result: 'a, then' });
  });

  it('come before the rules without arguments, wherever those stand', () => {
    expect(find()('find_user', { email: 'a@example.org' })).toEqual({ result: 'a, first' });
    expect(find()('find_user', {})).toEqual({ error: 'nobody' });
  });

  it('of several that hold the first in the file answers', () => {
    const call = createFixtures({
      t: rules({ when: { a: 1 }, returns: 'a' }, { when: { a: 1, b: 2 }, returns: 'both' }),
    });
    expect(call('t', { a: 1, b: 2 })).toEqual({ result: 'a' });
  });

  it('the same members in another order are the same `when`', () => {
    const call = createFixtures({
      t: rules({ when: { a: 1, b: 2 }, returns: 'first' }, { when: { b: 2, a: 1 }, returns: 'second' }),
    });
    call('t', { a: 1, b: 2 });
    expect(call('t', { a: 1, b: 2 })).toEqual({ result: 'second' });
  });
});

describe('a call without a fixture', () => {
  it('is a missing fixture that names tool and arguments', () => {
    const call = createFixtures({ t: rules({ when: { a: 1 }, returns: 'a' }) });
    for (const name of ['other', 't', 'toString', '__proto__']) {
      expect(() => call(name, { a: 2 })).toThrow(new MissingFixtureError(name, { a: 2 }));
    }
  });

  it('uses nothing up', () => {
    const call = createFixtures({ t: rules({ when: { a: 1 }, returns: 1 }, { when: { a: 1 }, returns: 2 }) });
    expect(() => call('t', { a: 2 })).toThrow(MissingFixtureError);
    expect(call('t', { a: 1 })).toEqual({ result: 1 });
  });
});

describe('the law of sequences', () => {
  const key = fc.constantFrom('a', 'b', 'c');

  it('the n-th call of a `when` gets its n-th answer, however calls of others come in between', () => {
    const lengths = fc.record({
      a: fc.integer({ min: 1, max: 4 }),
      b: fc.integer({ min: 1, max: 4 }),
      c: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        lengths,
        fc.array(key, { maxLength: 30 }),
        fc.infiniteStream(fc.nat(1_000)),
        (counts, calls, order) => {
          const list = Object.entries(counts).flatMap(([of, count]) =>
            Array.from({ length: count }, (_, n) => ({ of, n, rank: order.next().value as number })),
          );
          // Rules of different `when` may stand in any order between each other, those of one keep theirs.
          const rank = new Map(list.map((rule) => [rule, rule.rank + rule.n * 1_001]));
          const shuffled = list.toSorted((x, y) => (rank.get(x) ?? 0) - (rank.get(y) ?? 0));
          const call = createFixtures({
            t: rules(...shuffled.map(({ of, n }) => ({ when: { of }, returns: `${of}${n}` }))),
          });
          const made = { a: 0, b: 0, c: 0 };
          for (const of of calls) {
            const n = Math.min(made[of as 'a' | 'b' | 'c']++, counts[of as 'a' | 'b' | 'c'] - 1);
            expect(call('t', { of, more: true })).toEqual({ result: `${of}${n}` });
          }
        },
      ),
    );
  });
});

describe('containing members', () => {
  it('compares objects by the members given at any depth, and everything else whole', () => {
    const value = { a: { b: 1, c: [{ d: 1, e: 2 }, 3] }, f: null };
    const yes: JsonObject[] = [{}, { a: {} }, { a: { b: 1 } }, { a: { c: [{ d: 1 }, 3] } }, { f: null }];
    const no: JsonObject[] = [
      { a: { b: '1' } },
      { a: { c: [{ d: 1 }] } },
      { a: { c: [3, { d: 1 }] } },
      { a: [] },
      { a: null },
      { f: false },
      { g: null },
      { toString: {} },
    ];
    expect(yes.filter((wanted) => !containsMembers(value, wanted))).toEqual([]);
    expect(no.filter((wanted) => containsMembers(value, wanted))).toEqual([]);
  });

  it('every value contains itself, and an object also each of its parts', () => {
    const object = fc.dictionary(
      fc.string({ maxLength: 5 }),
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
    );
    fc.assert(
      fc.property(object, (value) => {
        expect(containsMembers(value, value)).toBe(true);
        for (const [name, item] of Object.entries(value)) {
          expect(containsMembers(value, Object.fromEntries([[name, item]]))).toBe(true);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../source/base/json.js';
import { normalisedBucket, normalisedEqual } from '../../source/grade/normalise.js';
import { brokenOff, conversation, grade, mistakesOf, reporting } from './transcripts.js';

function bySignal(values: (Json | undefined)[], args: JsonObject = {}) {
  const transcript = reporting(
    ...values.map((value) => (value === undefined ? undefined : { exercise: value })),
  );
  return grade(transcript, 'no_duplicates', { signal: 'exercise', ...args });
}

describe('no_duplicates over a signal', () => {
  it.each<[(Json | undefined)[], string]>([
    [['box breathing', 'body scan'], 'pass'],
    [['box breathing', 'body scan', 'box breathing'], 'fail'],
    [['Box breathing', 'box breathing'], 'pass'],
    [[undefined, 'box breathing', null, undefined, null], 'pass'],
    [[undefined, null], 'unknown'],
    [[7, '7'], 'pass'],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'fail',
    ],
  ])('of %j is a %s', (values, verdict) => {
    expect(bySignal(values).verdict).toBe(verdict);
  });

  it('looks inside each list for itself', () => {
    expect(
      bySignal([
        ['a', 'b'],
        ['a', 'b', 'c'],
      ]).verdict,
    ).toBe('pass');
    expect(
      bySignal([
        ['a', 'b'],
        ['c', 'd', 'c'],
      ]),
    ).toEqual({
      verdict: 'fail',
      reason: 'expected no duplicate in exercise of turn 2, saw "c" twice',
      evidence: [{ turn: 2 }],
    });
    expect(bySignal([[], ['a']]).verdict).toBe('pass');
  });

  it('says which turns are alike', () => {
    expect(bySignal(['a', undefined, 'a'])).toEqual({
      verdict: 'fail',
      reason: 'expected no duplicate in exercise, saw "a" twice in turns 1 and 3',
      evidence: [{ turn: 1 }, { turn: 3 }],
    });
    expect(bySignal(['Box  breathing', 'box breathing'], { match: 'normalised' })).toMatchObject({
      verdict: 'fail',
      reason: 'expected no duplicate in exercise, saw "Box breathing" and "box breathing" in turns 1 and 2',
    });
  });

  it('keeps a duplicate that was seen before a missing fixture, and leaves the rest open', () => {
    const args = { signal: 'exercise' };
    const seen = reporting({ exercise: 'a' }, { exercise: 'a' });
    expect(grade(brokenOff(seen), 'no_duplicates', args).verdict).toBe('fail');
    expect(grade(brokenOff(reporting({ exercise: 'a' })), 'no_duplicates', args).verdict).toBe('unknown');
  });
});

describe('no_duplicates at a path', () => {
  it.each<[string, string, string]>([
    ['$.items', '{"items": ["a", "b"]}', 'pass'],
    ['$.items', '{"items": ["a", "b", "a"]}', 'fail'],
    ['$.items[*].id', '{"items": [{"id": 1}, {"id": 2}, {"id": 1}]}', 'fail'],
    ['$.items', '{"items": []}', 'pass'],
    ['$.items[*]', '{"items": []}', 'unknown'],
    ['$.items', '{"other": []}', 'unknown'],
    ['$.items', 'The items are a, b and a.', 'unknown'],
    ['$.items', '', 'unknown'],
  ])('%s of %s is a %s', (path, reply, verdict) => {
    expect(grade(conversation(reply), 'no_duplicates', { path }).verdict).toBe(verdict);
  });

  it('looks at every reply, and a duplicate in one outweighs another that cannot be read', () => {
    const outcome = grade(conversation('One moment.', '{"items": ["a", "a"]}'), 'no_duplicates', {
      path: '$.items',
    });
    expect(outcome).toEqual({
      verdict: 'fail',
      reason: 'expected no duplicate in $.items of turn 2, saw "a" twice',
      evidence: [{ turn: 2, part: 0 }],
    });
    expect(
      grade(conversation('{"items": ["a"]}', '{"items": ["a"]}'), 'no_duplicates', { path: '$.items' })
        .verdict,
    ).toBe('pass');
  });

  it('sees one amount in two written forms where they do not count', () => {
    const reply = JSON.stringify({ items: ['$450', '1,200.50', 'USD 450.00'] });
    const args = { path: '$.items' };
    expect(grade(conversation(reply), 'no_duplicates', args).verdict).toBe('pass');
    expect(grade(conversation(reply), 'no_duplicates', { ...args, match: 'normalised' }).verdict).toBe(
      'fail',
    );
  });

  it('needs a signal or a path', () => {
    const needs = ': needs either signal or path: where nothing may come twice';
    expect(mistakesOf('no_duplicates', {})).toEqual([needs]);
    expect(mistakesOf('no_duplicates', { signal: 'a', path: '$.a' })).toEqual([needs]);
    expect(mistakesOf('no_duplicates', { path: 'a' })[0]).toMatch(/^path: this is no JSONPath/);
  });
});

describe('what is compared', () => {
  const written = fc.oneof(
    fc.constantFrom('450', '$450', '450 USD', '450.00', '€ 450', '1,234.50', '1.234,50', 'May 20, 2024'),
    fc.constantFrom('2024-05-20', '20.05.2024', '007', '7', 'Straße', 'STRASSE', ' a  b', 'A b'),
    fc.string({ maxLength: 5 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const value: fc.Arbitrary<Json> = fc.oneof(
    written,
    fc.array(written, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), written, { maxKeys: 2 }),
  ) as fc.Arbitrary<Json>;

  it('is all that could be equal', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        if (normalisedEqual(a, b)) expect(normalisedBucket(a)).toBe(normalisedBucket(b));
      }),
      { numRuns: 3000 },
    );
  });

  it('is found in long lists in time that grows with them and no faster', () => {
    const items = Array.from({ length: 50_000 }, (_, index) => `item ${index}`);
    const reply = JSON.stringify({ items });
    const start = performance.now();
    for (const match of ['exact', 'normalised'])
      expect(grade(conversation(reply), 'no_duplicates', { path: '$.items', match }).verdict).toBe('pass');
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

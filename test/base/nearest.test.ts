import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, nearest, suggest } from '../../source/base/nearest.js';
import { listed, quote } from '../../source/base/quote.js';

describe('nearest', () => {
  test.each([
    ['pattren', ['pattern', 'path'], 'pattern'],
    ['minScore', ['min_score', 'rubric'], 'min_score'],
    ['max-turns', ['maxTurns'], 'maxTurns'],
    ['tool_caled', ['tool_not_called', 'tool_called'], 'tool_called'],
    ['tag', ['tags', 'turns'], 'tags'],
    ['colour', ['id', 'turns', 'checks'], undefined],
    ['x', ['id', 'on'], undefined],
    ['', ['id', 'on'], undefined],
  ])('of %j among %j is %j', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  test('one edit in a word of four letters or more is always found', () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (name, at, edit) => {
        const i = at % (name.length - 1);
        const [a = '', b = ''] = name.slice(i, i + 2);
        const middle = { drop: b, double: a + a + b, swap: b + a }[edit];
        const mistyped = name.slice(0, i) + middle + name.slice(i + 2);
        expect(nearest(mistyped, ['zzzzzzzzzzzzzzzzzzzzzz', name])).toBe(name);
      }),
    );
  });

  test('a very long word costs nothing', () => {
    expect(nearest('a'.repeat(1_000_000), ['a'.repeat(1_000_001)])).toBeUndefined();
  });
});

test('an edit distance is 0 only for equal words, and the same both ways', () => {
  const word = fc.string({ maxLength: 8, unit: 'grapheme' });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance === 0).toBe(a === b);
      expect(editDistance(b, a)).toBe(distance);
      expect(distance).toBeLessThanOrEqual(Math.max(Array.from(a).length, Array.from(b).length));
    }),
  );
});

test('a suggestion lists what is known when nothing is near, and not all of it when there is much', () => {
  expect(suggest('souce', ['source', 'tags'], 'keys')).toBe('did you mean "source"?');
  expect(suggest('colour', ['id', 'tags'], 'keys')).toBe('known keys: "id" and "tags"');
  expect(suggest('x', [], 'suites')).toBe('there are no suites');
  const many = Array.from({ length: 30 }, (_, index) => `name-${index}`);
  expect(suggest('zzz', many, 'scenarios', 2)).toBe('known scenarios: "name-0", "name-1", and 28 more');
});

test('a quoted text is one line in which nothing acts on a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(quote(text)).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
      );
    }),
  );
  expect(quote('a\u001b[31m\u202eb\n')).toBe('"a\\u001b[31m\\u202eb\\n"');
  expect(quote('x'.repeat(100), 10)).toBe(`"${'x'.repeat(9)}…"`);
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c');
});

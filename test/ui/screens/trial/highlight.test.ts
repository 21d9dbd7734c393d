import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeVisible } from '../../../../source/base/text.js';
import { wrapRanges } from '../../../../source/base/width.js';
import { findAll, makeVisibleMarked, painted } from '../../../../source/ui/screens/trial/highlight.js';
import { anyText } from '../../../base/any-text.js';

const marked = (raw: string, ...ranges: [number, number][]) => {
  const { text, marks } = makeVisibleMarked(
    raw,
    ranges.map(([start, end]) => ({ start, end })),
  );
  return marks.map(({ start, end }) => text.slice(start, end));
};

describe('marks in a text that is made visible', () => {
  it('stay on the words that they were on, however much the text grows before them', () => {
    expect(marked('\x1b[31m\u202e say money back now', [11, 21])).toEqual(['money back']);
  });

  it('are widened to whole graphemes', () => {
    expect(marked('a 👩‍👩‍👧 b', [4, 5])).toEqual(['👩‍👩‍👧']);
  });

  it('are put in order and joined where they touch', () => {
    expect(marked('one two three', [8, 13], [0, 5], [4, 7])).toEqual(['one two', 'three']);
  });

  it('are dropped outside the text', () => {
    expect(marked('short', [10, 20], [3, 3])).toEqual([]);
    expect(marked('short', [3, 99])).toEqual(['rt']);
  });

  it('cover the visible form of what they covered, for any text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.nat(60), (raw, a, b) => {
        const { text, marks } = makeVisibleMarked(raw, [{ start: Math.min(a, b), end: Math.max(a, b) }]);
        for (const { start, end } of marks) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
        }
        if (marks.length === 0) expect(text).toBe(makeVisible(raw, { keepNewlines: true }));
      }),
    );
  });
});

describe('searching a text', () => {
  it('ignores letter case and takes every character as itself', () => {
    expect(findAll('Refund? REFUND?', 'refund?')).toEqual([
      { start: 0, end: 7 },
      { start: 8, end: 15 },
    ]);
    expect(findAll('a.c abc', 'a.c')).toEqual([{ start: 0, end: 3 }]);
    expect(findAll('x-1 {y} [z]', '-1 {y} [')).toHaveLength(1);
    expect(findAll('anything', '')).toEqual([]);
  });
});

describe('painting a line', () => {
  it('gives back the same text in pieces, for any paints', () => {
    const paint = fc.record({ start: fc.nat(40), length: fc.nat(20) });
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(paint, { maxLength: 4 }),
        (raw, width, paints) => {
          const text = makeVisible(raw);
          const over = paints.map(({ start, length }) => ({
            start,
            end: start + length,
            tone: 'found' as const,
          }));
          for (const range of wrapRanges(text, width)) {
            const pieces = painted(text, range, 'plain', over);
            expect(pieces.map((piece) => piece.text).join('')).toBe(text.slice(range.start, range.end));
          }
        },
      ),
    );
  });
});

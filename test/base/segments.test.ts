import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../source/base/segments.js';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

const facts = (segments: Iterable<Intl.SegmentData>) =>
  Array.from(segments, ({ segment, index, isWordLike }) => ({ segment, index, isWordLike }));

/** Pieces of several scripts, long enough together for several windows. */
const longText = fc
  .array(
    fc.constantFrom(
      'plain words ',
      '語言は',
      'e\u0301',
      '👩‍👩‍👧',
      '🇩🇪',
      'ไทย',
      ' ',
      "l'été ",
      '1,234.5 ',
      '\r\n',
      'ย์',
    ),
    { minLength: 300, maxLength: 900 },
  )
  .map((pieces) => pieces.join('').repeat(8));

describe('the segments of a long text', () => {
  it('are its graphemes, wherever the windows end', () => {
    fc.assert(
      fc.property(longText, (text) => {
        expect(facts(segmentsOf(text, graphemes))).toEqual(facts(graphemes.segment(text)));
      }),
      { numRuns: 20 },
    );
  });

  it('are in order, leave nothing out and repeat nothing, of words too', () => {
    fc.assert(
      fc.property(longText, (text) => {
        let at = 0;
        for (const { segment, index } of segmentsOf(text, words)) {
          expect(index).toBe(at);
          expect(text.startsWith(segment, at)).toBe(true);
          at += segment.length;
        }
        expect(at).toBe(text.length);
      }),
      { numRuns: 20 },
    );
  });

  it('are the words of a text with spaces', () => {
    const text = 'Die Rückerstattung über 1.234,50 EUR ist unterwegs. '.repeat(800);
    expect(facts(segmentsOf(text, words))).toEqual(facts(words.segment(text)));
  });

  it('come in parts where one is longer than what is split at once', () => {
    const segments = Array.from(
      segmentsOf(`a${'\u0301'.repeat(30_000)}b`, graphemes),
      (each) => each.segment,
    );
    expect(segments.join('')).toHaveLength(30_002);
    expect(segments.length).toBeLessThan(10);
  });
});

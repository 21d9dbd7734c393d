import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../source/grade/quote.js';

const whiteSpace = [' ', '\n', '\r', '\t', '\v', '\f', '\u00a0', '\u2028', '\u2029', '\u3000', '\ufeff'];

describe('a text on one line', () => {
  it('has one space for every run of white space, and none at its ends', () => {
    const piece = fc.oneof(fc.constantFrom(...whiteSpace), fc.constantFrom('a', 'wide', '.', '\u200b'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const words = text.split(/\s+/u).filter((word) => word !== '');
        expect(oneLine(text)).toBe(words.join(' '));
      }),
    );
  });
});

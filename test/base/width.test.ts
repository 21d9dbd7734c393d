import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { makeVisible } from '../../source/base/text.js';
import {
  cutToWidth,
  fitToWidth,
  graphemes,
  textWidth,
  wrapRanges,
  wrapToWidth,
} from '../../source/base/width.js';
import { anyText } from './any-text.js';

describe('textWidth', () => {
  it('counts cells by grapheme', () => {
    expect(textWidth('plain')).toBe(5);
    expect(textWidth('日本語')).toBe(6);
    expect(textWidth('e\u0301')).toBe(1);
    expect(textWidth('👩‍👩‍👧')).toBe(2);
    expect(textWidth('🇩🇪❤️')).toBe(4);
    expect(textWidth('● ✖ ▲ ⠹ ·')).toBe(9);
  });

  it('takes no shortcut that changes the count', () => {
    for (let code = 0x20; code < 0x2700; code++) {
      if ((code >= 0x7f && code < 0xa0) || code === 0xad) continue;
      const character = String.fromCharCode(code);
      expect([code, textWidth(character)]).toEqual([code, stringWidth(character)]);
    }
  });

  it('splits into graphemes with and without the shortcut', () => {
    expect(graphemes('añb')).toEqual(['a', 'ñ', 'b']);
    expect(graphemes('e\u0301日👩‍👩‍👧')).toEqual(['e\u0301', '日', '👩‍👩‍👧']);
  });
});

describe('fitToWidth', () => {
  it('pads left or right, and cuts with an ellipsis', () => {
    expect(fitToWidth('ab', 4)).toBe('ab  ');
    expect(fitToWidth('ab', 4, 'right')).toBe('  ab');
    expect(fitToWidth('abcdef', 4)).toBe('abc…');
    expect(fitToWidth('abcd', 4)).toBe('abcd');
    expect(fitToWidth('abc', 1)).toBe('…');
    expect(fitToWidth('abc', 0)).toBe('');
  });

  it('never cuts a wide character in half', () => {
    expect(fitToWidth('日本語テキスト', 6)).toBe('日本… ');
    expect(fitToWidth('日本語テキスト', 7)).toBe('日本語…');
    expect(fitToWidth('日本', 3, 'right')).toBe('日…');
  });

  it('gives exactly the width for any text', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat({ max: 30 }),
        fc.constantFrom('left' as const, 'right' as const),
        (text, width, align) => {
          expect(textWidth(fitToWidth(text, width, align))).toBe(width);
          const safe = fitToWidth(makeVisible(text), width, align);
          expect(textWidth(safe)).toBe(width);
          expect(stringWidth(safe)).toBe(width);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('cutToWidth', () => {
  it.each([
    ['short enough', 12, 'short enough'],
    ['ends after a word', 13, 'ends after a…'],
    ['ends after a word', 12, 'ends after…'],
    ['inside averylongword of it', 14, 'inside averyl…'],
    ['日本語の文章', 7, '日本語…'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
    [`long ${'x '.repeat(5000)}`, 9, 'long x x…'],
  ])('cuts %j to %d cells', (text, width, cut) => expect(cutToWidth(text, width)).toBe(cut));

  it('fits for any text, is its beginning, and says so when it is not the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(40), (text, width) => {
        const cut = cutToWidth(text, width);
        if (cut === text) return;
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        expect(text.startsWith(cut.slice(0, -1))).toBe(true);
        if (width > 0) expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });
});

describe('wrapToWidth', () => {
  it('breaks at spaces, at line ends, and inside words that are longer than a line', () => {
    expect(wrapToWidth('I can offer store credit', 10)).toEqual(['I can', 'offer', 'store', 'credit']);
    expect(wrapToWidth('one\n\ntwo', 10)).toEqual(['one', '', 'two']);
    expect(wrapToWidth('reservation:EHGLP3', 8)).toEqual(['reservat', 'ion:EHGL', 'P3']);
    expect(wrapToWidth('', 5)).toEqual(['']);
  });

  it('keeps indentation and inner spaces', () => {
    expect(wrapToWidth('  - one  two three', 12)).toEqual(['  - one  two', 'three']);
  });

  it('breaks between wide characters', () => {
    expect(wrapToWidth('a 返金をお願い', 6)).toEqual(['a 返金', 'をお願', 'い']);
  });

  it('keeps every line within the width and loses nothing but spaces at breaks', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (raw, width) => {
        const text = makeVisible(raw, { keepNewlines: true });
        const lines = wrapToWidth(text, width);
        for (const line of lines) {
          // One grapheme of many jamo can be wider than a narrow line; it is not torn apart.
          if (graphemes(line).length > 1) expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(/[ \n]/g, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('says where its lines stand, in order and without overlap', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (raw, width) => {
        const text = makeVisible(raw, { keepNewlines: true });
        let last = 0;
        for (const { start, end } of wrapRanges(text, width)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

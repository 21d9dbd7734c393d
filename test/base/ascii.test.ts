import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textForLocale, toAscii } from '../../source/base/ascii.js';
import { makeVisible } from '../../source/base/text.js';
import { textWidth } from '../../source/base/width.js';
import { anyText } from './any-text.js';

describe('a text in ASCII', () => {
  it('has likenesses of signs that everybody knows, and question marks for others', () => {
    expect(toAscii('a… 日本 | “é” ↵')).toBe('a~ ???? | "?" $');
    expect(toAscii('hard check · 0.46–1.00 → 2')).toBe('hard check - 0.46-1.00 > 2');
    expect(toAscii('\x1b[31mred\x1b[39m')).toBe('\x1b[31mred\x1b[39m');
  });

  it('is nothing but ASCII and as wide as before, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const ascii = toAscii(makeVisible(raw));
        expect(ascii).toMatch(/^[\x20-\x7e]*$/);
        expect(textWidth(ascii)).toBe(textWidth(makeVisible(raw)));
      }),
    );
  });

  it('is made where the locale has nothing else', () => {
    expect(textForLocale({ LANG: 'C' })('0.46–1.00')).toBe('0.46-1.00');
    expect(textForLocale({ LANG: 'C.UTF-8' })('0.46–1.00')).toBe('0.46–1.00');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeVisible } from '../../source/base/text.js';
import { anyText } from './any-text.js';

describe('makeVisible', () => {
  it('leaves plain text, accents, CJK and punctuation alone', () => {
    for (const text of ['plain words', 'naïve café', '返金をお願いします', '– “quoted” … €5']) {
      expect(makeVisible(text)).toBe(text);
    }
  });

  it('shows escape sequences instead of letting the terminal obey them', () => {
    expect(makeVisible('a\x1b[31mred\x1b[0m')).toBe('a␛[31mred␛[0m');
    expect(makeVisible('\x1b]52;c;aGk=\x07')).toBe('␛]52;c;aGk=␇');
    expect(makeVisible('\x1bP+q\x1b\\')).toBe('␛P+q␛\\');
    expect(makeVisible('8-bit \x9b31m')).toBe('8-bit ⟨U+009B⟩31m');
  });

  it('shows carriage returns, backspaces, nulls and deletes', () => {
    expect(makeVisible('over\rwritten\b\0\x7f')).toBe('over␍written␈␀␡');
  });

  it('expands tabs', () => {
    expect(makeVisible('a\tb')).toBe('a    b');
  });

  it('keeps line ends where lines are wanted, and marks them where one line is', () => {
    expect(makeVisible('one\r\ntwo\nthree', { keepNewlines: true })).toBe('one\ntwo\nthree');
    expect(makeVisible('one\r\ntwo\nthree')).toBe('one↵two↵three');
    expect(makeVisible('one\u2028two', { keepNewlines: true })).toBe('one⟨U+2028⟩two');
  });

  it('shows bidi overrides and isolates', () => {
    expect(makeVisible('user\u202ecod.exe\u202c')).toBe('user⟨U+202E⟩cod.exe⟨U+202C⟩');
    expect(makeVisible('\u2066x\u2069')).toBe('⟨U+2066⟩x⟨U+2069⟩');
    expect(makeVisible('a\u200fb\u061cc')).toBe('a⟨U+200F⟩b⟨U+061C⟩c');
  });

  it('shows zero-width characters, soft hyphens, fillers, tags and lone surrogates', () => {
    expect(makeVisible('re\u200bfund')).toBe('re⟨U+200B⟩fund');
    expect(makeVisible('\ufeffstart')).toBe('⟨U+FEFF⟩start');
    expect(makeVisible('co\u00adop \u3164 \u2060')).toBe('co⟨U+00AD⟩op ⟨U+3164⟩ ⟨U+2060⟩');
    expect(makeVisible('hi\u{e0049}\u{e0067}')).toBe('hi⟨U+E0049⟩⟨U+E0067⟩');
    expect(makeVisible('\ud83d!')).toBe('⟨U+D83D⟩!');
  });

  it('shows joiners between Latin letters, and text hidden in variation selectors', () => {
    expect(makeVisible('pay\u200dpal')).toBe('pay⟨U+200D⟩pal');
    expect(makeVisible('ok\ufe01\ufe02')).toBe('ok⟨U+FE01⟩⟨U+FE02⟩');
    expect(makeVisible('😀\ufe0f\ufe01\ufe02')).toBe('😀\ufe0f⟨U+FE01⟩⟨U+FE02⟩');
  });

  it('keeps emoji sequences whole', () => {
    for (const emoji of ['👩‍👩‍👧', '👩🏽‍🚀', '🏳️‍🌈', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇩🇪', '👍🏽', '🧔‍♂️']) {
      expect(makeVisible(`a ${emoji} b`)).toBe(`a ${emoji} b`);
    }
  });

  it('keeps joiners that spell words', () => {
    for (const word of ['می‌خواهم', 'क्‍ष', 'ශ්‍රී']) expect(makeVisible(word)).toBe(word);
  });

  it('gives a combining mark at the start of a line something of its own to stand on', () => {
    expect(makeVisible('\u0301start\n\u0301next', { keepNewlines: true })).toBe('◌\u0301start\n◌\u0301next');
  });

  it('lets nothing through that a terminal obeys', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, keepNewlines) => {
        const safe = makeVisible(text, { keepNewlines });
        expect(keepNewlines ? safe.replaceAll('\n', '') : safe).not.toMatch(
          /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/u,
        );
      }),
    );
  });

  it('changes nothing when done twice', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = makeVisible(text, { keepNewlines: true });
        expect(makeVisible(once, { keepNewlines: true })).toBe(once);
      }),
    );
  });

  it('removes nothing that can be seen', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const visible = text.replace(/[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
        const safe = makeVisible(text);
        let at = 0;
        for (const character of visible) {
          at = safe.indexOf(character, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += character.length;
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBesideNonWord, searchWords } from '../../source/grade/words.js';

/** Folds every grapheme and segments the whole text, which is simple and slow. Invisible characters are left in. */
function slowFind(text: string, words: string): { start: number; end: number }[] {
  const graphemes = (of: string) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(of)];
  const fold = (of: string) =>
    /^\s+$/u.test(of) ? ' ' : of.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  const visible: { unit: string; at: number }[] = Array.from(text.split(''), (unit, at) => ({
    unit,
    at,
  })).filter(({ unit }) => !/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u.test(unit));
  const shown = visible.map(({ unit }) => unit).join('');
  const joinFolded = (of: string) => {
    const pieces: { form: string; from: number; to: number }[] = [];
    for (const { segment, index } of graphemes(of)) {
      const form = fold(segment);
      if (form === ' ' && pieces.at(-1)?.form.endsWith(' ')) continue;
      pieces.push({ form, from: index, to: index + segment.length });
    }
    return pieces;
  };
  const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
  const wanted = joinFolded(words.replace(invisible, ''))
    .map(({ form }) => form)
    .join('')
    .trim();
  if (wanted === '') return [];
  const pieces = joinFolded(shown);
  const boundaries = new Set(
    [...new Intl.Segmenter('en', { granularity: 'word' }).segment(shown)].map(({ index }) => index),
  );
  const found: { start: number; end: number }[] = [];
  for (let first = 0; first < pieces.length; first++) {
    let form = '';
    for (let last = first; last < pieces.length && form.length < wanted.length; last++) {
      form += pieces[last]?.form ?? '';
      if (form !== wanted) continue;
      const [start, end] = [pieces[first]?.from ?? 0, pieces[last]?.to ?? 0];
      if (
        ![start, end].every((at) => boundaries.has(at) || at === shown.length || isBesideNonWord(shown, at))
      )
        continue;
      found.push({ start: visible[start]?.at ?? 0, end: (visible[end - 1]?.at ?? 0) + 1 });
    }
  }
  return found;
}

function found(text: string, words: string): string[] {
  return searchWords(text)
    .find(words)
    .map(({ start, end }) => text.slice(start, end));
}

describe('words in a text', () => {
  it.each([
    ['Wir haben einen Termin.', 'ein'],
    ['Das ist Rückerstattungen zu viel.', 'Rückerstattung'],
    ['We are refunding nothing.', 'refund'],
    ['the classroom', 'class'],
    ['You can’t do that.', 'can'],
    ["They don't.", 'don'],
    ["They don't.", 't'],
    ['It costs 3.14 dollars.', '14'],
    ['It costs 3.14 dollars.', '3'],
    ['It costs 1,000 dollars.', '1'],
    ['It costs 1,000 dollars.', '000'],
    ['東京都に行く', '京都'],
    ['soft\u00adware', 'soft'],
    ['Zoe\u0308 came', 'zoe'],
    ['naïveté', 'naïve'],
  ])('does not find in %j the word %j, which is only a part of one', (text, word) => {
    expect(found(text, word)).toEqual([]);
  });

  it.each([
    ['Da ist EIN Termin.', 'ein', ['EIN']],
    ['Die Straße ist gesperrt.', 'STRASSE', ['Straße']],
    ['DIE STRASSE', 'Straße', ['STRASSE']],
    ['ὈΔΥΣΣΕΎΣ and ὀδυσσεύς', 'Ὀδυσσεύς', ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς']],
    ['Cafe\u0301 or café', 'CAFÉ', ['Cafe\u0301', 'café']],
    ['ＲＥＦＵＮＤ granted', 'refund', ['ＲＥＦＵＮＤ']],
    ['re\u200bfund', 'refund', ['re\u200bfund']],
    ['Sorry.Refund denied', 'refund', ['Refund']],
    ['a _refund_, a **refund**', 'refund', ['refund', 'refund']],
    ["l'argent et l’argent", 'argent', ['argent', 'argent']],
    ["the customer's order", 'customer', ['customer']],
    ["'refund'", 'refund', ['refund']],
    ['a full\n  refund today', 'full refund', ['full\n  refund']],
    ['a full\u00a0refund', 'full refund', ['full\u00a0refund']],
    ['我们不退款给你', '退款', ['退款']],
    ['可以全额退款吗', '全额退款', ['全额退款']],
    ['京都に行く', '京都', ['京都']],
    ['ขอคืนเงินครับ', 'คืนเงิน', ['คืนเงิน']],
    ['written in C++ (mostly)', 'C++', ['C++']],
    ['open 24/7.', '24/7', ['24/7']],
    ['Done 👍🏽!', '👍🏽', ['👍🏽']],
    ['Ends at 30.', '30', ['30']],
    ['возврат ДЕНЕГ', 'денег', ['ДЕНЕГ']],
  ])('finds in %j the word %j', (text, word, expected) => {
    expect(found(text, word)).toEqual(expected);
  });

  it('finds nothing for a word in which nothing can be seen', () => {
    expect(found('anything\u200b at all', '\u200b')).toEqual([]);
    expect(found('anything at all', ' ')).toEqual([]);
  });

  it('finds in plain words what splitting at what is no letter finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B'), minLength: 1, maxLength: 3 });
    const gap = fc.constantFrom(' ', ', ', '. ', '! ', ' - ', '\n', '; ', '.', '/');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { maxLength: 12 }), word, (parts, wanted) => {
        const text = parts.map(([one, between]) => one + between).join('');
        const naive = parts.map(([one]) => one).filter((one) => one.toLowerCase() === wanted.toLowerCase());
        expect(found(text, wanted)).toEqual(naive);
      }),
    );
  });

  it('finds what folding grapheme by grapheme and the words of the whole text would find', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'ein',
        'Ein',
        'ß',
        'SS',
        'ﬁ',
        'é',
        'e\u0301',
        'Ä',
        '退款',
        '全额',
        '東京',
        'か\u3099',
        'ｶﾞ',
      ),
      fc.constantFrom(
        ' ',
        '\n',
        '\r\n',
        '\u00a0',
        '\u3000',
        '.',
        ',',
        "'",
        '-',
        '_',
        '3',
        '14',
        '\u0600',
        '한',
        '\u1100\u1161',
      ),
      fc.constantFrom(
        '👩‍👩‍👧',
        '🇩🇪',
        '\u200d',
        '\ufe0f',
        '\u0e01\u0e33',
        'σ',
        'ς',
        'İ',
        'ŉ',
        '©',
        '〰',
        '\ud83d',
        'คืน',
      ),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    );
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 14 }),
        fc.array(unit, { minLength: 1, maxLength: 2 }),
        (units, words) => {
          const text = units.join('');
          const wanted = words.join('');
          const search = searchWords(text);
          const expected = slowFind(text, wanted);
          expect(search.find(wanted)).toEqual(expected);
          // A second search of the same text, in whatever order its places are looked at.
          expect(search.find(wanted)).toEqual(expected);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('gives places that lie in the text and hold what was looked for, whatever the text', () => {
    const unit = fc.oneof(
      fc.constantFrom('ein', 'ß', 'ﬁ', '\u200d', '\u0301', '退款', '👩‍👩‍👧', ' ', "'", '.'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), unit, (units, wanted) => {
        const text = units.join('');
        for (const { start, end } of searchWords(text).find(wanted)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(found(text.slice(start, end), wanted)).toHaveLength(1);
        }
      }),
    );
  });
});

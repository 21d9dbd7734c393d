import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchWords } from '../../source/grade/words.js';

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

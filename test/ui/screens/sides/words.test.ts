import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextRange } from '../../../../source/base/width.js';
import { wordChanges } from '../../../../source/ui/screens/sides/words.js';

const cut = (text: string, ranges: readonly TextRange[]) =>
  ranges.map(({ start, end }) => text.slice(start, end).trim());
const without = (text: string, ranges: readonly TextRange[]) =>
  ranges.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
const letters = (text: string) => text.replace(/\s+/gu, '');

describe('words that changed', () => {
  it('are those that one text has and the other has not, in runs', () => {
    const from = 'Offer store credit. Never promise money back to anybody.';
    const to = 'Offer store credit. Be generous to anybody.';
    const { removed, added } = wordChanges(from, to);
    expect(cut(from, removed)).toEqual(['Never promise money back']);
    expect(cut(to, added)).toEqual(['Be generous']);
  });

  it('are words also where no spaces stand between them', () => {
    const { removed, added } = wordChanges('返金はできません', '返金をお受けします');
    expect(cut('返金はできません', removed).join('')).not.toContain('返金');
    expect(cut('返金をお受けします', added).join('')).not.toContain('返金');
  });

  it('are all of them where the texts have nothing in common', () => {
    expect(wordChanges('no refund', 'yes')).toEqual({
      removed: [{ start: 0, end: 9 }],
      added: [{ start: 0, end: 3 }],
    });
    expect(wordChanges('', 'yes')).toEqual({ removed: [], added: [{ start: 0, end: 3 }] });
  });

  it('leave the same words on both sides when they are taken out', () => {
    const words = fc.array(
      fc.constantFrom('refund', 'credit', 'never', ' ', '  ', '.', '返金', '👩‍👩‍👧', '\n'),
    );
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [from, to] = [a.join(''), b.join('')];
        const { removed, added } = wordChanges(from, to);
        expect(letters(without(from, removed))).toBe(letters(without(to, added)));
        expect(removed.length + added.length === 0).toBe(from === to);
      }),
    );
  });
});

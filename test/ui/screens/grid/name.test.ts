import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeVisible } from '../../../../source/base/text.js';
import { textWidth } from '../../../../source/base/width.js';
import { fitName } from '../../../../source/ui/screens/grid/name.js';
import { anyText } from '../../../base/any-text.js';

describe('the name of a scenario', () => {
  it('keeps both ends where it is cut, so that names that begin alike can be told apart', () => {
    expect(fitName('bag-count-gold-claim-1', 20)).toBe('bag-count-gol…laim-1');
    expect(fitName('bag-count-gold-claim-2', 20)).toBe('bag-count-gol…laim-2');
  });

  it('is padded where it fits, and cut at its end where there is no room for two', () => {
    expect(fitName('empty', 8)).toBe('empty   ');
    expect(fitName('bag-count-gold-claim-1', 10)).toBe('bag-count…');
  });

  it('takes exactly its width, whatever it is', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (raw, width) => {
        expect(textWidth(fitName(makeVisible(raw), width))).toBe(width);
      }),
    );
  });
});

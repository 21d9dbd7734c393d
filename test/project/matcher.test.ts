import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher, createPieceReplacer, replaceInJson } from '../../source/project/matcher.js';

function matcherOf(words: readonly string[]) {
  const matcher = createMatcher();
  for (const [index, word] of words.entries()) matcher.add(word, `<${index}>`);
  return matcher;
}

describe('words that are replaced in a text', () => {
  it('are found in pieces of it as in the whole, wherever it is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 5 }),
        fc.array(letters, { maxLength: 12 }),
        (words, pieces) => {
          const matcher = matcherOf(words);
          const replacer = createPieceReplacer(matcher);
          const said = pieces.map((piece) => replacer.push(piece)).join('') + replacer.end();
          expect(said).toBe(matcher.replace(pieces.join('')));
        },
      ),
    );
  });

  it('keep no more of a text waiting than may be the beginning of one', () => {
    const replacer = createPieceReplacer(matcherOf(['marked-key-1']));
    expect(replacer.push('the key is mark')).toBe('the key is ');
    expect(replacer.push('et value, or marked-key')).toBe('market value, or ');
    expect(replacer.push('-1.')).toBe('<0>.');
    expect(replacer.end()).toBe('');
  });

  it('are found in all texts of a JSON value, names too', () => {
    const value = { 'x marked-key-1': [1, null, { y: 'marked-key-1 marked-key-1' }] };
    expect(replaceInJson(matcherOf(['marked-key-1']), value)).toEqual({
      'x <0>': [1, null, { y: '<0> <0>' }],
    });
  });

  it('do not hold up a long text', () => {
    const matcher = matcherOf(Array.from({ length: 40 }, (_, index) => `marked-key-${index}`));
    const replacer = createPieceReplacer(matcher);
    const started = performance.now();
    for (let piece = 0; piece < 20_000; piece++)
      replacer.push('word that says nothing, some marks and more words. ');
    // A megabyte, 20,000 pieces; quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

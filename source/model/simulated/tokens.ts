import { estimateTokenCount } from 'tokenx';
import { createBoundedMap } from './bounded-map.js';
import { splitWords } from './words.js';

/** Counts tokens by rule of thumb: about what a provider would bill, never exactly. */
export type CountTokens = (text: string) => number;

/** Texts of a run repeat (the same scenario, trial after trial), so counts are remembered, within bounds. */
const maxRememberedTexts = 20_000;
const maxRememberedCharacters = 4_000_000;

/** A counter with a bounded memory of its own. */
export function createTokenCounter(): CountTokens {
  const counts = createBoundedMap<number>(maxRememberedTexts, maxRememberedCharacters);
  return (text) => {
    if (text === '') return 0;
    const known = counts.get(text);
    if (known !== undefined) return known;
    const count = estimateTokenCount(text);
    counts.set(text, count, text.length);
    return count;
  };
}

/** The longest beginning of a text, in whole words, that has at most `maxTokens` tokens. */
export function cutToTokens(text: string, maxTokens: number, countTokens: CountTokens): string {
  if (countTokens(text) <= maxTokens) return text;
  const words = splitWords(text);
  // Counted without the memo: these beginnings are never asked for again.
  const countOf = (length: number) => estimateTokenCount(words.slice(0, length).join(''));
  let fits = 0;
  let tooLong = words.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countOf(middle) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return words.slice(0, fits).join('');
}

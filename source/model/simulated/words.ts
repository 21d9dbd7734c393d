import { segmentsOf } from '../../base/segments.js';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * A text in pieces of about a word, each with the white space and punctuation that follow it; joined they are
 * the text again. Scripts without spaces are split too, and no piece ends inside a grapheme.
 */
export function splitWords(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let hasWord = false;
  for (const { segment, isWordLike } of segmentsOf(text, segmenter)) {
    if (isWordLike && hasWord) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
    hasWord ||= isWordLike === true;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

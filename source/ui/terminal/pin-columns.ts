import { graphemes, textWidth } from '../../base/width.js';

/** Characters whose width terminals disagree about: emoji, alone or joined, flags, and signs made emoji by a selector. */
const disputed = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\p{Emoji_Presentation}\p{Emoji_Modifier}]/u;
const colourChange = /(\x1b\[[0-9;]*m)/;

/**
 * The line with the cursor told where it is after each disputed character, so that what stands right of an emoji
 * stands where it should in every terminal. A line without any is given back as it is.
 */
export function pinColumns(line: string): string {
  if (!disputed.test(line)) return line;
  let column = 1;
  return line
    .split(colourChange)
    .map((piece) => (piece.startsWith('\x1b') ? piece : graphemes(piece).map(pinned).join('')))
    .join('');

  function pinned(grapheme: string): string {
    column += textWidth(grapheme);
    return disputed.test(grapheme) ? `${grapheme}\x1b[${column}G` : grapheme;
  }
}

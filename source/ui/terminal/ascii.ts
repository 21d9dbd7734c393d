import { graphemes, textWidth } from '../../base/width.js';

/** Characters with a likeness that everybody knows. */
const likenesses: Record<string, string> = {
  '…': '~',
  '↵': '$',
  '◌': ' ',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '⟨': '<',
  '⟩': '>',
  '→': '>',
  '\u00a0': ' ',
};

/**
 * A frame for a terminal that shows nothing but ASCII: every other character becomes its likeness, or as many `?`
 * as it takes cells, so that columns stay where they are.
 */
export function toAscii(frame: string): string {
  return frame.replace(/[^\x00-\x7f]+/g, (run) =>
    graphemes(run)
      .map((grapheme) => likenesses[grapheme] ?? '?'.repeat(textWidth(grapheme)))
      .join(''),
  );
}

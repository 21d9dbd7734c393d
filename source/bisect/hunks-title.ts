import { makeVisible } from '../base/text.js';
import { cutToWidth } from '../base/width.js';

/** Cells of a title at most; a list that has fewer cuts it again. */
const widest = 60;

/** Marks that open a line of Markdown and say nothing of what it is about. */
const lineMarks = /^(?:\s|[-*+•>|]\s|\d{1,9}[.)]\s|#{1,6}\s)+/;

/**
 * What a hunk is about, in a few words that are safe to print: from the first word that differs, or the first words of
 * what was added, removed or moved. What only leaves a line is `without …`.
 */
export function titleOf(old: string, fresh: string): string {
  if (fresh.trim() === '' || old === fresh) return shorten(old);
  if (old.trim() === '') return shorten(fresh);
  const before = wordsOf(old);
  const after = wordsOf(fresh);
  const isSame = (one?: string, other?: string) => one !== undefined && bare(one) === bare(other ?? '');
  const least = Math.min(before.length, after.length);
  let same = 0;
  while (same < least && isSame(before[same], after[same])) same++;
  let tail = 0;
  while (tail < least - same && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  if (same + tail < after.length) return shorten(after.slice(same).join(' '));
  if (same + tail === before.length) return shorten(fresh);
  return shorten(`without ${before.slice(same, before.length - tail).join(' ')}`);
}

/** A word without the punctuation after it, which changes with what follows. */
function bare(word: string): string {
  return word.replace(/[.,;:]+$/, '');
}

function wordsOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(lineMarks, ''))
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

function shorten(text: string): string {
  const words = wordsOf(text).slice(0, widest).join(' ');
  return cutToWidth(makeVisible(words === '' ? 'white space' : words), widest);
}

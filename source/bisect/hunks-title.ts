import { makeVisible } from '../base/text.js';
import { cutToWidth, textWidth } from '../base/width.js';

/** Cells of a title at most; a list that has fewer cuts it again. */
const widest = 60;
/** Of those for what was lost, where words were added too and are many. */
const leastLost = 22;
/** So many more words are lost than added where it is not only other words for the same. */
const mostlyLost = 2;

/** Marks that open a line of Markdown and say nothing of what it is about. */
const lineMarks = /^(?:\s|[-*+•>|]\s|\d{1,9}[.)]\s|#{1,6}\s)+/;

/**
 * What a hunk is about, in a few words that are safe to print: from the first word that differs, or the first words of
 * what was added, removed or moved. What only leaves a line is `without …`; where more words were lost than added, those
 * stand behind: `Wish all others a good flight. − so that nobody leaves with…`.
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
  if (same + tail < after.length)
    return withLost(
      after.slice(same).join(' '),
      lostWords(before.slice(same, before.length - tail), after.slice(same, after.length - tail)),
    );
  if (same + tail === before.length) return shorten(fresh);
  return shorten(`without ${before.slice(same, before.length - tail).join(' ')}`);
}

/** What a present word takes from a stretch of lost ones that it stands in; a lost one adds 1. */
const presentCost = 0.5;

/**
 * The stretch of words that were lost, where many more were than were added: of all stretches the one that holds most words which
 * are not among the new ones, less half of those that are. Empty where there is none of two words.
 */
function lostWords(before: readonly string[], after: readonly string[]): readonly string[] {
  const [old, fresh] = [before.map(plain), after.map(plain)];
  const [known, added] = [new Set(old), new Set(fresh)];
  const isLost = (word: string) => !added.has(word);
  const more = old.filter(isLost).length - fresh.filter((word) => !known.has(word)).length;
  if (more < mostlyLost) return [];
  let [start, score, best] = [0, 0, 1];
  let found: [number, number] = [0, 0];
  for (const [at, word] of old.entries()) {
    if (score <= 0) [start, score] = [at, 0];
    score += isLost(word) ? 1 : -presentCost;
    if (score > best) [best, found] = [score, [start, at + 1]];
  }
  return before.slice(...found);
}

/** A word however it is written and whatever stands around it. */
function plain(word: string): string {
  const letters = word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return letters === '' ? word : letters;
}

function withLost(added: string, lost: readonly string[]): string {
  if (lost.length === 0) return shorten(added);
  const words = shown(added);
  const room = Math.max(leastLost, widest - textWidth(words) - 3);
  const named = `− ${bare(cutToWidth(shown(lost.join(' ')), room))}`;
  return `${cutToWidth(words, widest - textWidth(named) - 1)} ${named}`;
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
  return cutToWidth(shown(text), widest);
}

function shown(text: string): string {
  const words = wordsOf(text).slice(0, widest).join(' ');
  return makeVisible(words === '' ? 'white space' : words);
}

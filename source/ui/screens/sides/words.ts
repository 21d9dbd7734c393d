import { diffArrays } from 'diff';
import type { TextRange } from '../../../base/width.js';

/** Where two texts differ, in words of each. */
export interface WordChanges {
  /** Of the old text. */
  removed: TextRange[];
  /** Of the new text. */
  added: TextRange[];
}

/** Words by the rules of Unicode, so that languages without spaces have words too. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
/** Texts that differ in more than that have nothing in common that a person would look for. */
const mostEdits = 2000;
const mostMs = 100;

/**
 * Compares two texts word by word (Myers 1986). What lies between two changes and is only white space belongs to them.
 * Texts without anything in common, and those that take too long, are changed from end to end.
 */
export function wordChanges(from: string, to: string): WordChanges {
  if (from === to) return { removed: [], added: [] };
  const whole = { removed: wholeOf(from), added: wholeOf(to) };
  const changes = diffArrays(wordsOf(from), wordsOf(to), { maxEditLength: mostEdits, timeout: mostMs });
  if (!changes?.some(({ added, removed, value }) => !added && !removed && /\S/u.test(value.join('')))) {
    return whole;
  }
  const removed: TextRange[] = [];
  const added: TextRange[] = [];
  let before = 0;
  let after = 0;
  for (const change of changes) {
    const { length } = change.value.join('');
    if (change.removed) removed.push({ start: before, end: before + length });
    if (change.added) added.push({ start: after, end: after + length });
    if (!change.added) before += length;
    if (!change.removed) after += length;
  }
  return { removed: joined(from, removed), added: joined(to, added) };
}

function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function wholeOf(text: string): TextRange[] {
  return text === '' ? [] : [{ start: 0, end: text.length }];
}

function joined(text: string, ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && text.slice(last.end, range.start).trim() === '') last.end = range.end;
    else merged.push({ ...range });
  }
  return merged;
}

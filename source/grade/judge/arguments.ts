import { oneLine } from '../quote.js';
import type { ArgumentMistake } from '../types.js';

/** The first words of a text, for an id. */
export function firstWords(text: string): string {
  return oneLine(text.trim().split(/\s+/u).slice(0, 5).join(' '), 60);
}

/** A text that is there and says nothing is a mistake: a judge would agree with it. */
export function blankMistakes(
  text: string | undefined,
  path: readonly (string | number)[],
): ArgumentMistake[] {
  return text !== undefined && text.trim() === '' ? [{ path: [...path], message: 'this text is blank' }] : [];
}

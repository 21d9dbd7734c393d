import { fitToWidth } from '../../../base/width.js';
import type { ChangeWord, RowChange } from '../../row-change.js';
import { type Segment, segment } from '../../segments.js';
import type { Glyphs, Theme } from '../../theme.js';
import type { Tone } from '../../tone.js';

/** How a word is drawn; what needs no look is faint. */
const tones: Record<ChangeWord, Tone> = {
  regression: 'fail',
  suspect: 'warn',
  drift: 'warn',
  'not-confirmed': 'faint',
  'not-comparable': 'unknown',
  fixed: 'pass',
  better: 'pass',
  gone: 'faint',
  new: 'accent',
  same: 'faint',
};

const titles: Record<ChangeWord, string> = {
  regression: 'regression',
  suspect: 'suspect',
  drift: 'drift',
  'not-confirmed': 'not confirmed',
  'not-comparable': 'not comparable',
  fixed: 'fixed',
  better: 'better',
  gone: 'gone',
  new: 'new',
  same: 'same',
};

function signOf(word: ChangeWord, glyphs: Glyphs): string {
  switch (word) {
    case 'regression':
      return glyphs.regression;
    case 'suspect':
      return glyphs.unknown;
    case 'drift':
      return glyphs.drift;
    case 'not-confirmed':
      return glyphs.cleared;
    case 'not-comparable':
      return glyphs.notComparable;
    case 'fixed':
      return glyphs.fixed;
    case 'better':
      return glyphs.better;
    case 'gone':
      return glyphs.gone;
    case 'new':
      return glyphs.added;
    case 'same':
      return glyphs.same;
  }
}

/** What became of something, in exactly `width` cells: its sign, and its word where there is room for one. */
export function changeSegment(word: ChangeWord, width: number, { glyphs }: Theme): Segment {
  const sign = signOf(word, glyphs);
  const text = width < signOnly ? sign : `${sign} ${titles[word]}`;
  return segment(fitToWidth(text, width), tones[word]);
}

/** Below this there is room for the sign alone. */
const signOnly = 6;

/** The same of a row; spaces while nothing can be said. */
export function rowChangeSegment(change: RowChange | undefined, width: number, theme: Theme): Segment {
  return change ? changeSegment(change.word, width, theme) : segment(' '.repeat(width));
}

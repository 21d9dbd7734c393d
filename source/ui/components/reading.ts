import { makeVisible } from '../../base/text.js';
import { formatCount } from '../../report/format.js';
import { type Line, segment } from '../segments.js';
import type { RunStore } from '../store.js';

/** In the place of a run that is still being read: its files before it is made, or its journal, and how far that is. */
export function readingLine({ run, reading }: RunStore): Line {
  const title = makeVisible(run.title ?? reading?.suite ?? '');
  const words = reading
    ? `reading … ${formatCount(reading.done)} of ${formatCount(reading.total)} trials`
    : 'reading its files …';
  return [...(title === '' ? [] : [segment(title, 'title'), segment('   ')]), segment(words, 'faint')];
}

import { makeVisible } from '../../base/text.js';
import { graphemes, textWidth } from '../../base/width.js';
import type { AppModel } from '../model.js';
import { fitName } from '../screens/grid/name.js';
import { lookAtTriage } from '../screens/triage/view.js';
import { matchesOf } from '../screens/trial/contents.js';
import { type Line, lineWidth, type Segment, segment } from '../segments.js';
import type { TextField } from '../state.js';

/** Cells that a field needs beside what is typed. */
const fieldExtras = 42;

/** A line of text that is being typed. Of a text longer than its room the end is shown, where the typing goes on. */
export function typedLine(model: AppModel, field: TextField, width: number): Line {
  const { theme, order, store } = model;
  const { isAscii, glyphs } = theme;
  const typed = (label: Segment, room: number, ...after: readonly Segment[]): Line => [
    label,
    segment(lastCells(field.text, Math.max(8, room)), 'strong'),
    segment(glyphs.cursor, 'accent'),
    ...after,
  ];
  const keys = (first: string, second: string): Segment[] => [
    segment('   '),
    segment(isAscii ? 'enter' : '⏎', 'key'),
    segment(` ${first}  `, 'faint'),
    segment('esc', 'key'),
    segment(` ${second}`, 'faint'),
  ];
  const problem = problemSegments(model);
  const room = width - fieldExtras;
  switch (field.kind) {
    case 'filter': {
      if (problem) {
        // What would be right is what is to be read: what was typed gives way, its end is enough.
        const name = width < 70 ? '' : 'filter ';
        return typed(segment(name, 'faint'), width - lineWidth(problem) - name.length - 1, ...problem);
      }
      const count = `  ${order.count} of ${store.tally?.rows.length ?? 0}`;
      const shown = segment(count, order.count === 0 ? 'warn' : 'plain');
      return typed(segment('filter ', 'faint'), room, shown, ...keys('keep', 'clear'));
    }
    case 'search': {
      const found = matchesOf(model.contents).length;
      const count = segment(field.text === '' ? '' : `  ${found} found`, found === 0 ? 'warn' : 'plain');
      return typed(segment('search ', 'faint'), room, count, ...keys('keep', 'clear'));
    }
    case 'watch':
      return typed(segment('filter ', 'faint'), room, ...keys('keep', 'clear'));
    case 'triage-filter': {
      const shown = lookAtTriage(model)?.rows.length;
      const count = segment(`  ${shown ?? 0} shown`, shown === 0 ? 'warn' : 'plain');
      return typed(segment('filter ', 'faint'), room, count, ...keys('keep', 'clear'));
    }
    case 'add':
      return typed(segment('add how many trials? ', 'faint'), room, ...(problem ?? keys('add', 'cancel')));
    case 'budget':
      return typed(
        segment('at most how many trials? ', 'faint'),
        room,
        ...(problem ?? keys('set', 'cancel')),
      );
    case 'note':
      return typed(segment('note ', 'faint'), room, ...keys('keep', 'cancel'));
    case 'bisect-note': {
      const of = field.hunk === undefined ? 'note ' : `note on hunk ${field.hunk + 1} `;
      return typed(segment(of, 'faint'), room, ...keys('keep', 'cancel'));
    }
    case 'bless': {
      const nameRoom = Math.max(16, Math.floor(width / 3));
      const name = fitName(`bless ${makeVisible(`${field.scenario} / ${field.check}`)}`, nameRoom);
      const after = problem ?? keys('bless', 'cancel');
      return [
        segment(name, 'accent'),
        ...typed(segment(' because ', 'faint'), width - nameRoom - 36, ...after),
      ];
    }
    case 'quarantine': {
      const titles = { reason: 'quarantine, why? ', owner: 'who owns it? ', until: 'last day? ' };
      const after = problem ?? keys(field.step === 'until' ? 'quarantine' : 'next', 'cancel');
      return typed(segment(titles[field.step], 'accent'), room, ...after);
    }
    case 'extend': {
      const title = `until ${field.entry.until} so far; last day? `;
      return typed(segment(title, 'accent'), room, ...(problem ?? keys('extend', 'cancel')));
    }
  }
}

/** What is wrong with what is typed, in the place of the keys. */
function problemSegments({ state }: AppModel): Segment[] | undefined {
  return state.message ? [segment(`   ${makeVisible(state.message.text)}`, state.message.tone)] : undefined;
}

function lastCells(text: string, width: number): string {
  let kept = '';
  for (const grapheme of graphemes(text).reverse()) {
    if (textWidth(`…${grapheme}${kept}`) > width) return `…${kept}`;
    kept = grapheme + kept;
  }
  return kept;
}

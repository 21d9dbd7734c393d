import { wrapToWidth } from '../../../base/width.js';
import { saidLines } from '../../components/said.js';
import type { AppModel } from '../../model.js';
import { type Line, lineWidth, segment } from '../../segments.js';
import type { BisectRow, BisectStanding } from './rows.js';
import { todoLine } from './todo.js';

/** Lines at most of what is to be done: a command in it is to be read whole. */
const mostLines = 4;

/** What is to be done, a line at least, and what the app has to say but for its last line, which stands below it. */
export function footLines(model: AppModel, standing: BisectStanding, row: BisectRow | undefined): Line[] {
  const width = roomOf(model);
  const todo = todoLine(standing, row);
  const said = saidLines(model, width);
  const tone = model.state.message?.tone ?? 'plain';
  return [
    ...(lineWidth(todo) <= width ? [todo] : wrappedLine(todo, width)),
    ...said.slice(0, -1).map((text) => [segment(text, tone)]),
  ];
}

/** The line of the screen's foot that stands where else the keys do; undefined where nothing is said. */
export function lastSaid(model: AppModel): string | undefined {
  return saidLines(model, roomOf(model)).at(-1);
}

/** In the tone that it begins with. */
function wrappedLine(line: Line, width: number): Line[] {
  const text = line.map((piece) => piece.text).join('');
  return wrapToWidth(text, width)
    .slice(0, mostLines)
    .map((one) => [segment(one, line[0]?.tone ?? 'plain')]);
}

/** Cells of a line of the foot: one is left free before it, and the terminal's last one. */
function roomOf({ state }: AppModel): number {
  return Math.max(8, state.size.columns - 2);
}

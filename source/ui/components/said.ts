import { makeVisible } from '../../base/text.js';
import { wrapToWidth } from '../../base/width.js';
import { keyFacts } from '../keys/facts.js';
import type { AppModel } from '../model.js';
import { fitLine, type Line, type Segment, segment } from '../segments.js';
import { statusLine } from './status.js';

/** Lines at most of what the app has to say. */
const mostLines = 4;

/** What the app has to say, in lines of `width` cells, the last of them with all that is left; none while something is typed. */
export function saidLines({ state }: AppModel, width: number, most = mostLines): string[] {
  const { message, field } = state;
  if (!message || field) return [];
  const lines = wrapToWidth(makeVisible(message.text), width);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')];
}

/** The last line of a screen in so many cells; `said`: what of a message stands in it. */
type StatusLine = (width: number, said: string | undefined) => Segment[];

/**
 * The lines of a screen and its last one, in `width` cells. What the app has to say is to be read whole: where it is longer
 * than the last line it takes as many of those above as it needs, and nothing else moves.
 */
export function withStatus(
  lines: readonly Line[],
  model: AppModel,
  width: number,
  status: StatusLine = (cells, said) => statusLine(model, keyFacts(model), cells, said),
): { lines: Line[]; status: Segment[] } {
  const said = saidLines(model, width - 1, Math.min(mostLines, lines.length + 1));
  const tone = model.state.message?.tone ?? 'plain';
  const above = said.slice(0, -1).map((text) => fitLine([segment(` ${text}`, tone)], width));
  return {
    lines: [...lines.slice(0, lines.length - above.length), ...above],
    status: [segment(' '), ...status(width - 1, said.at(-1))],
  };
}

import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth, wrapToWidth } from '../../../base/width.js';
import type { Cell, ScenarioTally } from '../../../tally/types.js';
import { type Segment, segment } from '../../segments.js';

/** Enough of a reply's end to fill the widest column; a reply of pages is not wrapped ten times a second. */
const mostLive = 1200;

/** What the last column says of a row: what is being said now, else why it is not a pass. In exactly `width` cells. */
export function whySegments(row: ScenarioTally, width: number): Segment[] {
  if (width <= 0) return [];
  const live = row.groups.flatMap(({ cells }) => cells).find(isSpeaking)?.live;
  if (live) return [segment(fitToWidth(liveText(live, width), width), 'running')];
  if (!row.why) return [segment(' '.repeat(width))];
  const { checkId, reason } = row.why;
  const isJudged = row.scenario.checks.some(({ id, kind }) => id === checkId && kind === 'judged');
  const text = makeVisible(isJudged && !reason.startsWith('judge') ? `judge: ${reason}` : reason);
  return [
    segment(fitToWidth(text, width), row.verdict === 'fail' || row.verdict === 'error' ? 'plain' : 'faint'),
  ];
}

function isSpeaking(cell: Cell): boolean {
  return cell.state === 'running' && cell.live !== undefined;
}

/**
 * The reply as it streams, a line at a time: words fill the column, then the column starts anew. A text that
 * slides to the left with every word cannot be read.
 */
function liveText(live: NonNullable<Cell['live']>, width: number): string {
  const turn = `turn ${live.turn}: `;
  if (live.tool !== undefined) return `${turn}${makeVisible(live.tool)} …`;
  if (live.text === '') return `${turn}…`;
  const text = makeVisible(live.text.slice(-mostLive)).trimStart();
  const room = Math.max(8, width - textWidth(turn) - 3);
  const lines = wrapToWidth(text, room);
  const isLater = lines.length > 1 || live.text.length > mostLive;
  return `${turn}"${isLater ? '…' : ''}${lines.at(-1) ?? ''}`;
}

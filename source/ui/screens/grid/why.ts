import { makeVisible } from '../../../base/text.js';
import { cutToWidth, fitToWidth, textWidth, wrapToWidth } from '../../../base/width.js';
import type { QuarantineEntry } from '../../../run/planned.js';
import type { Cell, ScenarioTally } from '../../../tally/types.js';
import { rowRate } from '../../rate.js';
import { type Segment, segment } from '../../segments.js';

/** Enough of a reply's end to fill the widest column; a reply of pages is not wrapped ten times a second. */
const mostLive = 1200;

/** What the last column says of a row: what is being said now, else why it is not a pass. In exactly `width` cells. */
export function whySegments(row: ScenarioTally, width: number, later?: QuarantineEntry): Segment[] {
  if (width <= 0) return [];
  const live = row.groups.flatMap(({ cells }) => cells).find(isSpeaking)?.live;
  if (live) return [segment(fitToWidth(liveText(live, width), width), 'running')];
  if (later) {
    const text = makeVisible(`next run: quarantined, ${later.reason}`);
    return [segment(fitToWidth(cutToWidth(text, width), width), 'faint')];
  }
  if (!row.why) return [segment(fitToWidth(row.isQuarantined ? 'quarantined' : '', width), 'faint')];
  const whole = `${row.isQuarantined ? 'quarantined: ' : ''}${reasonText(row, row.why)}`;
  const text = textWidth(whole) <= width ? whole : shortened(whole);
  return [segment(fitToWidth(cutToWidth(text, width), width), reasonTone(row))];
}

function reasonTone({ verdict, isQuarantined }: ScenarioTally): 'plain' | 'faint' {
  return (verdict === 'fail' || verdict === 'error') && !isQuarantined ? 'plain' : 'faint';
}

function reasonText(row: ScenarioTally, { checkId, reason }: NonNullable<ScenarioTally['why']>): string {
  const isJudged = row.scenario.checks.some(({ id, kind }) => id === checkId && kind === 'judged');
  return makeVisible(isJudged && !reason.startsWith('judge') ? `judge: ${reason}` : reason);
}

/** A reason that is cut begins with what happened: that something was expected is what every one of them says. */
function shortened(reason: string): string {
  const forbidden = /^expected no call of .+?, saw (?=\S)/.exec(reason)?.[0];
  return forbidden === undefined
    ? reason.replace(/^expected /, '')
    : `called ${reason.slice(forbidden.length)}`;
}

/**
 * What is said of the selected row on a line of its own, most important first: the check that decides it, how often
 * that passed, and why it did not. Empty before the first trial has ended.
 */
export function detailLine(row: ScenarioTally): Segment[] {
  const rate = rowRate(row);
  const checkId = row.why?.checkId ?? rate?.checkId;
  const parts = [
    checkId === undefined ? [] : [segment(makeVisible(checkId), 'accent')],
    rate ? [segment(`${rate.rate}  ${rate.interval}`)] : [],
    row.why ? [segment(reasonText(row, row.why), reasonTone(row))] : [],
  ].filter((part) => part.length > 0);
  return parts.flatMap((part, index) => (index > 0 ? [segment('   '), ...part] : part));
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

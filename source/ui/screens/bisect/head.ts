import { makeVisible } from '../../../base/text.js';
import { textWidth } from '../../../base/width.js';
import { numbered } from '../../../bisect/finding-short.js';
import { currentBudget, currentStrategy, liveEntries, spentTrials } from '../../../bisect/session.js';
import { watchedText } from '../../../report/bisect-words.js';
import { formatKnownTokens } from '../../../report/format.js';
import { paceText } from '../../../report/pace-text.js';
import type { BisectPurpose, Watched } from '../../../run/bisect-events.js';
import type { AppModel } from '../../model.js';
import { joinFitting, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import { spinnerFrame } from '../../theme.js';
import { fitName } from '../grid/name.js';
import { endsTexts } from './ends.js';
import type { BisectStanding } from './rows.js';

/** Both ends and what is watched; at the other end how far it is and what it took. */
export function titleLine(model: AppModel, standing: BisectStanding, width: number): Segment[] {
  const { theme, store } = model;
  const { record, session } = standing;
  const spent = `${spentTrials(session)} of ${currentBudget(session)} trials`;
  const { tally } = store;
  const tokens =
    tally &&
    formatKnownTokens(
      tally.tokens.agent.input + tally.tokens.agent.output,
      tally.tokens.isAgentPartial ?? false,
    );
  const facts: Line[] = [
    [segment(spent, 'strong')],
    ...stepParts(standing),
    ...(tokens === undefined ? [] : [[segment(`${tokens} tok`, 'faint')]]),
  ];
  const right = joinFitting(facts, Math.max(16, Math.floor(width / 2)), 3);
  const title = [segment(' '), segment('bisect', 'title'), gap];
  const room = width - lineWidth([...title, gap]) - lineWidth(right) - 1;
  const ends = endNames(standing, theme.glyphs.arrow, room - leastWatched);
  const watched = watchedOf(record.watched());
  // What is watched may be long: its two ends stay, for the check stands at the end.
  const left = [
    ...title,
    segment(ends, 'accent'),
    gap,
    segment(nameWithin(watched, Math.max(leastWatched, room - textWidth(ends)))),
  ];
  return spreadLine(left, right, width);
}

const gap = segment('   ');
/** Cells that what is watched has whatever the ends are called. */
const leastWatched = 8;

/** What both ends are called, in so many cells: of two long names each is cut in its middle. */
function endNames({ record }: BisectStanding, arrow: string, width: number): string {
  const { good, bad } = record.planned;
  const [from, to] = [makeVisible(good.name), makeVisible(bad.name)];
  const between = ` ${arrow} `;
  const room = Math.max(leastWatched, width - textWidth(between));
  const half = Math.floor(room / 2);
  const first = nameWithin(from, Math.max(half, room - textWidth(to)));
  return `${first}${between}${nameWithin(to, Math.max(half, room - textWidth(first)))}`;
}

/** A name in at most so many cells. */
function nameWithin(name: string, width: number): string {
  return fitName(name, Math.min(width, textWidth(name)));
}

/** Which step it is, from the first one on. */
function stepParts({ session, status }: BisectStanding): Line[] {
  if (currentStrategy(session) !== 'guided') return [];
  const done = new Set(
    liveEntries(session).flatMap((entry) =>
      entry.kind === 'accept' || entry.kind === 'skip' || entry.kind === 'override' ? [entry.hunk] : [],
    ),
  );
  const isInStep =
    status.kind === 'deciding' ||
    (status.kind === 'trying' && status.purpose.kind === 'step' && !done.has(status.purpose.hunk));
  const step = Math.min(session.hunks, done.size + (isInStep ? 1 : 0));
  return step === 0 ? [] : [[segment(`step ${step} of ${session.hunks}`, 'faint')]];
}

/** What is watched: the first, and how many more. */
function watchedOf([first, ...others]: readonly Watched[]): string {
  if (!first) return '';
  return others.length === 0 ? watchedText(first) : `${watchedText(first)} + ${others.length} more`;
}

/** What is known of both ends; at the other end what is going on, and who is waited for. */
export function statusLineOf(model: AppModel, standing: BisectStanding, width: number): Segment[] {
  const { theme, clock, store, state } = model;
  const { status, session } = standing;
  const now = clock.now();
  const waits = (store.run.paces?.() ?? []).flatMap((pace) => paceText(pace, now) ?? []);
  const spin = spinnerFrame(theme.glyphs, now);
  const doing: Segment = state.isStopping
    ? segment(`${spin} stopping`, 'warn')
    : store.run.controls?.isPaused
      ? segment('paused', 'warn')
      : status.kind === 'trying'
        ? segment(`${spin} ${purposeText(status.purpose)}`, 'running')
        : segment(restText(standing), status.kind === 'found' ? 'strong' : 'accent');
  const right: Line = [
    ...waits.flatMap((text) => [segment(makeVisible(text), 'warn'), segment('   ')]),
    segment(`${currentStrategy(session)}   `, 'faint'),
    doing,
  ];
  // What goes on matters more than what was measured, and is never cut for it.
  const shown = lineWidth(right) + 20 <= width ? right : [doing];
  const { texts, isUnclear } = endsTexts(standing);
  const room = width - lineWidth(shown) - 2;
  const ends = texts.find((text) => textWidth(text) <= room) ?? texts.at(-1) ?? '';
  return spreadLine([segment(' '), segment(ends, isUnclear ? 'warn' : 'plain')], shown, width);
}

function restText({ status, desk }: BisectStanding): string {
  switch (status.kind) {
    case 'planned':
      return 'not begun';
    case 'waiting':
    case 'deciding':
    case 'asking':
      return 'waits for you';
    case 'found':
      return 'over';
    case 'stopped':
      return desk.controls ? 'stopped' : 'not finished';
    case 'trying':
      return '';
  }
}

/** What trials are for, in a few words. */
function purposeText(purpose: BisectPurpose): string {
  switch (purpose.kind) {
    case 'ends':
      return 'measuring both ends';
    case 'step':
      return `reverting ${purpose.hunk + 1}`;
    case 'search':
      return 'searching';
    case 'confirm':
      return purpose.hunks.length === 0 ? 'confirming' : `confirming ${numbered(purpose.hunks)}`;
    case 'cure':
      return `does reverting ${numbered(purpose.hunks)} cure?`;
    case 'suite':
      return 'the rest of the suite';
  }
}

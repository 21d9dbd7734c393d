import { makeVisible } from '../../../base/text.js';
import { textWidth } from '../../../base/width.js';
import { ranges } from '../../../bisect/finding-short.js';
import { currentBudget, currentStrategy, liveEntries, spentTrials } from '../../../bisect/session.js';
import { watchedText } from '../../../report/bisect-words.js';
import { formatKnownTokens } from '../../../report/format.js';
import { paceText } from '../../../report/pace-text.js';
import type { BisectPurpose, Watched } from '../../../run/bisect-events.js';
import type { AppModel } from '../../model.js';
import { joinFitting, type Line, lineWidth, type Segment, segment, spreadLine } from '../../segments.js';
import { spinnerFrame } from '../../theme.js';
import { fitName } from '../grid/name.js';
import { endsText } from './detail.js';
import type { BisectStanding } from './rows.js';

/** Both ends and what is watched; at the other end how far it is and what it took. */
export function titleLine(model: AppModel, standing: BisectStanding, width: number): Segment[] {
  const { theme, store } = model;
  const { record, session } = standing;
  const { good, bad } = record.planned;
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
  const ends = `${makeVisible(good.name)} ${theme.glyphs.arrow} ${makeVisible(bad.name)}`;
  const right = joinFitting(facts, Math.max(16, Math.floor(width / 2)), 3);
  // What is watched may be long: its two ends stay, for the check stands at the end.
  const before = joinFitting([[segment('bisect', 'title')], [segment(ends, 'accent')]], width, 3);
  const room = width - lineWidth(before) - lineWidth(right) - 7;
  const watched = watchedOf(record.watched());
  const left = [
    ...before,
    segment('   '),
    segment(fitName(watched, Math.max(8, Math.min(room, textWidth(watched))))),
  ];
  return spreadLine([segment(' '), ...left], right, width);
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
  const ends = endsText(standing);
  const tone = ends.includes('do not separate') ? 'warn' : 'plain';
  // What goes on matters more than what was measured, and is never cut for it.
  const isRoomy = lineWidth(right) + 20 <= width;
  return spreadLine([segment(' '), segment(ends, tone)], isRoomy ? right : [doing], width);
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
export function purposeText(purpose: BisectPurpose): string {
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

/** Hunks as people count them, from 1. */
export function numbered(hunks: readonly number[]): string {
  return ranges([...hunks].sort((a, b) => a - b).map((hunk) => hunk + 1));
}

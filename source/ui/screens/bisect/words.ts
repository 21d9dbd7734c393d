import { numbered } from '../../../bisect/finding-short.js';
import { beginsStep } from '../../../bisect/guided.js';
import type { BisectRecord } from '../../../bisect/record.js';
import { type Entry, liveSteps, type Session } from '../../../bisect/session.js';
import { countOf } from '../../../report/format.js';
import type { BisectPurpose } from '../../../run/bisect-events.js';
import type { ShownStatus } from '../../bisect-desk.js';

/** What an undo takes back now: what is in flight, or told to begin, before what was there. */
export function takenBackText(record: BisectRecord, status: ShownStatus): string | undefined {
  const session = record.session();
  // The rest of the suite is no step: what led to it is the last.
  if (status.kind !== 'trying' || status.purpose.kind === 'suite') return undoneText(session);
  const { purpose } = status;
  return record.isGoing() || beginsStep(session, { purpose }) ? ofPurpose(purpose) : undoneText(session);
}

/** What the next undo takes back; undefined where there is nothing. */
function undoneText(session: Session): string | undefined {
  const step = liveSteps(session).at(-1);
  const [first] = step ?? [];
  if (!step || !first) return undefined;
  if (first.kind !== 'trial') return decisionText(first);
  const trials = countOf(step.filter(({ kind }) => kind === 'trial').length, 'trial');
  const notes = step.filter(({ kind }) => kind === 'note').length;
  return `${ofPurpose(first.purpose)} (${trials}${notes > 0 ? `, ${countOf(notes, 'note')}` : ''})`;
}

/** What trials for a purpose are called. */
export function ofPurpose(purpose: BisectPurpose): string {
  switch (purpose.kind) {
    case 'ends':
      return 'the measuring of both ends';
    case 'step':
      return `the step on hunk ${purpose.hunk + 1}`;
    case 'search':
      return 'a search';
    case 'confirm':
      return purpose.hunks.length === 0 ? 'a confirmation' : `the confirmation of ${numbered(purpose.hunks)}`;
    case 'cure':
      return `the cure check of ${numbered(purpose.hunks)}`;
    case 'suite':
      return 'the rest of the suite';
  }
}

type Said = Exclude<Entry, { kind: 'trial' }>;

function decisionText(said: Said): string {
  switch (said.kind) {
    case 'accept':
      return `the word on hunk ${said.hunk + 1}`;
    case 'skip':
      return `the skipping of hunk ${said.hunk + 1}`;
    case 'override':
      return `your word on hunk ${said.hunk + 1} (${said.says})`;
    case 'note':
      return 'a note';
    case 'hand-over':
      return `the hand-over to ${said.to}`;
    case 'watch':
      return 'the change of what is watched';
    case 'budget':
      return `the budget of ${said.budget}`;
    case 'undo':
      return 'an undo';
  }
}

import type { Entry } from '../../../bisect/session.js';
import { liveSteps, type Session } from '../../../bisect/session.js';
import { countOf } from '../../../report/format.js';
import type { BisectPurpose } from '../../../run/bisect-events.js';
import { numbered } from './head.js';

/** What the next undo takes back; undefined where there is nothing. */
export function undoneText(session: Session): string | undefined {
  const step = liveSteps(session).at(-1);
  const [first] = step ?? [];
  if (!step || !first) return undefined;
  if (first.kind !== 'trial') return decisionText(first);
  const trials = countOf(step.filter(({ kind }) => kind === 'trial').length, 'trial');
  const said = step.flatMap((entry) => (entry.kind === 'trial' ? [] : [saidText(entry)]));
  return `${ofPurpose(first.purpose)} (${[trials, ...said].join(', ')})`;
}

/** What trials for a purpose are called when they are taken back. */
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

/** Of what was said within a step. */
function saidText(said: Said): string {
  switch (said.kind) {
    case 'accept':
      return 'accepted';
    case 'skip':
      return 'skipped';
    case 'override':
      return `your word: ${said.says}`;
    case 'note':
      return 'a note';
    default:
      return decisionText(said);
  }
}

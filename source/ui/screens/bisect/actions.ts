import { messageOf, UserError } from '../../../base/errors.js';
import { findingVerdict } from '../../../bisect/finding-short.js';
import { currentBudget, mostTrials, type Session, spentTrials } from '../../../bisect/session.js';
import type { BisectDecision } from '../../../run/bisect-events.js';
import type { BisectDesk } from '../../bisect-desk.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { openScreen } from '../../screen-stack.js';
import { tell } from '../../told.js';
import { clamp, scrolled } from '../../viewport.js';
import { firstPromptsState } from '../prompts/state.js';
import { openedTrial } from '../trial/state.js';
import { firstWatchState } from '../watch/state.js';
import { cellsOfRow } from './rows.js';
import { listTop, lookAtBisect } from './view.js';
import { takenBackText } from './words.js';

/** What the keys of a bisect do. Why they cannot is said before, see `bisectFacts`. */
export const bisectActions = {
  'run-step'(model: AppModel): void {
    const look = lookAtBisect(model);
    if (!look) return;
    const { standing, row, state } = look;
    const { controls } = standing.desk;
    if (standing.status.kind === 'planned') controls?.begin();
    // What the person did not choose is what is proposed.
    else controls?.goOn(state.row === undefined ? undefined : row.hunk);
    follow(model);
  },
  'accept-verdict'(model: AppModel): void {
    const hunk = decidingHunk(model);
    if (hunk === undefined) return;
    decide(model, { kind: 'accept', hunk }, `hunk ${hunk + 1}: taken`);
    follow(model);
  },
  'override-verdict'(model: AppModel): void {
    const hunk = decidingHunk(model) ?? selectedHunk(model);
    if (hunk !== undefined) model.set({ field: { kind: 'override', hunk } });
  },
  'skip-hunk'(model: AppModel): void {
    const hunk = decidingHunk(model) ?? selectedHunk(model);
    if (hunk === undefined) return;
    decide(
      model,
      { kind: 'skip', hunk },
      `hunk ${hunk + 1} is skipped: no step of it unless you ask; a search may try it`,
    );
    follow(model);
  },
  'undo-step'(model: AppModel): void {
    const { bisectDesk } = model;
    if (!bisectDesk) return;
    const text = takenBackText(bisectDesk.record, bisectDesk.status());
    decide(model, { kind: 'undo', steps: 1 }, `taken back: ${text}; what it cost stays spent`);
    follow(model);
  },
  'note-bisect'(model: AppModel): void {
    const hunk = decidingHunk(model) ?? selectedHunk(model);
    model.set({ field: { kind: 'bisect-note', text: '', ...(hunk !== undefined && { hunk }) } });
  },
  transcripts(model: AppModel): void {
    const look = lookAtBisect(model);
    const cell = look && cellsOfRow(look.row)[look.cell];
    if (cell) openScreen(model, { name: 'trial', ...openedTrial(cell.key) });
  },
  'open-prompts'(model: AppModel): void {
    const candidate = lookAtBisect(model)?.row.candidate;
    if (candidate !== undefined) openScreen(model, { name: 'prompts', candidate, ...firstPromptsState });
  },
  'change-watched'(model: AppModel): void {
    const watched = model.bisectDesk?.record.watched() ?? [];
    openScreen(model, { name: 'watch', ...firstWatchState(watched) });
  },
  'hand-over'(model: AppModel): void {
    decide(model, { kind: 'hand-over', to: 'auto' }, 'auto goes on from here; T takes it back');
    follow(model);
  },
  'take-over'(model: AppModel): void {
    decide(model, { kind: 'hand-over', to: 'guided' }, 'you have it again');
    follow(model);
  },
  'set-budget'(model: AppModel): void {
    const session = model.bisectDesk?.record.session();
    if (session)
      model.set({ field: { kind: 'budget', text: String(proposedBudget(session)), isFresh: true } });
  },
  'write-narrowed'(model: AppModel): void {
    model.set({ field: { kind: 'write' } });
  },
  'leave-bisect': leaveBisect,
  'bisect-back'(model: AppModel): void {
    if (model.bisect?.pane === 'detail') model.setBisect({ pane: 'list' });
    else if (model.back) leaveBisect(model);
    else model.say('nothing to go back to: q leaves');
  },
  'other-pane': (model: AppModel) =>
    model.setBisect({ pane: model.bisect?.pane === 'list' ? 'detail' : 'list' }),
  ...movingActions('bisect', heightOf, move),
  'next-cell': (model: AppModel) => moveCell(model, 1),
  'previous-cell': (model: AppModel) => moveCell(model, -1),
};

/** Says it to the bisect, and to the person that it was heard, or will be. */
export function decide(model: AppModel, decision: BisectDecision, text: string): void {
  const { bisectDesk } = model;
  const isTrying = bisectDesk?.status().kind === 'trying';
  try {
    bisectDesk?.controls?.decide(decision);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    model.say(error.message, 'warn');
    return;
  }
  model.say(isTrying ? `once what is in flight has ended: ${text}` : text);
}

/** The person's word on a hunk. */
export function giveOverride(model: AppModel, hunk: number, says: 'guilty' | 'innocent'): void {
  decide(model, { kind: 'override', hunk, says }, `hunk ${hunk + 1} is ${says}, as you say`);
  follow(model);
}

export function giveNote(model: AppModel, text: string, hunk: number | undefined): void {
  decide(model, { kind: 'note', text, ...(hunk !== undefined && { hunk }) }, 'noted');
}

/** The budget in force, which the mere Enter keeps; where that is spent, enough to go on. */
function proposedBudget(session: Session): number {
  const [budget, spent] = [currentBudget(session), spentTrials(session)];
  return budget > spent ? budget : Math.min(mostTrials, spent + 60);
}

/** Sets the budget; where the person was asked whether to go on, that is a yes. */
export function giveBudget(model: AppModel, budget: number): void {
  const { bisectDesk } = model;
  const isAsking = bisectDesk?.status().kind === 'asking';
  const isSame = bisectDesk !== undefined && currentBudget(bisectDesk.record.session()) === budget;
  if (isSame) model.say(`the budget stays ${budget} trials`);
  else decide(model, { kind: 'budget', budget }, `the budget is ${budget} trials`);
  if (isAsking) model.bisectDesk?.controls?.goOn();
}

/** Writes the narrowed prompt, and says where. */
export function writeNarrowed(model: AppModel): void {
  const writing = model.bisectDesk?.controls?.writeNarrowed();
  if (!writing) return;
  model.say('writing …');
  writing.then(
    ({ path, isOld }) =>
      tell(model, {
        text: `${isOld ? 'there already, nothing written' : 'written'}: ${path}`,
        isProblem: false,
      }),
    (error) => tell(model, { text: `not written: ${messageOf(error)}`, isProblem: true }),
  );
}

/** Trials in flight would be lost: that is asked about. Else nothing is. */
function leaveBisect(model: AppModel): void {
  if (model.bisectDesk?.status().kind === 'trying' && model.bisectDesk.controls)
    model.set({ field: { kind: 'leave' } });
  else if (model.back) goBack(model, model.back);
  else model.leave({ how: 'quit' });
}

/** To the screens that it was opened from; it is closed then, and goes on another time. */
export function goBack(model: AppModel, back: NonNullable<AppModel['back']>): void {
  const { bisectDesk } = model;
  back(bisectDesk?.controls ? leftText(bisectDesk) : undefined);
}

/** What was found, else how it goes on. Without the program's name, which may be a path: there is little room. */
function leftText({ record, status }: BisectDesk): string {
  const how = `--resume ${record.started.runId}`;
  const now = status();
  if (now.kind !== 'found') return `the bisect goes on with ${how}`;
  return `${findingVerdict(now.found.finding, record.diff.hunks.length)}; again: ${how}`;
}

function decidingHunk({ bisectDesk }: AppModel): number | undefined {
  const status = bisectDesk?.status();
  return status?.kind === 'deciding' ? status.next.hunk : undefined;
}

function selectedHunk(model: AppModel): number | undefined {
  return lookAtBisect(model)?.row.hunk;
}

/** What goes on is looked at again. */
function follow(model: AppModel): void {
  model.setBisect({ row: undefined, cell: undefined, detailTop: 0 });
}

function heightOf(model: AppModel): number {
  const look = lookAtBisect(model);
  if (!look) return 1;
  return look.state.pane === 'list' ? look.geometry.listRows : look.textHeight;
}

function move(model: AppModel, steps: number): void {
  const look = lookAtBisect(model);
  if (!look) return;
  const { state, standing, geometry, detail, textTop, textHeight } = look;
  if (state.pane === 'detail') {
    const view = { top: textTop, height: textHeight, count: detail.text.length };
    model.setBisect({ detailTop: scrolled(view, steps) });
    return;
  }
  const at = clamp(standing.at + steps, 0, standing.rows.length - 1);
  const row = standing.rows[at];
  const top = listTop(state, { ...standing, at }, geometry.listRows);
  if (row) model.setBisect({ row: row.id, top, cell: undefined, detailTop: 0 });
}

function moveCell(model: AppModel, steps: number): void {
  const look = lookAtBisect(model);
  if (!look) return;
  const count = cellsOfRow(look.row).length;
  model.setBisect({ row: look.row.id, cell: clamp(look.cell + steps, 0, count - 1) });
}

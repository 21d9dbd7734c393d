import type { ChangeClass } from '../../run/change-classes.js';
import type { AppModel } from '../model.js';
import { giveOverride, goBack, writeNarrowed } from '../screens/bisect/actions.js';
import { bisectOf } from '../screens/bisect/opening.js';
import { giveClass } from '../screens/compare/actions.js';
import { removeRun } from '../screens/history/actions.js';
import { saveBaseline } from '../screens/history/promote.js';
import { spend } from '../screens/home/actions.js';
import { askQuarantine, openTriageAt, release, runAgain } from '../screens/triage/quarantine.js';
import type { QuestionField } from '../state.js';
import { abandon } from './leaving.js';

/** Answers a question by a key. Keys that are no answer change nothing. */
export function answerQuestion(model: AppModel, field: QuestionField, key: string): void {
  if (field.kind === 'leave') answerLeave(model, key);
  else if (field.kind === 'class') answerClass(model, field, key);
  else answerChoice(model, field, key);
}

function answerLeave(model: AppModel, key: string): void {
  if (key === 'y' || key === 'Y') {
    model.set({ field: undefined });
    // What was opened over other screens leads back to them, and is aborted and closed on the way.
    if (model.back) leaveFor(model, model.back);
    else abandon(model);
  } else if (key === 'n' || key === 'N' || key === 'escape' || key === 'q') {
    model.set({ field: undefined });
  }
}

/** Whoever opened it is told how it goes on; it is aborted and closed on the way. */
function leaveFor(model: AppModel, back: NonNullable<AppModel['back']>): void {
  if (model.bisectDesk) goBack(model, back);
  else back(`run ${model.store.tally?.started.runId ?? ''} can be gone on with`);
}

const classKeys: Record<string, ChangeClass | undefined> = {
  r: 'regression',
  i: 'intended-change',
  b: 'bad-criterion',
};

/** One key is the answer; the same as before takes it back. */
function answerClass(model: AppModel, field: Extract<QuestionField, { kind: 'class' }>, key: string): void {
  const chosen = classKeys[key];
  if (chosen === undefined) {
    if (key === 'escape') model.set({ field: undefined });
    return;
  }
  const { scenario, check } = field;
  const before = model.changeDesk?.classOf({ scenario, check })?.class;
  model.set({ field: undefined });
  giveClass(model, { scenario, check }, chosen === before ? undefined : chosen);
}

/** Questions of which most are answered with y or n. */
type ChoiceField = Exclude<QuestionField, { kind: 'leave' | 'class' }>;

function answerChoice(model: AppModel, field: ChoiceField, key: string): void {
  const close = () => model.set({ field: undefined });
  if (key === 'escape') close();
  else if (field.kind === 'override') {
    if (key !== 'g' && key !== 'i') return;
    close();
    giveOverride(model, field.hunk, key === 'g' ? 'guilty' : 'innocent');
  } else if (field.kind === 'quarantine-what') {
    const { scenario, check } = field;
    if (field.isOnGrid && key === 't') {
      close();
      openTriageAt(model, scenario, check);
      return;
    }
    if (key !== 's' && (key !== 'c' || check === undefined)) return;
    close();
    askQuarantine(model, key === 'c' && check !== undefined ? { scenario, check } : { scenario });
  } else if (key === 'n' || key === 'N' || key === 'q') close();
  else if (key === 'y' || key === 'Y') {
    close();
    agree(model, field);
  }
}

function agree(model: AppModel, field: Exclude<ChoiceField, { kind: 'override' | 'quarantine-what' }>): void {
  switch (field.kind) {
    case 'write':
      writeNarrowed(model);
      break;
    case 'bisect':
      bisectOf(model, field.watched);
      break;
    case 'run-again':
      runAgain(model, field.scenario);
      break;
    case 'release':
      release(model, field.entry);
      break;
    case 'delete-run':
      removeRun(model, field.runId);
      break;
    case 'promote':
      saveBaseline(model, field.run, field.proposal);
      break;
    case 'spend':
      spend(model, field.what);
      break;
  }
}

import { criterionId } from '../../../run/change-classes.js';
import type { QuarantineEntry } from '../../../run/planned.js';
import type { AppModel } from '../../model.js';
import { openScreen } from '../../screen-stack.js';
import { type Field, topScreen } from '../../state.js';
import { type Told, tell } from '../../told.js';
import type { QuarantineKey, QuarantineWish } from '../../triage-desk.js';
import { firstTriageState } from './state.js';

/** What is asked of a new entry, in this order. */
export const quarantineSteps = ['reason', 'owner', 'until'] as const;

type QuarantineField = Extract<Field, { kind: 'quarantine' }>;

/** Asks why, once it is known that it can be quarantined, and who owns it, until when. */
export function askQuarantine(model: AppModel, key: QuarantineKey): void {
  const desk = model.openTriage();
  if (!desk) return;
  const { name } = topScreen(model.state);
  model.say('looking who may own it …');
  void desk.propose(key).then((proposed) => {
    // Whoever went on meanwhile is not called back.
    if (model.state.field || topScreen(model.state).name !== name) return;
    if ('problem' in proposed) model.say(proposed.problem, 'warn');
    else {
      const { isBroken, ...rest } = proposed;
      const wish = { ...key, reason: '', ...rest };
      model.set({ field: { kind: 'quarantine', step: 'reason', text: '', wish }, message: undefined });
      if (isBroken) model.say('it fails in every run: broken, not flaky', 'warn');
    }
    model.publish();
  });
}

/** Opens the triage over the grid, at a check of a scenario. */
export function openTriageAt(model: AppModel, scenario: string, check: string | undefined): void {
  const selected = check === undefined ? undefined : criterionId({ scenario, check });
  const state = {
    ...firstTriageState,
    selected,
    ...(check === undefined && { filter: scenario }),
    isAll: true,
  };
  openScreen(model, { name: 'triage', ...state });
}

/** Takes an answer, and asks the next question or writes the entry. */
export function acceptQuarantine(model: AppModel, field: QuarantineField): void {
  const text = field.text.trim();
  const problem = whyNot(model, field.step, text);
  if (problem !== undefined) {
    model.say(problem, 'warn');
    return;
  }
  const wish: QuarantineWish = { ...field.wish, [field.step]: text };
  const step = quarantineSteps[quarantineSteps.indexOf(field.step) + 1];
  if (step) {
    model.set({ field: { ...field, step, wish, text: wish[step] } });
    return;
  }
  model.set({ field: undefined });
  const desk = model.openTriage();
  if (desk) tellWhenDone(model, desk.quarantine(wish));
}

/** Goes back to what was asked before; what was typed is kept. */
export function previousQuestion(model: AppModel, field: QuarantineField): void {
  const step = quarantineSteps[quarantineSteps.indexOf(field.step) - 1];
  if (!step) return;
  const wish = { ...field.wish, [field.step]: field.text };
  model.set({ field: { ...field, step, wish, text: wish[step] }, message: undefined });
}

function whyNot(model: AppModel, step: QuarantineField['step'], text: string): string | undefined {
  if (step === 'reason') return text === '' ? 'say why it may flip, for whoever releases it' : undefined;
  if (step === 'owner') return text === '' ? 'say who sees to it that it ends' : undefined;
  return model.triageDesk?.whyNoEnd(text);
}

/** Moves the last day of an entry. */
export function acceptEnd(model: AppModel, entry: QuarantineEntry, text: string): void {
  const until = text.trim();
  const problem =
    model.triageDesk?.whyNoEnd(until) ?? (until === entry.until ? 'that is its last day already' : undefined);
  if (problem !== undefined) {
    model.say(problem, 'warn');
    return;
  }
  model.set({ field: undefined });
  if (model.triageDesk) tellWhenDone(model, model.triageDesk.extend(entry, until));
}

/** Releases an entry. */
export function release(model: AppModel, entry: QuarantineEntry): void {
  if (model.triageDesk) tellWhenDone(model, model.triageDesk.release(entry));
}

/** Runs a scenario once more over these screens, as the plan of its suite says. */
export function runAgain(model: AppModel, scenario: string): void {
  const suite = model.triagedSuite;
  if (!suite) return;
  model.say('reading the suite …');
  model.enter(() => suite.runAgain(scenario), 'written');
}

/** Says what became of a change, once it is known. */
export function tellWhenDone(model: AppModel, told: Promise<Told>): void {
  void told.then((done) => tell(model, done));
}

import { criterionId } from '../../../run/change-classes.js';
import { disagreementOf } from '../../../triage/disagree.js';
import type { TriageRow } from '../../../triage/suggest.js';
import { quit } from '../../keys/leaving.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import { topScreen } from '../../state.js';
import { clamp, topFor } from '../../viewport.js';
import { openDisagreement } from '../sides/actions.js';
import { tellWhenDone } from './quarantine.js';
import { triageSorts, triageSortTitles } from './state.js';
import { lookAtTriage, triageHeights } from './view.js';

/** What the keys of the triage do. */
export const triageActions = {
  'quarantine-scenario'(model: AppModel): void {
    const row = model.store.tally?.rowById.get(model.order.at(model.grid.index) ?? '');
    if (!row) return;
    const { scenario, why } = row;
    model.set({
      field: { kind: 'quarantine-what', scenario: scenario.id, check: why?.checkId, isOnGrid: true },
    });
  },
  'undo-on-grid': undo,
  'quarantine-row'(model: AppModel): void {
    const row = selectedFlake(model);
    if (row) model.set({ field: { kind: 'quarantine-what', scenario: row.scenario, check: row.check } });
  },
  'release-row'(model: AppModel): void {
    const entry = selectedFlake(model)?.entry;
    if (entry) model.set({ field: { kind: 'release', entry } });
  },
  'extend-row'(model: AppModel): void {
    const entry = selectedFlake(model)?.entry;
    if (!entry || !model.triageDesk) return;
    void model.triageDesk.proposeEnd().then((text) => {
      // Whoever went on meanwhile is not called back.
      if (text === undefined || model.state.field || selectedFlake(model)?.entry !== entry) return;
      model.set({ field: { kind: 'extend', entry, text } });
      model.publish();
    });
  },
  'undo-quarantine': undo,
  'open-trials'(model: AppModel): void {
    const row = selectedFlake(model);
    const runs = row && disagreementOf(row);
    const { triageDesk } = model;
    if (!row || !runs || !triageDesk) return;
    model.say('looking for two trials that disagree …');
    void triageDesk.openTrials(row, runs).then((found) => {
      // Whoever went on meanwhile is not called back.
      const isStill = topScreen(model.state).name === 'triage' && !model.state.field;
      const now = selectedFlake(model);
      if (!isStill || !now || criterionId(now) !== criterionId(row)) return;
      model.set({ message: undefined });
      if ('problem' in found) model.say(found.problem, 'warn');
      else openDisagreement(model, found, runs);
      model.publish();
    });
  },
  rewrite(model: AppModel): void {
    const row = selectedFlake(model);
    const place = row && model.triageDesk?.placeOf(row.scenario);
    if (!row || !place) return;
    void model.edit(place).then((problem) => {
      void model.triageDesk?.refresh();
      if (problem !== undefined) model.say(problem, 'warn');
      // Whatever was done meanwhile, the question is the same: does it still flip?
      else model.set({ field: { kind: 'run-again', scenario: row.scenario } });
      model.publish();
    });
  },
  'triage-filter'(model: AppModel): void {
    model.set({ field: { kind: 'triage-filter', text: model.triage?.filter ?? '' } });
  },
  'triage-sort'(model: AppModel): void {
    if (!model.triage) return;
    const at = triageSorts.indexOf(model.triage.sort);
    const sort = triageSorts[(at + 1) % triageSorts.length] ?? 'flips';
    model.setTriage({ sort });
    moveBy(model, 0);
    model.say(`sorted: ${triageSortTitles[sort]}`);
  },
  'all-checks'(model: AppModel): void {
    const isAll = model.triage?.isAll !== true;
    model.setTriage({ isAll });
    moveBy(model, 0);
    model.say(
      isAll ? 'every check that was run' : 'only what flipped lately, is quarantined, or wants something',
    );
  },
  ...movingActions('triage', heightOf, moveBy),
  'next-triage': (model: AppModel) => turn(model, 1),
  'previous-triage': (model: AppModel) => turn(model, -1),
  'triage-back'(model: AppModel): void {
    if (model.triage?.filter) setTriageFilter(model, '');
    else if (model.triageSuites.length === 0) leaveOver(model);
    else model.back?.();
  },
  'leave-triage'(model: AppModel): void {
    if (model.triageSuites.length === 0) leaveOver(model);
    else quit(model);
  },
};

/** To the screen that the triage is over; home tells of what was changed. */
function leaveOver(model: AppModel): void {
  closeScreen(model);
  model.home?.refresh();
}

/** The check under the marker of the triage. */
export function selectedFlake(model: AppModel): TriageRow | undefined {
  const look = lookAtTriage(model);
  return look?.rows[look.index];
}

/** Takes the last change of the quarantine back, and says so. */
export function undo(model: AppModel): void {
  const { triageDesk } = model;
  if (triageDesk) tellWhenDone(model, triageDesk.undo());
}

/** Shows the rows that have a text. What is selected stays so where it is among them. */
export function setTriageFilter(model: AppModel, filter: string): void {
  model.setTriage({ filter, top: 0 });
  moveBy(model, 0);
}

/** Selects a row, and has it in view. */
export function moveBy(model: AppModel, steps: number): void {
  const look = lookAtTriage(model);
  if (!look || look.rows.length === 0) return;
  const { rows, of } = look;
  const index = clamp(look.index + steps, 0, rows.length - 1);
  const row = rows[index];
  const view = {
    top: model.triage?.top ?? 0,
    height: triageHeights(model.state.size, of).list,
    count: rows.length,
  };
  if (row) model.setTriage({ selected: criterionId(row), index, top: topFor(view, index) });
}

function heightOf(model: AppModel): number {
  const look = lookAtTriage(model);
  return look ? triageHeights(model.state.size, look.of).list : 1;
}

function turn(model: AppModel, by: number): void {
  const count = model.triageSuites.length;
  if (!model.triage || count === 0) return;
  model.setTriage({ at: (model.triage.at + by + count) % count, selected: undefined, index: 0, top: 0 });
}

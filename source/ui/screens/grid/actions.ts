import { countOf } from '../../../report/format.js';
import type { ScenarioTally, Verdict } from '../../../tally/types.js';
import { quit } from '../../keys/leaving.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { openScreen } from '../../screen-stack.js';
import { openedTrial } from '../trial/state.js';
import { gridHeight } from './geometry.js';
import { shownGroups } from './groups.js';
import { nextSort, sortTitles } from './sort.js';
import { cellIndex, cellsOf, movedCell, selectedAt } from './state.js';
import { redElsewhere } from './totals.js';

/** What the keys of the grid do. */
export const gridActions = {
  open(model: AppModel): void {
    const row = selectedRow(model);
    const cell = row && cellsOf(row)[cellIndex(row, model.grid.cell)];
    if (!row || !cell) return;
    // What is open is also what is selected, so that coming back is coming back to it.
    model.setGrid({ selected: row.scenario.id, isChosen: true });
    openScreen(model, { name: 'trial', ...openedTrial({ scenario: row.scenario.id, ...cell }) });
  },
  ...movingActions('grid', heightOf, moveRows),
  'cell-right': (model: AppModel) => moveCells(model, 1),
  'cell-left': (model: AppModel) => moveCells(model, -1),
  'next-failing': (model: AppModel) => jumpToFailing(model, 1),
  'previous-failing': (model: AppModel) => jumpToFailing(model, -1),
  filter(model: AppModel): void {
    model.set({ field: { kind: 'filter', text: model.grid.filter } });
  },
  'clear-filter'(model: AppModel): void {
    if (model.grid.filter !== '') model.setGrid({ filter: '' });
    else if (model.back) quit(model);
  },
  sort(model: AppModel): void {
    const { grid } = model;
    const sort = nextSort(grid.sort, model.store.comparison !== undefined);
    // Somebody who has not chosen a row yet wants to see what the sort brings to the top.
    model.setGrid(grid.isChosen ? { sort } : { sort, selected: undefined });
    model.settings.set('sort', sort);
    model.say(`sorted: ${sortTitles[sort]}`);
  },
  pause(model: AppModel): void {
    const { controls } = model.store.run;
    if (!controls) return;
    if (controls.isPaused) {
      controls.resume();
      model.store.pace.restart(model.clock.now());
      model.say('going on');
      return;
    }
    controls.pause();
    const running = model.store.tally?.trials.running ?? 0;
    model.say(`paused: ${running} in flight finish, no new trial starts; p goes on`);
  },
  'run-again'(model: AppModel): void {
    addTrials(model, selectedRow(model)?.scenario.id, 1);
  },
  'add-trials'(model: AppModel): void {
    const row = selectedRow(model);
    if (!row) return;
    const text = String(model.store.tally?.started.plan.repeat ?? 1);
    model.set({ field: { kind: 'add', text, scenario: row.scenario.id, isFresh: true } });
  },
  'next-run': (model: AppModel) => switchRun(model, 1),
  'previous-run': (model: AppModel) => switchRun(model, -1),
  quit,
};

/** The row under the marker, as the tally has it. */
export function selectedRow(model: AppModel): ScenarioTally | undefined {
  return model.store.tally?.rowById.get(model.order.at(model.grid.index) ?? '');
}

/** Has the run do more trials of a scenario, and says so. */
export function addTrials(model: AppModel, scenario: string | undefined, count: number): void {
  const { controls } = model.store.run;
  if (!controls || scenario === undefined) return;
  controls.addTrials(scenario, count);
  const conditions = model.store.tally?.conditions.length ?? 1;
  const under = conditions > 1 ? ' under every condition' : '';
  model.say(`added ${countOf(count, 'trial')}${under} to ${scenario}`);
}

function heightOf({ state, store }: AppModel): number {
  return gridHeight(state.size, store.tally ? shownGroups(store.tally).length : 1);
}

function moveRows(model: AppModel, steps: number): void {
  const { grid, order } = model;
  model.setGrid(selectedAt(grid, order, heightOf(model), grid.index + steps));
}

function moveCells(model: AppModel, steps: number): void {
  const row = selectedRow(model);
  if (row) model.setGrid({ ...movedCell(model.grid, row, steps), selected: row.scenario.id, isChosen: true });
}

function switchRun(model: AppModel, steps: number): void {
  const count = model.stores.length;
  model.set({ run: (model.state.run + steps + count) % count });
}

/** Worst first: what is looked for is the first of these that the grid holds at all. */
const failing: readonly Verdict[] = ['fail', 'error', 'warn', 'unknown'];
const failingWords: Record<Verdict, string> = {
  fail: 'fails',
  error: 'could not be run',
  warn: 'warns',
  unknown: 'is unknown',
  pass: 'passes',
};

function jumpToFailing(model: AppModel, direction: 1 | -1): void {
  const { order, store, grid } = model;
  /** What is quarantined is in nobody's way. */
  const verdictAt = (index: number) => {
    const row = store.tally?.rowById.get(order.at(index) ?? '');
    return row?.isQuarantined ? undefined : row?.verdict;
  };
  const wanted = failing.find((verdict) => {
    for (let index = 0; index < order.count; index++) if (verdictAt(index) === verdict) return true;
    return false;
  });
  if (wanted === undefined) {
    const why = store.tally && redElsewhere(store.tally, store.gate);
    if (grid.filter !== '') model.say('nothing that the filter shows fails');
    else model.say(why === undefined ? 'nothing fails so far' : `no scenario fails: ${why}`);
    return;
  }
  for (let step = 1; step <= order.count; step++) {
    const index = (grid.index + direction * step + order.count * 2) % order.count;
    if (verdictAt(index) !== wanted) continue;
    // No cell is chosen: the row shows its worst.
    model.setGrid({ ...selectedAt(grid, order, heightOf(model), index), cell: undefined });
    const isAround = direction > 0 ? index <= grid.index : index >= grid.index;
    if (step === order.count) model.say(`no other scenario ${failingWords[wanted]}`);
    else if (wanted !== 'fail') model.say(`nothing fails; this one ${failingWords[wanted]}`);
    else if (isAround) model.say(direction > 0 ? 'on from the top' : 'on from the bottom');
    return;
  }
}

import type { Clock } from '../base/clock.js';
import type { ReviewDesk } from '../grade/labels/desk.js';
import type { RunTally } from '../tally/types.js';
import { isGoing } from './keys/leaving.js';
import type { AppModel } from './model.js';
import { parseFilter } from './screens/grid/filter.js';
import { gridHeight } from './screens/grid/geometry.js';
import { shownGroups } from './screens/grid/groups.js';
import { createRowOrder, type RowOrder } from './screens/grid/row-order.js';
import { isSortName, type SortName } from './screens/grid/sort.js';
import { firstGridState, type GridState, reconciled } from './screens/grid/state.js';
import { firstReviewState } from './screens/review/state.js';
import { createTrialLayouts } from './screens/trial/contents.js';
import { openDeskState } from './screens/trial/desk-state.js';
import { createTrialCache } from './screens/trial/trial-cache.js';
import type { AppState } from './state.js';
import { createStore, type RunStore } from './store.js';
import type { Size } from './terminal/size.js';
import type { Theme } from './theme.js';
import type { AppResult, AppRun, AppSettings } from './types.js';

export interface ModelOptions {
  runs: readonly AppRun[];
  /** Opens on the review of what lies there. */
  desk?: ReviewDesk | undefined;
  settings: AppSettings;
  clock: Clock;
  theme: Theme;
  size: Size;
  copy: AppModel['copy'];
  suspend(): void;
  redraw(): void;
  leave(result: AppResult): void;
  /** Ends the app with an error. */
  fail(error: unknown): void;
}

/** The model, with what whoever drives it needs: who draws, and when. */
export interface DrivenModel extends AppModel {
  resize(size: Size): void;
  /** Brings what is derived up to date and has the listeners draw. */
  publish(): void;
  subscribe(listener: () => void): () => void;
  /** A new object with every frame. */
  frame(): object;
  close(): void;
}

export function createModel(options: ModelOptions): DrivenModel {
  const { runs, settings, clock, theme, size } = options;
  const listeners = new Set<() => void>();
  let frame = {};
  let isDirty = false;
  const savedSort = settings.get('sort');
  let state: AppState = {
    size,
    run: 0,
    grids: runs.map(() => ({ ...firstGridState, sort: isSortName(savedSort) ? savedSort : 'order' })),
    over: options.desk ? [{ name: 'review', ...firstReviewState }] : [],
    field: undefined,
    message: undefined,
    isStopping: false,
  };

  const publish = () => {
    store.compare();
    for (let run = 0; run < store.runs.length; run++) refreshRun(run);
    isDirty = false;
    frame = {};
    for (const listener of listeners) listener();
  };
  const store = createStore(runs, clock, publish, options.fail);
  const orders = store.runs.map(createLiveOrder);
  const trials = createTrialCache(publish);
  const layOutTrial = createTrialLayouts();
  const desks = new Map<AppRun, ReturnType<typeof openDeskState>>();
  const storeOf = (run: number): RunStore => {
    const found = store.runs[run];
    if (!found) throw new Error(`there is no run ${run}`);
    return found;
  };
  const gridOf = (run: number): GridState => state.grids[run] ?? firstGridState;

  function orderOf(run: number): RowOrder {
    const { sort, filter } = gridOf(run);
    return orders[run]?.rows(sort, filter) ?? emptyOrder;
  }

  function refreshRun(run: number): void {
    const { tally } = storeOf(run);
    orders[run]?.update();
    const height = gridHeight(state.size, tally ? shownGroups(tally).length : 1);
    const grid = gridOf(run);
    const next = reconciled(grid, orderOf(run), height);
    if (next !== grid) replaceGrid(run, next);
    if (state.isStopping && !store.runs.some(isGoing)) {
      const text = 'stopped: what was not run can be resumed later';
      state = { ...state, isStopping: false, message: { text, tone: 'warn' } };
    }
  }

  function replaceGrid(run: number, grid: GridState): void {
    state = { ...state, grids: state.grids.map((old, index) => (index === run ? grid : old)) };
  }

  const model: DrivenModel = {
    clock,
    theme,
    settings,
    stores: store.runs,
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...change };
      isDirty = true;
    },
    say(text, tone = 'plain') {
      model.set({ message: { text, tone } });
    },
    get store() {
      return storeOf(state.run);
    },
    get grid() {
      return gridOf(state.run);
    },
    setGrid(change) {
      replaceGrid(state.run, { ...gridOf(state.run), ...change });
      isDirty = true;
    },
    get order() {
      return orderOf(state.run);
    },
    get trial() {
      return state.over.find((screen) => screen.name === 'trial');
    },
    setTrial(change) {
      model.set({
        over: state.over.map((screen) => (screen.name === 'trial' ? { ...screen, ...change } : screen)),
      });
    },
    get contents() {
      const { trial } = model;
      const { tally, run } = model.store;
      if (!trial || !tally) return undefined;
      const { scenario, condition, repeat } = trial.trial;
      const group = tally.rowById
        .get(scenario)
        ?.groups.find((candidate) => candidate.condition === condition);
      const cell = group?.cells.find((candidate) => candidate.repeat === repeat);
      if (!cell) return undefined;
      const reading = trials.look(run, trial.trial, cell);
      return layOutTrial(tally, trial, reading, state.size, theme, model.trialDesk);
    },
    get trialDesk() {
      const { tally, run } = model.store;
      let desk = desks.get(run);
      if (!desk && tally && run.openDesk && model.trial) {
        desk = openDeskState(run, tally.started, clock, publish);
        desks.set(run, desk);
      }
      return desk;
    },
    desk: options.desk,
    get review() {
      return state.over.find((screen) => screen.name === 'review');
    },
    setReview(review) {
      model.set({
        over: state.over.map((screen) => (screen.name === 'review' ? { name: 'review', ...review } : screen)),
      });
    },
    copy: options.copy,
    suspend: options.suspend,
    redraw: options.redraw,
    leave: options.leave,
    resize(next) {
      state = { ...state, size: next };
      publish();
    },
    publish() {
      if (isDirty) publish();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    frame: () => frame,
    close() {
      store.close();
      trials.close();
      for (const desk of desks.values()) desk.close();
      listeners.clear();
    },
  };
  publish();
  return model;
}

const emptyOrder: RowOrder = { count: 0, at: () => undefined, indexOf: () => -1, update: () => {} };

interface LiveOrder {
  /** The rows, made anew when the sort or the filter is another one. */
  rows(sort: SortName, filter: string): RowOrder;
  /** Takes the rows that changed to their places. Between two calls rows stand where the person saw them last. */
  update(): void;
}

function createLiveOrder(store: RunStore): LiveOrder {
  let made: { sort: SortName; filter: string; tally: RunTally; order: RowOrder } | undefined;
  return {
    rows(sort, filter) {
      const { tally } = store;
      if (!tally) return emptyOrder;
      if (made?.sort !== sort || made.filter !== filter || made.tally !== tally) {
        const { changeOf } = store;
        const order = createRowOrder(tally.rows, sort, parseFilter(filter, changeOf), changeOf);
        made = { sort, filter, tally, order };
      }
      return made.order;
    },
    update() {
      for (const scenario of store.takeTouched()) {
        const row = made?.tally.rowById.get(scenario);
        if (row) made?.order.update(row);
      }
    },
  };
}

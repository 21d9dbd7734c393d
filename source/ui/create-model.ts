import type { Clock } from '../base/clock.js';
import type { ReviewDesk } from '../grade/labels/desk.js';
import { createDoor } from './door.js';
import { guideResult } from './guide.js';
import { isGoing } from './keys/leaving.js';
import type { AppModel } from './model.js';
import { createEndFollower } from './screens/bisect/following.js';
import { firstBisectState } from './screens/bisect/state.js';
import { openChangeDesk } from './screens/compare/desk-state.js';
import { firstCompareState } from './screens/compare/state.js';
import { gridHeight } from './screens/grid/geometry.js';
import { shownGroups } from './screens/grid/groups.js';
import { createLiveOrder, emptyOrder } from './screens/grid/live-order.js';
import type { RowOrder } from './screens/grid/row-order.js';
import { isSortName } from './screens/grid/sort.js';
import { firstGridState, type GridState, reconciled } from './screens/grid/state.js';
import { firstHistoryState } from './screens/history/state.js';
import { firstHomeState } from './screens/home/state.js';
import { createPromptsContents } from './screens/prompts/contents.js';
import { firstReviewState } from './screens/review/state.js';
import { createSidesContents, flakeSides } from './screens/sides/contents.js';
import { openTriageStanding } from './screens/triage/standing.js';
import { firstTriageState } from './screens/triage/state.js';
import { createTrialLayouts } from './screens/trial/contents.js';
import { openDeskState } from './screens/trial/desk-state.js';
import { createTrialCache } from './screens/trial/trial-cache.js';
import type { AppState, Screen } from './state.js';
import { createStore, type RunStore } from './store.js';
import type { Size } from './terminal/size.js';
import type { Theme } from './theme.js';
import type { AppResult, AppRun, AppSettings, HomeDesk, PastRuns, TriagedSuite } from './types.js';

export interface ModelOptions {
  runs: readonly AppRun[];
  /** Opens on the review of what lies there. */
  desk?: ReviewDesk | undefined;
  /** Opens on what changed in the first run. */
  isComparing?: boolean | undefined;
  /** Opens on the history. */
  pastRuns?: PastRuns | undefined;
  /** Opens on the triage of these suites. */
  triage?: readonly TriagedSuite[] | undefined;
  /** Opens on home, the history of whose runs is over it. */
  home?: HomeDesk | undefined;
  /** Goes back to the screens that the run is opened from. */
  back?: AppModel['back'];
  settings: AppSettings;
  clock: Clock;
  theme: Theme;
  size: Size;
  copy: AppModel['copy'];
  suspend(): void;
  edit: AppModel['edit'];
  redraw(): void;
  leave(result: AppResult): void;
  /** Ends the app with an error. */
  fail(error: unknown): void;
}

/** The model, with what whoever drives it needs: who draws, and when. */
export interface DrivenModel extends AppModel {
  /** What is seen and hears the keys: the run that is open over this one, else itself. */
  readonly front: DrivenModel;
  resize(size: Size): void;
  /** Brings what is derived up to date and has the listeners draw. */
  publish(): void;
  subscribe(listener: () => void): () => void;
  /** A new object with every frame. */
  frame(): object;
  /** Resolves when the runs are closed that were opened over others. */
  close(): Promise<void>;
}

export function createModel(options: ModelOptions): DrivenModel {
  const { settings, clock, theme, size, pastRuns } = options;
  const runs = options.runs.length > 0 ? options.runs : [noRun];
  const listeners = new Set<() => void>();
  let frame = {};
  let isDirty = false;
  const savedSort = settings.get('sort');
  let state: AppState = {
    size,
    run: 0,
    grids: runs.map(() => ({ ...firstGridState, sort: isSortName(savedSort) ? savedSort : 'order' })),
    over: [
      ...(options.home ? [{ name: 'home', ...firstHomeState } as const] : []),
      ...(options.isComparing ? [{ name: 'compare', ...firstCompareState } as const] : []),
      ...(runs[0]?.bisect ? [{ name: 'bisect', ...firstBisectState } as const] : []),
      ...(options.desk ? [{ name: 'review', ...firstReviewState } as const] : []),
      ...(pastRuns ? [{ name: 'history', ...firstHistoryState(pastRuns.series.length) } as const] : []),
      ...(options.triage ? [{ name: 'triage', ...firstTriageState } as const] : []),
    ],
    field: undefined,
    message: pastRuns?.note === undefined ? undefined : { text: pastRuns.note, tone: 'plain' },
    guides: [],
    isStopping: false,
  };

  const publish = () => {
    store.compare();
    for (let run = 0; run < store.runs.length; run++) refreshRun(run);
    endGuides();
    followEnd(model);
    // A bisect is there once its files are read.
    unhear ??= (model.bisectDesk ?? model.home)?.subscribe(store.nudge);
    isDirty = false;
    draw();
  };
  const draw = () => {
    frame = {};
    for (const listener of listeners) listener();
  };
  const store = createStore(runs, clock, publish, options.fail);
  const orders = store.runs.map(createLiveOrder);
  const trials = createTrialCache(publish);
  const layOutTrial = createTrialLayouts();
  const desks = new Map<AppRun, ReturnType<typeof openDeskState>>();
  const changeDesks = new Map<AppRun, ReturnType<typeof openChangeDesk>>();
  const triageDesks = new Map<TriagedSuite, ReturnType<typeof openTriageStanding>>();
  const suitesOfRuns = new Map<AppRun, TriagedSuite>();
  const triageSuites = options.triage ?? [];
  const suitesOfHome = new Map<string, TriagedSuite>();
  const sidesCaches = { from: createTrialCache(publish), to: createTrialCache(publish) };
  const sidesContents = createSidesContents(sidesCaches);
  const promptsContents = createPromptsContents();
  const followEnd = createEndFollower();
  let unhear: (() => void) | undefined;
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

  /** Asks what a change is once the trials have ended that were to tell, and nothing else is being asked. */
  function endGuides(): void {
    if (state.field || state.guides.length === 0) return;
    for (const guide of state.guides) {
      const { tally } = storeOf(guide.run);
      const told = tally && guideResult(guide, tally);
      if (told === undefined || guide.run !== state.run) continue;
      const { scenario, check } = guide;
      state = {
        ...state,
        guides: state.guides.filter((one) => one !== guide),
        field: { kind: 'class', scenario, check, told },
        message: undefined,
      };
      return;
    }
  }

  /** The suite whose triage is open over home. */
  function suiteOfHome(): TriagedSuite | undefined {
    const name = model.triage && model.homeState?.triaged;
    if (name === undefined || !options.home) return undefined;
    const known = suitesOfHome.get(name) ?? options.home.triage(name);
    suitesOfHome.set(name, known);
    return known;
  }

  function replaceGrid(run: number, grid: GridState): void {
    state = { ...state, grids: state.grids.map((old, index) => (index === run ? grid : old)) };
  }

  function screenOf<Name extends Screen['name']>(name: Name): Extract<Screen, { name: Name }> | undefined {
    return state.over.find((screen): screen is Extract<Screen, { name: Name }> => screen.name === name);
  }

  function setScreen<Name extends Screen['name']>(
    name: Name,
    change: Partial<Omit<Extract<Screen, { name: Name }>, 'name'>>,
  ): void {
    model.set({
      over: state.over.map((screen) => (screen.name === name ? { ...screen, ...change } : screen)),
    });
  }

  const door = createDoor<DrivenModel>({
    create(run, how) {
      model.set({ message: undefined });
      const { size } = state;
      const back = (text?: string) => {
        // What was run meanwhile counts, once it is summed up. Whoever closes the app hears of what went wrong.
        const reread = () => model.triage && void model.triageDesk?.refresh();
        how.back(text).then(reread, reread);
      };
      const only = { runs: [run], desk: undefined, home: undefined, pastRuns: undefined, triage: undefined };
      return createModel({ ...options, ...how, ...only, back, size });
    },
    say: (problem) => model.say(problem, 'warn'),
    fail: options.fail,
    onChange: draw,
  });

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
      return screenOf('trial');
    },
    setTrial: (change) => setScreen('trial', change),
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
    get compare() {
      return screenOf('compare');
    },
    setCompare: (change) => setScreen('compare', change),
    get changeDesk() {
      const { tally, run } = model.store;
      let desk = changeDesks.get(run);
      if (!desk && tally) {
        desk = openChangeDesk(run, tally, publish);
        changeDesks.set(run, desk);
      }
      return desk;
    },
    get sides() {
      return screenOf('sides');
    },
    setSides: (change) => setScreen('sides', change),
    get sidesContents() {
      const { sides, store, changeDesk, triageDesk } = model;
      if (sides?.isFlake === true) {
        const { trials } = triageDesk ?? {};
        return trials && sidesContents({ sides, ...flakeSides(trials), size: state.size, theme });
      }
      if (!sides || !store.tally || !changeDesk) return undefined;
      const base = changeDesk.baseOf(store.comparison);
      const candidate = { read: store.run, tally: store.tally };
      return sidesContents({ sides, candidate, base, size: state.size, theme });
    },
    get bisectDesk() {
      return storeOf(state.run).run.bisect?.();
    },
    get bisect() {
      return screenOf('bisect');
    },
    setBisect: (change) => setScreen('bisect', change),
    get prompts() {
      return screenOf('prompts');
    },
    setPrompts: (change) => setScreen('prompts', change),
    get promptsContents() {
      const { prompts, bisectDesk } = model;
      if (!prompts || !bisectDesk) return undefined;
      return promptsContents({ prompts, record: bisectDesk.record, size: state.size, theme });
    },
    get watch() {
      return screenOf('watch');
    },
    setWatch: (change) => setScreen('watch', change),
    desk: options.desk,
    get review() {
      return screenOf('review');
    },
    setReview: (review) => setScreen('review', review),
    pastRuns: pastRuns ?? options.home?.pastRuns,
    get history() {
      return screenOf('history');
    },
    setHistory: (history) => setScreen('history', history),
    triageSuites,
    get triage() {
      return screenOf('triage');
    },
    setTriage: (change) => setScreen('triage', change),
    get triageDesk() {
      // A run's is not opened before somebody asks for it: it goes over the whole history.
      const suite = model.triagedSuite;
      return model.triage ? model.openTriage() : suite && triageDesks.get(suite);
    },
    get triagedSuite() {
      const { tally, run } = model.store;
      const suite = triageSuites[model.triage?.at ?? 0] ?? suiteOfHome();
      if (suite || !tally || !run.triage) return suite;
      const known = suitesOfRuns.get(run) ?? run.triage(tally.started.suite);
      suitesOfRuns.set(run, known);
      return known;
    },
    openTriage() {
      const suite = model.triagedSuite;
      if (!suite) return undefined;
      const standing = triageDesks.get(suite) ?? openTriageStanding(suite, publish);
      triageDesks.set(suite, standing);
      return standing;
    },
    home: options.home,
    get homeState() {
      return screenOf('home');
    },
    setHomeState: (change) => setScreen('home', change),
    enter: (opening, isComparing) => void door.enter(opening, isComparing),
    back: options.back,
    isComparing: options.isComparing ?? false,
    get front() {
      return door.inner?.front ?? model;
    },
    copy: options.copy,
    suspend: options.suspend,
    edit: options.edit,
    redraw: options.redraw,
    leave: options.leave,
    resize(next) {
      state = { ...state, size: next };
      door.inner?.resize(next);
      publish();
    },
    publish() {
      door.inner?.publish();
      if (isDirty) publish();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    frame: () => frame,
    async close() {
      const leaving = [door.close(), ...runs.map((run) => run.leave?.())];
      unhear?.();
      store.close();
      trials.close();
      for (const cache of Object.values(sidesCaches)) cache.close();
      for (const desk of [...desks.values(), ...changeDesks.values(), ...triageDesks.values()]) desk.close();
      listeners.clear();
      await Promise.all(leaving);
    },
  };
  publish();
  return model;
}

/** In the place of a run where none is open. */
const noRun: AppRun = {
  feed() {},
  readTrial() {
    throw new Error('there is no run, and no trial of it');
  },
};

import type { Clock } from '../base/clock.js';
import { createContents } from './contents.js';
import { createDoor } from './door.js';
import { firstState } from './first-state.js';
import { endedGuide } from './guide.js';
import { isGoing } from './keys/leaving.js';
import type { AppModel } from './model.js';
import { createRunDesks } from './run-desks.js';
import { createEndFollower } from './screens/bisect/following.js';
import { createLiveGrids } from './screens/grid/live-grids.js';
import { firstGridState } from './screens/grid/state.js';
import type { Screen } from './state.js';
import { createStore } from './store.js';
import type { Size } from './terminal/size.js';
import type { Theme } from './theme.js';
import { createTriages } from './triages.js';
import type { AppResult, AppRun, AppSettings, OpenedOn } from './types.js';

export interface ModelOptions extends OpenedOn {
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
  let state = firstState(options, runs, { settings, size });

  const publish = () => {
    store.compare();
    const grids = liveGrids.refresh(state.grids, state.size);
    if (grids !== state.grids) state = { ...state, grids };
    endStopping();
    const ended = endedGuide(state, model.store.tally);
    if (ended) state = { ...state, ...ended };
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
  const liveGrids = createLiveGrids(store.runs);
  const contents = createContents(publish);
  const desks = createRunDesks(clock, publish);
  const triages = createTriages(options.home, publish);
  const followEnd = createEndFollower();
  let unhear: (() => void) | undefined;

  function endStopping(): void {
    if (!state.isStopping || store.runs.some(isGoing)) return;
    const text = 'stopped: what was not run can be resumed later';
    state = { ...state, isStopping: false, message: { text, tone: 'warn' } };
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
      const found = store.runs[state.run];
      if (!found) throw new Error(`there is no run ${state.run}`);
      return found;
    },
    get grid() {
      return state.grids[state.run] ?? firstGridState;
    },
    setGrid(change) {
      const next = { ...model.grid, ...change };
      model.set({ grids: state.grids.map((grid, run) => (run === state.run ? next : grid)) });
    },
    get order() {
      return liveGrids.order(state.run, model.grid);
    },
    get trial() {
      return screenOf('trial');
    },
    setTrial: (change) => setScreen('trial', change),
    get contents() {
      return contents.trial(model);
    },
    get trialDesk() {
      return desks.trials(model);
    },
    get compare() {
      return screenOf('compare');
    },
    setCompare: (change) => setScreen('compare', change),
    get changeDesk() {
      return desks.changes(model);
    },
    get sides() {
      return screenOf('sides');
    },
    setSides: (change) => setScreen('sides', change),
    get sidesContents() {
      return contents.sides(model);
    },
    get bisectDesk() {
      return model.store.run.bisect?.();
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
      return contents.prompts(model);
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
    triageSuites: options.triage ?? [],
    get triage() {
      return screenOf('triage');
    },
    setTriage: (change) => setScreen('triage', change),
    get triageDesk() {
      return triages.known(model);
    },
    get triagedSuite() {
      return triages.suite(model);
    },
    openTriage: () => triages.open(model),
    home: options.home,
    get homeState() {
      return screenOf('home');
    },
    setHomeState: (change) => setScreen('home', change),
    enter: (open, how) => void door.enter(open, how),
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
      contents.close();
      desks.close();
      triages.close();
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

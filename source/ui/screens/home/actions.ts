import type { UnfinishedRun } from '../../../report/home.js';
import type { HomeMatter } from '../../../report/home-matters.js';
import { quit } from '../../keys/leaving.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { openScreen } from '../../screen-stack.js';
import { clamp, topFor } from '../../viewport.js';
import { firstHistoryState } from '../history/state.js';
import { firstTriageState } from '../triage/state.js';
import { homeListHeight, lineOfRow, linesOfHome } from './lines.js';
import { resumedRun, shownHome, suiteOfRow } from './shown.js';
import { lastTwoRuns, type Spending } from './state.js';

/** What the keys of home do. */
export const homeActions = {
  'home-open'(model: AppModel): void {
    const shown = shownHome(model);
    const row = shown?.rows[shown.index];
    if (!shown || !row) return;
    if (row.kind === 'run') goOn(model, row.of);
    else if (row.kind === 'matter') lookInto(model, row.of);
    else if (row.of.last) open(model, row.of.last.runId);
  },
  ...movingActions('home', heightOf, moveBy),
  'start-run'(model: AppModel): void {
    const shown = shownHome(model);
    const suite = shown && suiteOfRow(shown);
    if (!suite?.usual) return;
    const what = { kind: 'start', suite: suite.suite } as const;
    if (suite.usual.asks.length > 0) model.set({ field: { kind: 'spend', what, asks: suite.usual.asks } });
    else spend(model, what);
  },
  'go-on'(model: AppModel): void {
    const shown = shownHome(model);
    const run = shown && resumedRun(shown);
    if (run) goOn(model, run);
  },
  'compare-last'(model: AppModel): void {
    const shown = shownHome(model);
    const suite = shown && suiteOfRow(shown);
    const runs = suite && lastTwoRuns(suite);
    const { pastRuns } = model;
    if (!runs || !pastRuns) return;
    model.say('comparing …');
    model.enter(() => pastRuns.compare(...runs), 'compared');
  },
  'home-history': showHistory,
  'home-triage'(model: AppModel): void {
    const shown = shownHome(model);
    const suite = shown?.rows[shown.index]?.suite;
    if (suite !== undefined) showTriage(model, suite);
  },
  'leave-home': quit,
};

/** Begins what was asked about, or what need not be asked about. */
export function spend(model: AppModel, what: Spending): void {
  const { home } = model;
  if (!home) return;
  model.say(
    what.kind === 'start' ? `reading the files of ${what.suite} …` : `going on with ${what.run.runId} …`,
  );
  model.enter(() => (what.kind === 'start' ? home.start(what.suite) : home.resume(what.run)), 'written');
}

function goOn(model: AppModel, run: UnfinishedRun): void {
  const suite = model.home?.facts()?.suites.find((one) => one.suite === run.suite);
  const what = { kind: 'resume', run } as const;
  // Of a suite whose files say nothing yet nobody knows whom it asks.
  const asks = suite?.usual?.asks ?? ['its models'];
  if (asks.length > 0) model.set({ field: { kind: 'spend', what, asks } });
  else spend(model, what);
}

function open(model: AppModel, runId: string): void {
  const { pastRuns } = model;
  if (!pastRuns) return;
  model.say('opening …');
  model.enter(() => pastRuns.open({ runId }), 'read');
}

/** Leads to the screen on which something can be done about it, or says what to do. */
function lookInto(model: AppModel, { kind, suite, text }: HomeMatter): void {
  if (kind === 'drift') showHistory(model);
  else if (kind === 'mistake') model.say(text, 'warn');
  else if (kind === 'judge')
    model.say(`labels measure the judge: ${model.home?.program ?? 'evalrun'} review`);
  else showTriage(model, suite);
}

function showTriage(model: AppModel, suite: string): void {
  model.setHomeState({ triaged: suite });
  openScreen(model, { name: 'triage', ...firstTriageState });
}

/** The history over home, on the newest scores of the selected suite. */
function showHistory(model: AppModel): void {
  const { pastRuns } = model;
  if (!pastRuns) return;
  const shown = shownHome(model);
  const own = shown && suiteOfRow(shown);
  const name = shown?.rows[shown.index]?.suite;
  const isOwn = (one: { suite: string; model: string }) =>
    one.suite === name && (own?.series === undefined || one.model === own.series.model);
  const at = Math.max(0, pastRuns.series.findIndex(isOwn));
  const state = { ...firstHistoryState(pastRuns.series.length), at };
  openScreen(model, { name: 'history', ...state });
}

function heightOf({ state }: AppModel): number {
  return homeListHeight(state.size);
}

function moveBy(model: AppModel, steps: number): void {
  const shown = shownHome(model);
  if (!shown || !model.homeState || shown.rows.length === 0) return;
  const at = clamp(shown.index + steps, 0, shown.rows.length - 1);
  const row = shown.rows[at];
  const lines = linesOfHome(shown);
  const view = { top: model.homeState.top, height: heightOf(model), count: lines.length };
  // What stands above the first row is seen with it.
  const top = at === 0 ? 0 : topFor(view, lineOfRow(lines, at));
  if (row) model.setHomeState({ selected: row.id, top });
}

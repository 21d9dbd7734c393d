import { messageOf } from '../../../base/errors.js';
import { quit } from '../../keys/leaving.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import { tell } from '../../told.js';
import { topFor } from '../../viewport.js';
import { proposeRun } from './promote.js';
import {
  comparedRuns,
  movedBy,
  runKey,
  runsOf,
  type SeriesView,
  type ShownHistory,
  shownHistory,
  withView,
} from './state.js';
import { historyHeights } from './view.js';

/** What the keys of the history do. */
export const historyActions = {
  'open-run'(model: AppModel): void {
    const shown = shownOf(model);
    const run = shown?.runs[shown.index];
    const { pastRuns } = model;
    if (!run || !pastRuns) return;
    model.say('opening …');
    model.enter(() => pastRuns.open(run), 'read');
  },
  ...movingActions('history', heightOf, moveBy),
  'earlier-run': (model: AppModel) => moveBy(model, 1),
  'later-run': (model: AppModel) => moveBy(model, -1),
  'mark-run'(model: AppModel): void {
    const shown = shownOf(model);
    const run = shown?.runs[shown.index];
    if (!shown || !run) return;
    const key = runKey(run);
    const { marked } = shown.view;
    change(model, {
      marked: marked.includes(key) ? marked.filter((one) => one !== key) : [...marked, key],
    });
  },
  'compare-runs'(model: AppModel): void {
    const shown = shownOf(model);
    const runs = shown && comparedRuns(shown);
    const { pastRuns } = model;
    if (!runs || !pastRuns) return;
    model.say('comparing …');
    model.enter(() => pastRuns.compare(...runs), 'compared');
  },
  'delete-run'(model: AppModel): void {
    const shown = shownOf(model);
    const run = shown?.runs[shown.index];
    if (run) model.set({ field: { kind: 'delete-run', runId: run.runId } });
  },
  'promote-run'(model: AppModel): void {
    const shown = shownOf(model);
    const run = shown?.runs[shown.index];
    if (run) proposeRun(model, run);
  },
  'one-condition'(model: AppModel): void {
    const shown = shownOf(model);
    const run = shown?.runs[shown.index];
    if (run) narrow(model, shown.view.only === undefined ? run.condition : undefined);
  },
  'next-series': (model: AppModel) => turn(model, 1),
  'previous-series': (model: AppModel) => turn(model, -1),
  'all-runs'(model: AppModel): void {
    const shown = shownOf(model);
    if (shown?.view.only !== undefined) narrow(model, undefined);
    else if (shown && shown.view.marked.length > 0) change(model, { marked: [] });
    else leave(model);
  },
  'leave-history': leave,
};

/** To home, where the history is over it. */
function leave(model: AppModel): void {
  if (model.state.over.length > 1) closeScreen(model);
  else quit(model);
}

/** Deletes a run, and says so; one that is refused stays in the list. */
export function removeRun(model: AppModel, runId: string): void {
  const { pastRuns } = model;
  if (!pastRuns) return;
  model.say('deleting …');
  pastRuns.remove({ runId }).then(
    () => {
      // Whoever left the history meanwhile finds it without the run when coming back.
      if (model.history) take(model, runId);
      model.home?.refresh();
      tell(model, { text: `deleted: ${runId}`, isProblem: false });
    },
    (error) => tell(model, { text: `not deleted: ${messageOf(error)}`, isProblem: true }),
  );
}

/** Takes a run out of the list; the next older one is selected then, where it was the selected one. */
function take(model: AppModel, runId: string): void {
  const { history } = model;
  const before = shownOf(model);
  if (!history || !before) return;
  const isLeft = (run: { runId: string }) => run.runId !== runId;
  const next = before.runs.slice(before.index).find(isLeft) ?? before.runs.filter(isLeft).at(-1);
  const marked = before.view.marked.filter((key) => !key.startsWith(`${runId}:`));
  model.setHistory({
    ...withView(history, { selected: next && runKey(next), marked }),
    removed: [...history.removed, runId],
  });
}

function shownOf({ pastRuns, history }: AppModel): ShownHistory | undefined {
  return pastRuns && history && shownHistory(pastRuns.series, history);
}

function change(model: AppModel, view: Partial<SeriesView>): void {
  if (model.history) model.setHistory(withView(model.history, view));
}

function heightOf(model: AppModel): number {
  return historyHeights(model).list;
}

/** Selects a run, and has it in view. */
function moveBy(model: AppModel, steps: number): void {
  const shown = shownOf(model);
  const run = shown && movedBy(shown, steps);
  if (!run) return;
  const { runs, view } = shown;
  const top = topFor({ top: view.top, height: heightOf(model), count: runs.length }, runs.indexOf(run));
  change(model, { selected: runKey(run), top });
}

/** Shows the clean runs of one condition, or all again. The selected run stays selected where it is among them. */
function narrow(model: AppModel, only: string | undefined): void {
  const before = shownOf(model);
  const run = before?.runs[before.index];
  if (!before || !run) return;
  const listed = runsOf(before.suite, only);
  // One that is not among them gives way to the next older one that is.
  const at = before.suite.runs.indexOf(run);
  const next = listed.findLast((one) => before.suite.runs.indexOf(one) <= at) ?? listed[0];
  // What cannot be seen is not compared either.
  const keys = listed.map(runKey);
  change(model, {
    only,
    selected: next && runKey(next),
    marked: before.view.marked.filter((key) => keys.includes(key)),
  });
  moveBy(model, 0);
}

function turn(model: AppModel, by: number): void {
  const { history, pastRuns } = model;
  const at = shownOf(model)?.at;
  const count = pastRuns?.series.length ?? 0;
  if (history && at !== undefined) model.setHistory({ ...history, at: (at + by + count) % count });
}

import { type HistoryRun, type HistorySeries, type SuiteRuns, seriesOf } from '../../../report/history.js';
import { clamp } from '../../viewport.js';

/** What the person sees of the history. Replaced whole. */
export interface HistoryState {
  /** Position of the suite and model that is shown. */
  at: number;
  /** One a suite and model. */
  views: readonly SeriesView[];
  /** Ids of runs that were deleted here. */
  removed: readonly string[];
}

/** How the runs of one suite and model are looked at. */
export interface SeriesView {
  /** By `runKey`. Not set: the newest. */
  selected: string | undefined;
  /** First row on screen. */
  top: number;
  /** Those to be compared, at most two, by `runKey`. */
  marked: readonly string[];
  /** Hash of the one condition whose clean runs are shown; not set: all runs are. */
  only: string | undefined;
}

const firstView: SeriesView = { selected: undefined, top: 0, marked: [], only: undefined };

export function firstHistoryState(series: number): HistoryState {
  return { at: 0, removed: [], views: Array.from({ length: series }, () => firstView) };
}

/** A run that tried several conditions is listed once for each. */
export function runKey({ runId, conditionId }: Pick<HistoryRun, 'runId' | 'conditionId'>): string {
  return `${runId}:${conditionId}`;
}

/** What of one suite and model is on screen. */
export interface ShownHistory {
  /** Its position. */
  at: number;
  suite: SuiteRuns;
  view: SeriesView;
  /** The clean runs that are plotted, oldest first. */
  series: HistorySeries;
  /** The runs that are listed, newest first. */
  runs: readonly HistoryRun[];
  /** Position of the selected run in `runs`; 0 where it is not among them. */
  index: number;
}

/** Undefined where there is no run at all. */
export function shownHistory(
  all: readonly SuiteRuns[],
  { at: wanted, views, removed }: HistoryState,
): ShownHistory | undefined {
  // The last one may be gone: over home they are read anew when a run was deleted.
  const at = Math.min(wanted, all.length - 1);
  const whole = all[at];
  if (!whole) return undefined;
  const suite = { ...whole, runs: whole.runs.filter(({ runId }) => !removed.includes(runId)) };
  const view = views[wanted] ?? firstView;
  const runs = runsOf(suite, view.only).reverse();
  const index = Math.max(
    0,
    runs.findIndex((run) => runKey(run) === view.selected),
  );
  return { at, suite, view, series: seriesOf(suite, view.only), runs, index };
}

/** All runs, or the clean ones of one condition; oldest first. */
export function runsOf({ runs }: SuiteRuns, only: string | undefined): HistoryRun[] {
  return runs.filter(
    ({ unclean, condition }) => only === undefined || (unclean === undefined && condition === only),
  );
}

/** The state with a change to the view that is on screen. */
export function withView(state: HistoryState, change: Partial<SeriesView>): HistoryState {
  return {
    ...state,
    views: state.views.map((view, index) => (index === state.at ? { ...view, ...change } : view)),
  };
}

/** The run that stands so many rows below the selected one, or at that end of the list. */
export function movedBy({ runs, index }: ShownHistory, steps: number): HistoryRun | undefined {
  return runs[clamp(index + steps, 0, runs.length - 1)];
}

/**
 * The two runs to compare, the earlier one first: those that are marked, or the one that is and the selected one.
 * Undefined where these are not two.
 */
export function comparedRuns(shown: ShownHistory): [HistoryRun, HistoryRun] | undefined {
  const { suite, view, runs, index } = shown;
  const marked = suite.runs.filter((run) => view.marked.includes(runKey(run)));
  const selected = runs[index];
  const [one, two] = marked.length === 1 && selected ? [marked[0], selected] : marked;
  if (!one || !two || one === two) return undefined;
  return suite.runs.indexOf(one) < suite.runs.indexOf(two) ? [one, two] : [two, one];
}

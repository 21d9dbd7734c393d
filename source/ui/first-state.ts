import { firstBisectState } from './screens/bisect/state.js';
import { firstCompareState } from './screens/compare/state.js';
import { isSortName } from './screens/grid/sort.js';
import { firstGridState } from './screens/grid/state.js';
import { firstHistoryState } from './screens/history/state.js';
import { firstHomeState } from './screens/home/state.js';
import { firstReviewState } from './screens/review/state.js';
import { firstTriageState } from './screens/triage/state.js';
import type { AppState, Screen } from './state.js';
import type { Size } from './terminal/size.js';
import type { AppRun, AppSettings, OpenedOn } from './types.js';

/** What is on screen when the app opens: a grid a run, and over it the screen that the app was opened for. */
export function firstState(
  opened: OpenedOn,
  runs: readonly AppRun[],
  { settings, size }: { settings: AppSettings; size: Size },
): AppState {
  const { pastRuns } = opened;
  const sort = settings.get('sort');
  return {
    size,
    run: 0,
    grids: runs.map(() => ({ ...firstGridState, sort: isSortName(sort) ? sort : 'order' })),
    over: firstScreens(opened, runs),
    field: undefined,
    message: pastRuns?.note === undefined ? undefined : { text: pastRuns.note, tone: 'plain' },
    guides: [],
    isStopping: false,
  };
}

function firstScreens(opened: OpenedOn, [run]: readonly AppRun[]): Screen[] {
  const { home, isComparing, desk, pastRuns, triage } = opened;
  const screens: (Screen | false | undefined)[] = [
    home && { name: 'home', ...firstHomeState },
    isComparing && { name: 'compare', ...firstCompareState },
    run?.bisect && { name: 'bisect', ...firstBisectState },
    desk && { name: 'review', ...firstReviewState },
    pastRuns && { name: 'history', ...firstHistoryState(pastRuns.series.length) },
    triage && { name: 'triage', ...firstTriageState },
  ];
  return screens.filter((screen) => screen !== undefined && screen !== false);
}

import type { HistoryFacts } from '../../keys/reasons.js';
import type { AppModel } from '../../model.js';
import { comparedRuns, runKey, shownHistory } from './state.js';

/** What can be done on the history now, and why not what cannot; undefined on other screens. */
export function historyFacts({ pastRuns, history }: AppModel): HistoryFacts | undefined {
  if (!pastRuns || !history) return undefined;
  const shown = shownHistory(pastRuns.series, history);
  const selected = shown?.runs[shown.index];
  if (!shown || !selected) {
    const noRuns = 'there is no run yet';
    const nothing = { isLimited: false, isNarrowed: false };
    return { noRuns, noMark: noRuns, noCompare: noRuns, noLimit: noRuns, noOther: noRuns, ...nothing };
  }
  const { view, suite } = shown;
  const { marked, only } = view;
  const isMarked = marked.includes(runKey(selected));
  const hasClean = suite.runs.some(
    ({ unclean, condition }) => unclean === undefined && condition === selected.condition,
  );
  return {
    noRuns: undefined,
    noMark: marked.length < 2 || isMarked ? undefined : 'two are marked: space on one of them takes it back',
    noCompare: comparedRuns(shown)
      ? undefined
      : marked.length === 0
        ? 'space marks the runs to compare'
        : 'select another run to compare it with the marked one',
    noLimit: only !== undefined || hasClean ? undefined : 'no clean run has this condition',
    noOther: pastRuns.series.length > 1 ? undefined : 'there is only this suite on this model',
    isLimited: only !== undefined,
    isNarrowed: only !== undefined || marked.length > 0,
  };
}

import type { HomeKeyFacts } from '../../keys/reasons.js';
import type { AppModel } from '../../model.js';
import { resumedRun, shownHome, suiteOfRow } from './shown.js';
import { lastTwoRuns } from './state.js';

/** What can be done on home now, and why not what cannot; undefined on other screens. */
export function homeFacts(model: AppModel): HomeKeyFacts | undefined {
  if (!model.home) return undefined;
  const shown = shownHome(model);
  const row = shown?.rows[shown.index];
  if (!shown || !row) {
    const none = shown
      ? `there is no suite yet: ${model.home.program} init writes one`
      : 'the runs are still being read';
    return { noRows: none, noOpen: none, noStart: none, noResume: none, noCompare: none, noTriage: none };
  }
  const suite = suiteOfRow(shown);
  const noLast = suite?.last ? undefined : 'the suite has no run that is over';
  return {
    noRows: undefined,
    noOpen: row.kind === 'suite' ? noLast : undefined,
    noTriage: suite ? undefined : 'this project has no such suite any more',
    noStart: !suite
      ? 'this project has no such suite any more'
      : suite.usual
        ? suite.usual.problem
        : 'the files of the suite are still being read',
    noResume: resumedRun(shown) ? undefined : 'nothing was left unfinished',
    noCompare: suite && lastTwoRuns(suite) ? undefined : 'it takes two clean runs of the suite',
  };
}

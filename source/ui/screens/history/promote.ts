import { messageOf } from '../../../base/errors.js';
import { makeVisible } from '../../../base/text.js';
import { cutToWidth, textWidth } from '../../../base/width.js';
import type { BaselineChangeProposal } from '../../../compare/baseline-proposal.js';
import { countOf } from '../../../report/format.js';
import type { HistoryRun } from '../../../report/history.js';
import type { AppModel } from '../../model.js';
import { topScreen } from '../../state.js';
import { runKey, shownHistory } from './state.js';

/** Asks whether the run is to be counted in the baseline once it is known what that changes; says why it cannot be. */
export function proposeRun(model: AppModel, run: HistoryRun): void {
  const { pastRuns } = model;
  if (!pastRuns) return;
  model.say('reading …');
  pastRuns.propose(run).then(
    (proposal) => {
      // Whoever went on to something else meanwhile is not asked about this.
      if (!isLookedAt(model, run)) return;
      if (proposal.kind === 'counted') model.say(proposal.line);
      else model.set({ field: { kind: 'promote', run, proposal }, message: undefined });
      model.publish();
    },
    (error) => refuse(model, run, error),
  );
}

/** Counts the run in the baseline, and says how it was before can be had back. */
export function saveBaseline(model: AppModel, run: HistoryRun, proposal: BaselineChangeProposal): void {
  model.say('saving …');
  save(proposal).then(
    (told) => {
      model.home?.refresh();
      model.say(told);
      model.publish();
    },
    (error) => refuse(model, run, error),
  );
}

async function save(proposal: BaselineChangeProposal): Promise<string> {
  const { file, isNew } = proposal;
  // Asked before: once it is written, git has another one in any case.
  const isInGit = await proposal.isInGit();
  await proposal.write();
  if (isNew) return `saved ${file}, a new file: deleting it is the way back`;
  return isInGit
    ? `saved ${file}; git has the way back`
    : `saved ${file}; git does not have it as it was before`;
}

/** What is asked before a run is counted: in which file, and whether that adds to it or replaces something. */
export function promoteQuestion({ file, isNew, replaced }: BaselineChangeProposal): string {
  const shown = makeVisible(file);
  if (isNew) return `write ${shown}, a new file?`;
  return replaced === 0
    ? `add the run to ${shown}?`
    : `replace what was counted of ${countOf(replaced, 'check')} in ${shown}?`;
}

/** Below this, why not would be no sentence any more. */
const leastWhy = 24;

/** The first line of why not, beside the command that says it in full: that is whole, or left out. */
function refuse(model: AppModel, run: HistoryRun, error: unknown): void {
  const [first = ''] = messageOf(error).split('\n');
  const command = `; see ${saveCommand(model, run)}`;
  const width = model.state.size.columns - 2;
  const room = width - textWidth(command);
  const why = makeVisible(`not saved: ${first.replace(/:$/, '')}`);
  model.say(room < leastWhy ? cutToWidth(why, width) : `${cutToWidth(why, room)}${command}`, 'warn');
  model.publish();
}

/** Of a run that tried several conditions the one that is meant is named. */
function saveCommand({ pastRuns }: AppModel, { runId, conditionId }: HistoryRun): string {
  const isOther = (one: HistoryRun) => one.runId === runId && one.conditionId !== conditionId;
  const hasOthers = pastRuns?.series.some(({ runs }) => runs.some(isOther)) ?? false;
  const line = `${pastRuns?.program} baseline save ${runId}`;
  return hasOthers ? `${line} --condition ${conditionId}` : line;
}

/** The run is still the selected one, and nothing else is asked. */
function isLookedAt({ state, pastRuns, history }: AppModel, run: HistoryRun): boolean {
  if (topScreen(state).name !== 'history' || state.field || !pastRuns || !history) return false;
  const shown = shownHistory(pastRuns.series, history);
  const selected = shown?.runs[shown.index];
  return selected !== undefined && runKey(selected) === runKey(run);
}

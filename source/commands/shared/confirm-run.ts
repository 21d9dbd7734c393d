import { type Judging, type Rerun, rerunsOf } from '../../compare/judge-run.js';
import type { TallyKeeper } from '../../report/summary.js';
import type { LiveRun } from '../../run/types.js';
import type { RunTally } from '../../tally/types.js';
import { tallyOf } from './keeper.js';

/**
 * Runs what is left of a run, then what confirms or clears its suspects, or what it attributes: nothing goes red by
 * chance where trying again could have shown it. Resolves when nothing is left to do, or when the run was stopped.
 */
export async function runAndConfirm(run: LiveRun, keeper: TallyKeeper, judging: Judging): Promise<void> {
  await run.start();
  const due = dueReruns(tallyOf(keeper), judging);
  if (due.length === 0) return;
  for (const { scenario, condition, trials } of due)
    run.addTrials(scenario, trials, { condition, confirms: true });
  await run.start();
}

/** What a run that has ended is still to run before it has a verdict. */
export function dueReruns(tally: RunTally, judging: Judging): Rerun[] {
  const { started } = tally;
  const gate = started.gate ?? judging.gate;
  const isConfirming = gate.confirm || started.purpose === 'attribution';
  if (!isConfirming || started.regradeOf || tally.state !== 'completed' || tally.taints.length > 0) return [];
  return rerunsOf(tally, judging).filter((rerun) => !isConfirmed(tally, rerun));
}

/** Whether a scenario was given its fresh trials before, by a run that was taken up again. */
function isConfirmed({ rowById }: RunTally, { scenario, condition }: Rerun): boolean {
  return rowById.get(scenario)?.groups.find((group) => group.condition === condition)?.fresh !== undefined;
}

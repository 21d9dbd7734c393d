import { type Judging, rerunsOf } from '../../compare/judge-run.js';
import type { TallyKeeper } from '../../report/summary.js';
import type { LiveRun } from '../../run/types.js';
import { tallyOf } from './keeper.js';

/**
 * Runs what is left of a run, then what confirms or clears its suspects, or what it attributes: nothing goes red by
 * chance where trying again could have shown it. Resolves when nothing is left to do, or when the run was stopped.
 */
export async function runAndConfirm(run: LiveRun, keeper: TallyKeeper, judging: Judging): Promise<void> {
  await run.start();
  const tally = tallyOf(keeper);
  const { started } = tally;
  const gate = started.gate ?? judging.gate;
  const isConfirming = gate.confirm || started.purpose === 'attribution';
  if (!isConfirming || started.regradeOf || tally.state !== 'completed' || tally.taints.length > 0) return;
  let isAny = false;
  for (const { scenario, condition, trials } of rerunsOf(tally, judging)) {
    if (isConfirmed(keeper, scenario, condition)) continue;
    isAny = true;
    run.addTrials(scenario, trials, { condition, confirms: true });
  }
  if (isAny) await run.start();
}

/** Whether a scenario was given its fresh trials before, by a run that was taken up again. */
function isConfirmed(keeper: TallyKeeper, scenario: string, condition: string): boolean {
  const row = tallyOf(keeper).rowById.get(scenario);
  return row?.groups.find((group) => group.condition === condition)?.fresh !== undefined;
}

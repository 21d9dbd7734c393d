import { confirmationTrials } from '../../compare/confirm.js';
import { candidateOf, type Judging, suspectsOf } from '../../compare/judge-run.js';
import type { TallyKeeper } from '../../report/summary.js';
import type { LiveRun } from '../../run/types.js';
import { tallyOf } from './keeper.js';

/**
 * Runs what is left of a run, then what confirms or clears its suspects: nothing goes red by chance where trying again
 * could have shown it. Resolves when nothing is left to do, or when the run was stopped.
 */
export async function runAndConfirm(run: LiveRun, keeper: TallyKeeper, judging: Judging): Promise<void> {
  await run.start();
  const tally = tallyOf(keeper);
  const gate = tally.started.gate ?? judging.gate;
  if (!gate.confirm || tally.started.regradeOf || tally.state !== 'completed' || tally.taints.length > 0)
    return;
  const candidate = candidateOf(tally);
  if (candidate === undefined) return;
  const base = tally.started.base?.condition;
  const rerun = new Set<string>();
  for (const { scenario, needsBase } of suspectsOf(tally, judging)) {
    const conditions = [candidate, ...(needsBase && base !== undefined ? [base] : [])];
    for (const condition of conditions) {
      const name = `${condition}/${scenario}`;
      if (rerun.has(name) || isConfirmed(keeper, scenario, condition)) continue;
      rerun.add(name);
      run.addTrials(scenario, confirmationTrials, { condition, confirms: true });
    }
  }
  if (rerun.size > 0) await run.start();
}

/** Whether a scenario was given its fresh trials before, by a run that was taken up again. */
function isConfirmed(keeper: TallyKeeper, scenario: string, condition: string): boolean {
  const row = tallyOf(keeper).rowById.get(scenario);
  return row?.groups.find((group) => group.condition === condition)?.fresh !== undefined;
}

import type { TallyKeeper } from '../../report/summary.js';
import type { RunTally } from '../../tally/types.js';

/** The tally of a run that is open: it has told at least that it started. */
export function tallyOf({ tally }: TallyKeeper): RunTally {
  if (!tally) throw new Error('the run told nothing of itself');
  return tally;
}

import { UserError } from '../base/errors.js';
import type { BisectFinding, BisectPurpose, PlannedBisect } from '../run/bisect-events.js';
import type { RunStarted } from '../run/reader.js';
import { refuseUnknown } from './decision.js';
import { mostTrials, noHunk } from './session.js';

/** What a journal says of its bisect cannot be. */
export function damaged({ runId }: RunStarted, why: string): UserError {
  return new UserError(`the journal of bisect ${runId} is damaged: ${why}`);
}

/** Throws UserError where the first line of a journal plans what no bisect of so many hunks is. */
export function refuseBegun(started: RunStarted, planned: PlannedBisect, hunks: number): void {
  const { budget, weights, watched } = planned;
  if (budget > mostTrials) throw damaged(started, `a budget is 1 to ${mostTrials} trials`);
  if (weights && weights.length !== hunks)
    throw damaged(started, `it has ${weights.length} weights for ${hunks} hunks`);
  try {
    refuseUnknown(watched, started.plan);
  } catch (error) {
    throw damaged(started, (error as Error).message);
  }
}

/** Throws UserError for a trial that is for hunks that are not there. */
export function refusePurpose(started: RunStarted, purpose: BisectPurpose, hunks: number): void {
  if (purpose.kind === 'step') refuseHunks(started, [purpose.hunk], hunks);
  else if ('hunks' in purpose) refuseHunks(started, purpose.hunks, hunks);
}

/** Throws UserError for a finding of hunks that are not there, and for a belief that is no probability. */
export function refuseFinding(started: RunStarted, finding: BisectFinding, hunks: number): void {
  const answer = finding.kind === 'inconclusive' ? finding.leader : finding;
  if (!answer) return;
  if ('hunks' in answer) refuseHunks(started, answer.hunks, hunks);
  const { belief = 0 } = answer;
  if (!(belief >= 0 && belief <= 1)) throw damaged(started, `a belief of ${belief}`);
}

function refuseHunks(started: RunStarted, named: readonly number[], hunks: number): void {
  const missing = named.find((hunk) => hunk >= hunks);
  if (missing !== undefined) throw damaged(started, noHunk(missing, hunks));
}

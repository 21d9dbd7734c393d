import { UserError } from '../base/errors.js';
import type { BisectFinding, BisectPurpose } from '../run/bisect-events.js';
import type { RunStarted } from '../run/reader.js';
import { noHunk } from './session.js';

/** What a journal says of its bisect cannot be. */
export function damaged({ runId }: RunStarted, why: string): UserError {
  return new UserError(`the journal of bisect ${runId} is damaged: ${why}`);
}

/** What is made of a part of the journal. Throws UserError where that cannot be made. */
export function orDamaged<Made>(started: RunStarted, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw damaged(started, (error as Error).message);
  }
}

/** Throws UserError for a trial that is for hunks that are not there. */
export function refusePurpose(started: RunStarted, purpose: BisectPurpose, hunks: number): void {
  if (purpose.kind === 'step') refuseHunks(started, [purpose.hunk], hunks);
  else if ('hunks' in purpose) refuseHunks(started, purpose.hunks, hunks);
}

/** Throws UserError for a finding of hunks that are not there. */
export function refuseFinding(started: RunStarted, finding: BisectFinding, hunks: number): void {
  const answer = finding.kind === 'inconclusive' ? finding.leader : finding;
  if (answer && 'hunks' in answer) refuseHunks(started, answer.hunks, hunks);
}

function refuseHunks(started: RunStarted, named: readonly number[], hunks: number): void {
  const missing = named.find((hunk) => hunk >= hunks);
  if (missing !== undefined) throw damaged(started, noHunk(missing, hunks));
}

import type { BisectPurpose } from '../run/bisect-events.js';
import type { Candidate } from './candidate.js';
import { countOutcomes } from './evidence.js';
import { stepVerdict } from './guided.js';
import type { Attempt } from './next.js';
import { currentBudget, liveTrials, type Session, spentTrials } from './session.js';

/**
 * The candidates that are tried at once, `parallel` at most: those trials that are wanted whatever each of them shows. Of
 * a search two trials of the same candidate, which takes a few per cent more trials and nearly half the rounds.
 */
export function batchOf(
  session: Session,
  { candidate, purpose, inTurn = [candidate] }: Attempt,
  parallel: number,
): Candidate[] {
  const most = Math.max(1, Math.min(parallel, currentBudget(session) - spentTrials(session)));
  switch (purpose.kind) {
    case 'search':
      return repeated(candidate, Math.min(most, 2));
    case 'step':
    case 'cure':
      return repeated(candidate, Math.min(most, Math.max(1, trialsWanted(session, candidate, purpose))));
    case 'ends':
    case 'confirm':
      return inTurn.slice(0, most);
    case 'suite':
      return [candidate];
  }
}

/** Trials of a step, or of a cure check, that are run whatever each of them shows; 0 once it is decided. */
export function trialsWanted(session: Session, candidate: Candidate, { kind }: BisectPurpose): number {
  const { repeats } = session;
  const outcomes = liveTrials(session)
    .filter((trial) => trial.candidate === candidate && trial.purpose.kind === kind)
    .map(({ outcome }) => outcome);
  // What nobody can grade is not tried for ever.
  if (outcomes.filter((outcome) => outcome !== 'unwatched').length >= 2 * repeats) return 0;
  const { passed, failed } = countOutcomes(outcomes);
  let wanted = 0;
  while (
    stepVerdict(passed + wanted, failed, repeats) === undefined &&
    stepVerdict(passed, failed + wanted, repeats) === undefined
  )
    wanted++;
  return wanted;
}

function repeated(candidate: Candidate, count: number): Candidate[] {
  return new Array<Candidate>(count).fill(candidate);
}

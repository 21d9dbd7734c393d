import type { BisectPurpose } from '../run/bisect-events.js';
import type { Candidate } from './candidate.js';
import { stepVerdict } from './guided.js';
import type { Attempt } from './next.js';
import { currentBudget, liveEntries, type Session, spentTrials } from './session.js';

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
export function trialsWanted(session: Session, candidate: Candidate, purpose: BisectPurpose): number {
  const { repeats } = session;
  const { passed, failed, run } = countsFor(session, candidate, purpose);
  // What nobody can grade is not tried for ever.
  if (run >= 2 * repeats) return 0;
  let wanted = 0;
  while (
    stepVerdict(passed + wanted, failed, repeats) === undefined &&
    stepVerdict(passed, failed + wanted, repeats) === undefined
  )
    wanted++;
  return wanted;
}

/** What the trials of a candidate for one purpose showed. `run`: with those that could not be run or graded. */
export function countsFor(
  session: Session,
  candidate: Candidate,
  { kind }: BisectPurpose,
): { passed: number; failed: number; run: number } {
  const counts = { passed: 0, failed: 0, run: 0 };
  for (const entry of liveEntries(session)) {
    if (entry.kind !== 'trial' || entry.candidate !== candidate || entry.purpose.kind !== kind) continue;
    if (entry.outcome === 'unwatched') continue;
    counts.run++;
    if (entry.outcome === 'pass') counts.passed++;
    if (entry.outcome === 'fail') counts.failed++;
  }
  return counts;
}

function repeated(candidate: Candidate, count: number): Candidate[] {
  return new Array<Candidate>(count).fill(candidate);
}

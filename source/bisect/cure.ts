import { trialsWanted } from './batch.js';
import { badWithout } from './candidate.js';
import { readEvidence } from './evidence.js';
import type { Attempt } from './next.js';
import type { BisectRecord } from './record.js';
import { currentBudget, mostErrors, spentTrials } from './session.js';
import { nextRound, suiteStandings } from './whole-suite.js';

/** What is to be run on a narrowed prompt before it is called a cure. */
export interface CureAttempt extends Attempt {
  /** Of the rest of the suite, one trial each. Not set: what is watched, evidence like any other, so that a wrong finding falls. */
  scenarios?: readonly string[];
}

/**
 * What is left to be run on the prompt without these hunks: up to six trials, then the rest of the suite. Undefined when
 * both are done, and where nothing more can be run or spent.
 */
export function nextOfCure(record: BisectRecord, hunks: readonly number[]): CureAttempt | undefined {
  const session = record.session();
  if (record.planned.skipsCure || readEvidence(session).errorsInARow >= mostErrors) return undefined;
  if (spentTrials(session) >= currentBudget(session)) return undefined;
  const candidate = badWithout(hunks, record.needs);
  const purpose = { kind: 'cure' as const, hunks };
  const trials = trialsWanted(session, candidate, purpose);
  if (trials > 0) return { kind: 'try', candidate, purpose, trials };
  const round = nextRound(suiteStandings(record, candidate), candidate);
  return round && { kind: 'try', ...round, purpose: { kind: 'suite', hunks }, trials: 1 };
}

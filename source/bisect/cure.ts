import { trialsWanted } from './batch.js';
import { badWithout, closeNeeds } from './candidate.js';
import { readEvidence } from './evidence.js';
import type { Next } from './next.js';
import type { BisectRecord } from './record.js';
import { currentBudget, mostErrors, spentTrials } from './session.js';
import { nextRound, type SuiteRound, suiteStandings } from './whole-suite.js';

/** What is to be run on a narrowed prompt before it is called a cure. */
export type CureStep =
  /** The watched checks once more: evidence like any other, so that a wrong finding falls. */
  | Extract<Next, { kind: 'try' }>
  /** One trial of each of these scenarios, none of which is watched. */
  | ({ kind: 'suite' } & SuiteRound);

/**
 * What is left to be run on the prompt without these hunks: up to six trials, then the rest of the suite. Undefined when
 * both are done, and where nothing more can be run or spent. `scenarios`: ids of all that the suite has.
 */
export function nextOfCure(
  record: BisectRecord,
  hunks: readonly number[],
  scenarios: readonly string[],
): CureStep | undefined {
  const session = record.session();
  if (record.planned.skipsCure || readEvidence(session).errorsInARow >= mostErrors) return undefined;
  if (spentTrials(session) >= currentBudget(session)) return undefined;
  const candidate = badWithout(hunks, closeNeeds(session.hunks, session.dependencies));
  const purpose = { kind: 'cure' as const, hunks };
  const trials = trialsWanted(session, candidate, purpose);
  if (trials > 0) return { kind: 'try', candidate, purpose, trials };
  const round = nextRound(suiteStandings(record, scenarios, candidate), candidate);
  return round && { kind: 'suite', ...round };
}

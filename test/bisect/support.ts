import type { Entry, Outcome } from '../../source/bisect/session.js';
import type { BisectPurpose } from '../../source/run/bisect-events.js';

/** A trial of a candidate, run because it says most. */
export function trial(
  candidate: string,
  outcome: Outcome,
  purpose: BisectPurpose = { kind: 'search' },
): Entry {
  return { kind: 'trial', candidate, outcome, purpose };
}

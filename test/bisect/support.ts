import type { Entry, Outcome, Purpose } from '../../source/bisect/session.js';

/** A trial of a candidate, run because it says most. */
export function trial(candidate: string, outcome: Outcome, purpose: Purpose = { kind: 'search' }): Entry {
  return { kind: 'trial', candidate, outcome, purpose };
}

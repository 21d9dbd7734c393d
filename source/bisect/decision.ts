import { messageOf, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import type { BisectDecision, Watched } from '../run/bisect-events.js';
import type { Plan } from '../run/planned.js';
import { record, type Session } from './session.js';

/**
 * Throws UserError for a decision that the bisect cannot take: of a hunk that is not there, an undo of no steps, a budget
 * out of range, or a check that the plan does not have.
 */
export function refuseImpossible(decision: BisectDecision, session: Session, plan: Plan): void {
  try {
    record(session, decision);
  } catch (error) {
    throw new UserError(messageOf(error));
  }
  if (decision.kind === 'watch') refuseUnknown(decision.watched, plan);
}

/** Throws UserError where nothing is watched, and for what the plan does not have. */
export function refuseUnknown(watched: readonly Watched[], { scenarios }: Plan): void {
  if (watched.length === 0) throw new UserError('a bisect watches at least one scenario');
  for (const { scenario: id, check } of watched) {
    const scenario = scenarios.find((one) => one.id === id);
    if (!scenario) throw new UserError(`the bisect has no scenario ${quote(id)}`);
    if (check !== undefined && !scenario.checks.some((one) => one.id === check))
      throw new UserError(`scenario ${quote(id)} has no check ${quote(check)}`);
  }
}

import { UserError } from '../../base/errors.js';
import type { Json } from '../../base/json.js';
import { MissingFixtureError, type Session, type SessionRequest, TargetError } from '../types.js';

/** A session that is opened for nothing but what the product says of itself. */
const tuningRequest: SessionRequest = {
  seed: 'tuning',
  scenario: 'tuning',
  callTool(name, args) {
    throw new MissingFixtureError(name, args);
  },
};

/**
 * Tuning values of a product that gives them when a session opens: one is opened and closed again. Undefined: the
 * product gives none. Throws UserError (exit code 3) when no session can be opened.
 */
export async function askTuning(
  openSession: (request: SessionRequest) => Promise<{ session: Session; tuning: Json | undefined }>,
): Promise<Json | undefined> {
  try {
    const { session, tuning } = await openSession(tuningRequest);
    await session.close();
    return tuning;
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new UserError(`the product cannot be asked for its tuning values: ${error.message}`, 3);
  }
}

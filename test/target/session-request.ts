import { setMaxListeners } from 'node:events';
import {
  MissingFixtureError,
  type ReplyProgress,
  type SessionRequest,
  TargetError,
} from '../../source/target/types.js';

/** A trial without anything special; products call their own tools, so fixtures are never asked. */
export function sessionRequest(more: Partial<SessionRequest> = {}): SessionRequest {
  return {
    seed: 'seed-1',
    account: 't-1',
    callTool(name, args) {
      throw new MissingFixtureError(name, args);
    },
    ...more,
  };
}

export const never = new AbortController().signal;
// Trials have a signal each; the tests share this one among hundreds of sessions.
setMaxListeners(0, never);
export const ignore = () => {};

/** What was told while a reply was on its way. */
export function recordProgress(): { told: ReplyProgress[]; onProgress: (progress: ReplyProgress) => void } {
  const told: ReplyProgress[] = [];
  return { told, onProgress: (progress) => told.push(progress) };
}

/** The TargetError that a promise is rejected with; anything else fails the test. */
export async function targetErrorOf(promise: Promise<unknown>): Promise<TargetError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof TargetError) return outcome.error;
  throw new Error(
    `expected a TargetError, got ${'error' in outcome ? outcome.error : JSON.stringify(outcome.value)}`,
  );
}

import type { Clock } from '../../base/clock.js';

/** How long a custom check may take. */
export interface TimeLimit {
  ms: number;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** What came of asking a custom check: its answer as a text, or what went wrong with it. */
export type CustomReply = { answer: string } | { problem: string };

/**
 * Waits for a reply, but no longer than the limit; `stop` is called when it is over or the trial is aborted. Throws
 * the signal's reason then, after `stop` has ended.
 */
export async function withinLimit(
  { ms, clock, signal }: TimeLimit,
  reply: Promise<CustomReply>,
  stop: () => Promise<void>,
): Promise<CustomReply> {
  const done = new AbortController();
  const waiting = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  const over = clock.wait(ms, waiting).then(
    () => undefined,
    () => undefined,
  );
  const first = await Promise.race([reply, over]);
  done.abort();
  if (first) return first;
  await stop();
  signal?.throwIfAborted();
  return { problem: `it did not answer within ${ms / 1000} seconds` };
}

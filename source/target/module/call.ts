import type { Clock } from '../../base/clock.js';
import { watchSilence } from '../product/silence.js';
import { TargetError } from '../types.js';

export interface CallOptions {
  /** For messages: module and function. */
  label: string;
  clock: Clock;
  /** Milliseconds without a sign of life after which the call counts as dead. */
  silenceMs: number;
  signal?: AbortSignal;
}

/** What a function that is called gets. */
export interface CallTools {
  /** Aborted together with the call. */
  signal: AbortSignal;
  /** A sign of life. */
  alive: () => void;
  /** Ends the call with an error. */
  fail: (error: TargetError) => void;
}

/**
 * Calls a function of a module and waits for it, but no longer than it shows life. Throws what it throws, a
 * TargetError for silence, and the signal's reason when aborted. What it still does after that is of no interest:
 * code in this process can be asked to stop, not made to.
 */
export async function callWatched(
  { label, clock, silenceMs, signal }: CallOptions,
  run: (tools: CallTools) => unknown,
): Promise<unknown> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const watch = watchSilence(clock, silenceMs, () => {
    controller.abort(
      new TargetError('other', `${label} gave no sign of life for ${silenceMs / 1000} seconds`),
    );
  });
  const tools: CallTools = {
    signal: controller.signal,
    alive: watch.alive,
    fail: (error) => controller.abort(error),
  };
  try {
    return await Promise.race([aborted, Promise.resolve(tools).then(run)]);
  } finally {
    watch.stop();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Time as an argument, so that tests decide how it passes. */
export interface Clock {
  /** Milliseconds since the epoch. Never goes back. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted first. Never keeps a zero wait from being cheap. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The time of day at which the process began, and from there on what passes. Somebody who sets the machine's clock, or
 * a service that corrects it, moves no wait and no duration.
 */
export const systemClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  wait(ms, signal) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};

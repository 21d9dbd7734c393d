import type { Clock } from '../../source/base/clock.js';

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** How many waits are going on. */
  waits(): number;
  /** Moves on and ends the waits that are over by then. */
  pass(ms: number): void;
}

export function createManualClock(): ManualClock {
  let now = 0;
  let waiting: { at: number; resolve: () => void }[] = [];
  return {
    now: () => now,
    wait(ms, signal) {
      return new Promise((resolve, reject) => {
        const entry = { at: now + ms, resolve };
        waiting.push(entry);
        signal?.addEventListener('abort', () => {
          waiting = waiting.filter((other) => other !== entry);
          reject(signal.reason);
        });
      });
    },
    waits: () => waiting.length,
    pass(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { resolve } of due) resolve();
    },
  };
}

/** Waits until something holds; the time limit of the test is the limit of the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

import type { Clock } from '../../source/base/clock.js';

/** A clock that stands still until it is told how much time has passed. */
export interface FakeClock extends Clock {
  /** Waits that nobody has ended yet. */
  readonly waiting: number;
  /** How often `wait` was called. */
  readonly waits: number;
  /** Lets time pass, ending due waits in the order in which they are due; what they lead to runs in between. */
  advance(ms: number): Promise<void>;
}

/** Lets everything run that waits for no clock. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  let waits = 0;
  const pending = new Set<{ due: number; end: () => void }>();
  return {
    now: () => now,
    wait(ms, signal) {
      waits++;
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const entry = { due: now + ms, end: resolve };
        pending.add(entry);
        signal?.addEventListener('abort', () => {
          if (pending.delete(entry)) reject(signal.reason);
        });
      });
    },
    get waiting() {
      return pending.size;
    },
    get waits() {
      return waits;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...pending].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (next === undefined) break;
        now = next.due;
        pending.delete(next);
        next.end();
        await settle();
      }
      now = end;
    },
  };
}

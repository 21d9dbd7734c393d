import type { Clock } from './clock.js';

/** Something that may take its time, and no longer. */
export interface Watched {
  /** Milliseconds that are left to it. */
  left(): number;
  /** Nothing is left. */
  expire(): void;
}

/** Watches all requests of a model, or all trials of a run, with one timer, which is set anew only when it has rung: they come by the hundred. */
export interface Watchdog {
  /** All that are watched have the same time from when they are added, or from later on. Returns the way out. */
  add(watched: Watched): () => void;
}

/** Ends the timer. One for all: a reason that `abort` makes itself holds a stack. */
const over = new Error('over');

export function createWatchdog(clock: Clock): Watchdog {
  const all = new Set<Watched>();
  let alarm: AbortController | undefined;

  function arm(ms: number): void {
    const set = new AbortController();
    alarm = set;
    clock.wait(ms, set.signal).then(
      () => {
        if (alarm !== set) return;
        alarm = undefined;
        look();
      },
      () => {},
    );
  }

  function look(): void {
    const expired: Watched[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const watched of all) {
      const left = watched.left();
      if (left > 0) next = Math.min(next, left);
      else expired.push(watched);
    }
    for (const watched of expired) all.delete(watched);
    // Before anybody is told: whoever hears of it may add another, which is due later than those that are left.
    if (all.size > 0) arm(next);
    for (const watched of expired) watched.expire();
  }

  return {
    add(watched) {
      all.add(watched);
      // Whoever was there before is due before: the alarm that is set rings early enough.
      if (alarm === undefined) arm(watched.left());
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        alarm?.abort(over);
        alarm = undefined;
      };
    },
  };
}

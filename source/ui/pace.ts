/** How fast trials end, seen from the trials that ended. */
export interface Pace {
  /** A trial ended at `at` (milliseconds since the epoch). */
  ended(at: number): void;
  /** Forgets what was seen: the run stood still, and what comes is measured from `at`. */
  restart(at: number): void;
  /** Milliseconds until `left` more trials have ended; undefined until there is something to go by. */
  remaining(left: number, now: number): number | undefined;
}

/** Enough trials to smooth over a slow one, few enough to follow a provider that slows down. */
const remembered = 48;
const fewest = 3;

export function createPace(startedAt: number): Pace {
  let since = startedAt;
  let times: number[] = [];
  return {
    ended(at) {
      times.push(at);
      if (times.length > remembered) since = times.shift() ?? since;
    },
    restart(at) {
      since = at;
      times = [];
    },
    remaining(left, now) {
      if (times.length < fewest) return undefined;
      // Up to now, not up to the last end: while nothing ends, the estimate grows.
      const perTrial = Math.max(1, now - since) / times.length;
      return left * perTrial;
    },
  };
}

import type { TrialKey } from './events.js';

/** A trial that waits for its turn. */
export interface QueuedTrial {
  key: TrialKey;
  /** Attempts that ended in an error. */
  failedAttempts: number;
  /** Not to be started before, in milliseconds since the epoch. */
  notBefore: number;
}

export interface TrialQueue {
  isEmpty(): boolean;
  take(): QueuedTrial | undefined;
  /** Puts trials before all others, in their order: added ones, and those that were cut short. */
  addFirst(trials: readonly QueuedTrial[]): void;
  /** Puts a trial after all others, so that what failed gets time to recover. */
  addLast(trial: QueuedTrial): void;
}

/** A queue over the trials of a plan, which are drawn one by one as they are needed. */
export function createQueue(planned: Iterator<QueuedTrial>): TrialQueue {
  let first: QueuedTrial[] = [];
  const last: QueuedTrial[] = [];
  let ahead = planned.next();

  return {
    isEmpty: () => first.length === 0 && ahead.done === true && last.length === 0,
    take() {
      const early = first.shift();
      if (early) return early;
      if (ahead.done) return last.shift();
      const { value } = ahead;
      ahead = planned.next();
      return value;
    },
    addFirst(trials) {
      first = [...trials, ...first];
    },
    addLast(trial) {
      last.push(trial);
    },
  };
}

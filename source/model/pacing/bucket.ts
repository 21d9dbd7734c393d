import type { Clock } from '../../base/clock.js';

const minuteMs = 60_000;

/** A budget of so much a minute. */
export interface Bucket {
  /** Milliseconds until `amount` may be taken; 0 when it may be taken now. */
  waitMs(amount: number): number;
  take(amount: number): void;
  /** Corrects an amount that was taken on an estimate. */
  settle(taken: number, actual: number): void;
}

/**
 * A token bucket that never lets more than `perMinute` through in any minute, its first one included: it holds a tenth
 * of the budget and refills with the rest. An amount larger than the bucket is let through when the bucket is full,
 * and then owed: it could otherwise never pass.
 */
export function createBucket(perMinute: number, clock: Clock): Bucket {
  const capacity = Math.max(1, Math.ceil(perMinute / 10));
  const perMs = (perMinute + 1 - capacity) / minuteMs;
  let level = capacity;
  let at = clock.now();

  function refill(): void {
    const now = clock.now();
    level = Math.min(capacity, level + Math.max(0, now - at) * perMs);
    at = now;
  }

  return {
    waitMs(amount) {
      refill();
      const missing = Math.min(amount, capacity) - level;
      // What is missing by rounding alone is not worth a wait.
      return missing <= 1e-6 ? 0 : Math.ceil(missing / perMs);
    },
    take(amount) {
      refill();
      level -= amount;
    },
    settle(taken, actual) {
      refill();
      level = Math.min(capacity, level + taken - actual);
    },
  };
}

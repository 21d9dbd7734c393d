/**
 * How many requests may be in flight at once, learnt from what the server says: additive increase, multiplicative
 * decrease. Requests that were under way together are refused together, so a refusal halves the limit only when its
 * request began after the last decrease; otherwise one bad moment at 64 in flight would take the limit to 1.
 */
export interface AdaptiveLimit {
  /** Whole, at least 1. */
  readonly value: number;
  /** Given to each request when it begins, and handed back with how it ended. */
  readonly epoch: number;
  /** Grows by one for as many answers as the limit, while the limit is what holds requests back. */
  answered(epoch: number, isFull: boolean): void;
  /** Whether this refusal is the first sign of its congestion. */
  refused(epoch: number): boolean;
}

export function createAdaptiveLimit(most: number): AdaptiveLimit {
  let limit = Math.max(1, Math.floor(most));
  let epoch = 0;
  return {
    get value() {
      return Math.floor(limit);
    },
    get epoch() {
      return epoch;
    },
    answered(began, isFull) {
      if (began === epoch && isFull) limit = Math.min(most, limit + 1 / Math.floor(limit));
    },
    refused(began) {
      if (began !== epoch) return false;
      epoch++;
      limit = Math.max(1, Math.floor(limit / 2));
      return true;
    },
  };
}

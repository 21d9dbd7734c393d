/** A map that forgets what was used longest ago once it holds too much. */
export interface BoundedMap<Value> {
  /** The value, which counts as used now; undefined when it is not there or was forgotten. */
  get(key: string): Value | undefined;
  /** `weight` is in the unit of `maxWeight`. A value heavier than `maxWeight` is not kept at all. */
  set(key: string, value: Value, weight?: number): void;
  delete(key: string): void;
  readonly size: number;
}

/**
 * Holds at most `maxEntries` values, and at most `maxWeight` of whatever the caller weighs them by
 * (characters of text, say): a memo over what models and people write must not grow with the run.
 */
export function createBoundedMap<Value>(
  maxEntries: number,
  maxWeight = Number.POSITIVE_INFINITY,
): BoundedMap<Value> {
  // A Map iterates in order of insertion; taking an entry out and in again makes it the newest.
  const entries = new Map<string, { value: Value; weight: number }>();
  let weightHeld = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    weightHeld -= entry.weight;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight = 0) {
      remove(key);
      if (weight > maxWeight) return;
      entries.set(key, { value, weight });
      weightHeld += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && weightHeld <= maxWeight) break;
        remove(oldest);
      }
    },
    delete: remove,
    get size() {
      return entries.size;
    },
  };
}

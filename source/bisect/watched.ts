import type { Watched } from '../run/bisect-events.js';

/** Whether both are the same check, or the same scenario by all of its checks. */
export function isSameWatched(one: Watched, other: Watched): boolean {
  return one.scenario === other.scenario && one.check === other.check;
}

/** Whether two bisects go by the same, in whatever order. */
export function isSameChoice(one: readonly Watched[], other: readonly Watched[]): boolean {
  return (
    one.length === other.length && one.every((watched) => other.some((each) => isSameWatched(each, watched)))
  );
}

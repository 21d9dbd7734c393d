import type { Evidence } from './types.js';

/** By how many trials the checks of a side are known: the fewest and the most; undefined of none. */
export function knownRange({ scenarios }: Evidence): { least: number; most: number } | undefined {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const { checks } of scenarios.values()) {
    for (const { of } of checks.values()) {
      least = Math.min(least, of);
      most = Math.max(most, of);
    }
  }
  return most === 0 ? undefined : { least, most };
}

/** The same in words: `12 trials`, `3–12 trials`. */
export function knownText(evidence: Evidence): string | undefined {
  const range = knownRange(evidence);
  if (!range) return undefined;
  const { least, most } = range;
  return `${least === most ? most : `${least}–${most}`} ${most === 1 ? 'trial' : 'trials'}`;
}

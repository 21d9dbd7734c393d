import { findingName, findingVerdict } from '../bisect/finding-short.js';
import type { KnownBisect } from '../run/bisects-of.js';
import type { SummedBisect } from '../run/summary.js';

/** `bisect v14 → v15`. Not yet safe to print, as all of these. */
export function bisectName({ good, bad }: Pick<SummedBisect, 'good' | 'bad'>): string {
  return `bisect ${good} → ${bad}`;
}

/** What a bisect has come to: its verdict in capitals and a few words. */
export function findingWord({ found, hunks }: Pick<SummedBisect, 'found' | 'hunks'>): string {
  return found ? findingVerdict(found.finding, hunks) : 'NO VERDICT';
}

/** The same beside the run that it looks into: `hunk 8 of 10`, `not the prompt`, `going on`. */
export function bisectedText({ state, found, hunks }: KnownBisect): string {
  if (found) return findingName(found.finding, hunks);
  return state === 'running' ? 'going on' : 'not finished';
}

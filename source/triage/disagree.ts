import type { PastResult } from './flips.js';
import type { TriageRow } from './suggest.js';

/** The latest runs in which a check passed and in which it did not, with nothing changed between them; may be one run. */
export interface Disagreement {
  pass: PastResult;
  fail: PastResult;
}

/**
 * Where to find two trials of a check that disagree: under the condition of its last flip, else under that of its last
 * result, in which it asked the same. Undefined where it always came to one thing there.
 */
export function disagreementOf({
  results,
  flips,
}: Pick<TriageRow, 'results' | 'flips'>): Disagreement | undefined {
  const last = flips.at(-1)?.to ?? results.at(-1);
  const same = results.filter(({ condition, asks }) => condition === last?.condition && asks === last.asks);
  const pass = same.findLast(({ passed }) => passed > 0);
  const fail = same.findLast(({ passed, of }) => passed < of);
  return pass && fail && { pass, fail };
}

import type { PlannedBisect } from '../run/bisect-events.js';
import type { Candidate } from './candidate.js';
import { ranges } from './finding-short.js';
import type { PromptDiff } from './hunk.js';
import { composePrompt } from './hunks-subset.js';

/** The text of the prompt that a candidate is. */
export function candidateText(diff: PromptDiff, candidate: Candidate): string {
  const applied = diff.hunks.filter((_, index) => candidate[index] === '1');
  return composePrompt(diff, new Set(applied.map(({ id }) => id)));
}

/**
 * What a candidate is called: `v14`, `v15 without 4`, `v14 with 2, 5`, whichever takes fewer words. Hunks are counted
 * from 1.
 */
export function candidateName({ good, bad }: PlannedBisect, candidate: Candidate): string {
  const applied = hunkNumbers(candidate, '1');
  const reverted = hunkNumbers(candidate, '0');
  if (reverted.length === 0) return bad.name;
  if (applied.length === 0) return good.name;
  return reverted.length <= applied.length
    ? `${bad.name} without ${ranges(reverted)}`
    : `${good.name} with ${ranges(applied)}`;
}

/** Hunks, from 1, that a candidate has (`1`), or is without (`0`). */
export function hunkNumbers(candidate: Candidate, digit: '0' | '1'): number[] {
  return Array.from(candidate).flatMap((one, index) => (one === digit ? [index + 1] : []));
}

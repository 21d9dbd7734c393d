import type { Candidate } from './candidate.js';
import type { BisectRecord } from './record.js';

/** Hunks, from 0, that no prompt which was tried parts from some other: nothing is known of them by themselves. */
export function untestedHunks({ diff, trials }: Pick<BisectRecord, 'diff' | 'trials'>): number[] {
  return diff.hunks.flatMap((_, hunk) =>
    trials.some(({ candidate }) => isApart(candidate, hunk)) ? [] : [hunk],
  );
}

function isApart(candidate: Candidate, hunk: number): boolean {
  return candidate.includes(candidate[hunk] === '0' ? '1' : '0');
}

import type { z } from 'zod';
import type { BisectFinding } from '../run/bisect-events.js';
import type { finding as findingSchema } from './bisect-schema.js';

type Facts = z.input<typeof findingSchema> | null;

/** A finding for machines. Hunks are counted from 1. */
export function findingFacts(finding: BisectFinding | undefined): Facts {
  if (!finding) return null;
  switch (finding.kind) {
    case 'hunks':
      return { kind: finding.kind, hunks: numbers(finding.hunks), belief: finding.belief ?? null };
    case 'not-the-prompt':
    case 'good-fails-too':
      return { kind: finding.kind, hunks: [], belief: finding.belief ?? null };
    case 'inconclusive': {
      const { leader, why, wouldTake } = finding;
      return {
        kind: finding.kind,
        hunks: [],
        belief: null,
        why,
        leader: leader ? { hunks: numbers(leader.hunks), belief: leader.belief } : null,
        wouldTake: wouldTake ?? null,
      };
    }
  }
}

/** Hunks as people count them. */
export function numbers(hunks: readonly number[]): number[] {
  return hunks.map((hunk) => hunk + 1);
}

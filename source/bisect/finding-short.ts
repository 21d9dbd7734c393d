import type { BisectFinding } from '../run/bisect-events.js';
import { ranges } from './candidate-prompt.js';

/** A finding in a few words: `hunk 8 of 10`, `not the prompt`. `hunks`: how many there are. */
export function findingName(finding: BisectFinding, hunks: number): string {
  switch (finding.kind) {
    case 'hunks': {
      const what = finding.hunks.length === 1 ? 'hunk' : 'hunks';
      return `${what} ${numbered(finding.hunks)} of ${hunks}`;
    }
    case 'not-the-prompt':
      return 'not the prompt';
    case 'good-fails-too':
      return 'not the prompt, the good one fails too';
    case 'inconclusive':
      return 'inconclusive';
  }
}

/** The same with its verdict in capitals: `FOUND: hunk 8 of 10`. */
export function findingVerdict(finding: BisectFinding, hunks: number): string {
  switch (finding.kind) {
    case 'hunks':
      return `FOUND: ${findingName(finding, hunks)}`;
    case 'not-the-prompt':
      return 'NOT THE PROMPT';
    case 'good-fails-too':
      return 'NOT THE PROMPT: the good one fails too';
    case 'inconclusive':
      return 'INCONCLUSIVE';
  }
}

/** Hunks, from 0, as people count them: `2, 5-8`. */
export function numbered(hunks: readonly number[]): string {
  return ranges([...hunks].sort((a, b) => a - b).map((hunk) => hunk + 1));
}

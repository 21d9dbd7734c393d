import type { BisectFinding } from '../run/bisect-events.js';

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

/** `2, 5-8, 11` */
export function ranges(ascending: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of ascending) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

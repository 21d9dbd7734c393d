import { describe, expect, it } from 'vitest';
import { readEvidence, untestedHunks } from '../../source/bisect/evidence.js';
import { createSession, type Entry, record } from '../../source/bisect/session.js';
import { trial } from './support.js';

function untestedIn(hunks: number, entries: readonly Entry[]): number[] {
  return untestedHunks(readEvidence(entries.reduce(record, createSession({ hunks }))), hunks);
}

describe('a hunk of which nothing is known by itself', () => {
  it('is each of those that no graded trial tells from some other one', () => {
    expect(untestedIn(4, [])).toEqual([0, 1, 2, 3]);
    const ends = [trial('0000', 'pass'), trial('1111', 'fail')];
    expect(untestedIn(4, ends)).toEqual([0, 1, 2, 3]);
    // The second was reverted alone, the others only came together.
    expect(untestedIn(4, [...ends, trial('1011', 'fail')])).toEqual([0, 2, 3]);
    expect(untestedIn(4, [...ends, trial('1011', 'fail'), trial('1000', 'pass')])).toEqual([2, 3]);
    expect(untestedIn(4, [...ends, trial('1010', 'fail'), trial('1100', 'pass')])).toEqual([]);
  });

  it('is one whose trials were taken back, or showed nothing', () => {
    const alone = [trial('01', 'pass', { kind: 'step', hunk: 0 })];
    expect(untestedIn(2, alone)).toEqual([]);
    expect(untestedIn(2, [...alone, { kind: 'undo', steps: 1 }])).toEqual([0, 1]);
    for (const outcome of ['unknown', 'error', 'unwatched'] as const)
      expect(untestedIn(2, [trial('01', outcome)])).toEqual([0, 1]);
  });

  it('is none where there is one hunk only', () => {
    expect(untestedIn(1, [trial('0', 'pass'), trial('1', 'fail')])).toEqual([]);
  });
});

import { appliedOf, type Candidate } from './candidate.js';
import type { Counts } from './rates.js';
import { type Entry, liveEntries, type Session } from './session.js';

/** What trials of one candidate showed. */
export interface Tested extends Counts {
  candidate: Candidate;
  applied: Uint8Array;
}

/** Everything that the live entries of a session say about hunks. */
export interface Evidence {
  /** Candidates with at least one graded trial, each once. */
  tested: readonly Tested[];
  /** By candidate, trials that nobody could grade. */
  unknown: ReadonlyMap<Candidate, number>;
  /** By hunk, what the person said of it last. */
  words: ReadonlyMap<number, 'guilty' | 'innocent'>;
  /** Trials since the last one that ended in an answer and not in an error, or since the bisect was taken up again. */
  errorsInARow: number;
}

/** Counts the live entries of a session. Unknown and error are no evidence. */
export function readEvidence(session: Session): Evidence {
  const tested = new Map<Candidate, Tested>();
  const unknown = new Map<Candidate, number>();
  const words = new Map<number, 'guilty' | 'innocent'>();
  const earlier = new Set<Entry>(session.entries.slice(0, session.resumedAt ?? 0));
  let errorsInARow = 0;
  for (const entry of liveEntries(session)) {
    if (entry.kind === 'override') words.set(entry.hunk, entry.says);
    if (entry.kind !== 'trial') continue;
    const { candidate, outcome } = entry;
    errorsInARow = outcome === 'error' && !earlier.has(entry) ? errorsInARow + 1 : 0;
    if (outcome === 'unknown') unknown.set(candidate, (unknown.get(candidate) ?? 0) + 1);
    if (outcome !== 'pass' && outcome !== 'fail') continue;
    const counts = tested.get(candidate) ?? {
      candidate,
      applied: appliedOf(candidate),
      passed: 0,
      failed: 0,
    };
    if (outcome === 'pass') counts.passed++;
    else counts.failed++;
    tested.set(candidate, counts);
  }
  // In an order of their own, so that nothing hangs on which came first.
  const sorted = [...tested.values()].sort((a, b) => (a.candidate < b.candidate ? -1 : 1));
  return { tested: sorted, unknown, words, errorsInARow };
}

/** Graded trials of a candidate. */
export function countsOf(evidence: Evidence, candidate: Candidate): Counts {
  const { passed, failed } = evidence.tested.find((one) => one.candidate === candidate) ?? noCounts;
  return { passed, failed };
}

const noCounts: Counts = { passed: 0, failed: 0 };

/** Hunks, from 0, that no graded trial tells from some other one: nothing is known of them by themselves. */
export function untestedHunks({ tested }: Evidence, hunks: number): number[] {
  const columns = Array.from({ length: hunks }, (_, hunk) =>
    tested.map(({ candidate }) => candidate[hunk]).join(''),
  );
  return columns.flatMap((column, hunk) =>
    columns.indexOf(column) === columns.lastIndexOf(column) ? [] : [hunk],
  );
}

/** Three trials that nobody could grade, and no more that somebody could: it is not tried again. */
export function isUntestable(evidence: Evidence, candidate: Candidate): boolean {
  const unknown = evidence.unknown.get(candidate) ?? 0;
  if (unknown < 3) return false;
  const { passed, failed } = countsOf(evidence, candidate);
  return unknown > passed + failed;
}

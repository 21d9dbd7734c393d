import type { PassRate } from '../base/statistics.js';
import { appliedOf, type Candidate } from './candidate.js';
import type { Counts } from './rates.js';
import {
  type Entry,
  liveEntries,
  liveTrials,
  type Outcome,
  type Session,
  type TrialEntry,
} from './session.js';

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

/** Passes and fails of trials that ended so. How else they ended, or that they have not, is no evidence. */
export function countOutcomes(outcomes: readonly (Outcome | undefined)[]): Counts {
  const counts = { passed: 0, failed: 0 };
  for (const outcome of outcomes) {
    if (outcome === 'pass') counts.passed++;
    if (outcome === 'fail') counts.failed++;
  }
  return counts;
}

/** Passes and fails of those trials that are meant and that no undo took back. */
export function countTrials(session: Session, isMeant: (trial: TrialEntry) => boolean): Counts {
  const meant = liveTrials(session).filter(isMeant);
  return countOutcomes(meant.map(({ outcome }) => outcome));
}

export function rateOf({ passed, failed }: Counts): PassRate {
  return { passed, of: passed + failed };
}

/** Reads the live entries of a session. */
export function readEvidence(session: Session): Evidence {
  const outcomes = new Map<Candidate, Outcome[]>();
  const words = new Map<number, 'guilty' | 'innocent'>();
  const earlier = new Set<Entry>(session.entries.slice(0, session.resumedAt ?? 0));
  let errorsInARow = 0;
  for (const entry of liveEntries(session)) {
    if (entry.kind === 'override') words.set(entry.hunk, entry.says);
    if (entry.kind !== 'trial') continue;
    const { candidate, outcome } = entry;
    errorsInARow = outcome === 'error' && !earlier.has(entry) ? errorsInARow + 1 : 0;
    const known = outcomes.get(candidate);
    if (known) known.push(outcome);
    else outcomes.set(candidate, [outcome]);
  }
  const all = Array.from(outcomes, ([candidate, of]) => ({
    candidate,
    applied: appliedOf(candidate),
    ...countOutcomes(of),
  }));
  // In an order of their own, so that nothing hangs on which came first.
  const tested = all
    .filter(({ passed, failed }) => passed + failed > 0)
    .sort((a, b) => (a.candidate < b.candidate ? -1 : 1));
  const unknown = new Map(
    Array.from(outcomes, ([candidate, of]) => [candidate, of.filter((one) => one === 'unknown').length]),
  );
  return { tested, unknown, words, errorsInARow };
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

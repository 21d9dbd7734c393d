import type { PassRate } from '../base/statistics.js';
import type { Belief } from '../bisect/answer.js';
import { badEnd, badWithout, type Candidate, goodEnd } from '../bisect/candidate.js';
import { candidateName, candidateText, hunkNumbers } from '../bisect/candidate-prompt.js';
import { countTrials, rateOf, readEvidence, untestedHunks } from '../bisect/evidence.js';
import type { Hunk } from '../bisect/hunk.js';
import type { BisectRecord } from '../bisect/record.js';
import {
  currentBudget,
  currentStrategy,
  liveEntries,
  spentTrials,
  type TrialEntry,
} from '../bisect/session.js';
import { propose } from '../bisect/strategy.js';
import { type SuiteStanding, suiteStandings } from '../bisect/whole-suite.js';
import type { BisectFound, BisectPurpose, StrategyName } from '../run/bisect-events.js';
import { type BisectNote, notesIn, type TakenBack, takenBackIn } from './bisect-said.js';

/** What is known of one hunk. */
export interface HunkStanding {
  /** As people count them, from 1. */
  number: number;
  hunk: Hunk;
  /** Numbers of the hunks without which it is never applied. */
  needs: number[];
  /** Probability that it is guilty; undefined under a strategy that believes nothing. */
  belief: number | undefined;
  /** Graded trials of prompts between the ends with it, and without it. */
  applied: PassRate;
  reverted: PassRate;
  /** Of B with it reverted, and with what hangs on it. */
  alone: PassRate;
  /** What a person said of it last. */
  word: 'guilty' | 'innocent' | 'skipped' | undefined;
  isGuilty: boolean;
  /** Graded trials tell it from every other hunk. */
  isTested: boolean;
}

/** B without the hunks that were found, and what was tried of it. */
export interface Narrowed {
  candidate: Candidate;
  name: string;
  text: string;
  /** Numbers of all hunks that are reverted: those that were found, and those that cannot be without them. */
  reverted: number[];
  /** Of the confirmation: it against B, in turns. */
  confirmation: { narrowed: PassRate; bad: PassRate };
  /** Of the cure check. */
  cure: PassRate;
  /** All graded trials of it, whatever they were for. */
  all: PassRate;
  /** The rest of the suite on it, run or not; empty where all of it is watched. */
  suite: SuiteStanding[];
}

/** All that reports say of a bisect. */
export interface BisectDigest {
  hunks: HunkStanding[];
  /** Of all graded trials of each end. */
  ends: { good: PassRate; bad: PassRate };
  belief: Belief | undefined;
  strategy: StrategyName;
  /** Trials of the bisect, undone ones too, and those that could not be run not. */
  spent: number;
  budget: number;
  /** Not set where nothing was. */
  takenBack?: TakenBack;
  notes: BisectNote[];
  /** Not set where no hunks were found. */
  narrowed?: Narrowed;
}

/** What a bisect has come to, from what it recorded. */
export function digestBisect(record: BisectRecord, found: BisectFound | undefined): BisectDigest {
  const session = record.session();
  const { belief } = propose(session);
  const { hunks } = session;
  const guilty = found?.finding.kind === 'hunks' ? found.finding.hunks : [];
  const takenBack = takenBackIn(record);
  return {
    hunks: hunkStandings(record, belief, guilty),
    ends: { good: passedOn(record, goodEnd(hunks)), bad: passedOn(record, badEnd(hunks)) },
    belief,
    strategy: currentStrategy(session),
    spent: spentTrials(session),
    budget: currentBudget(session),
    ...(takenBack && { takenBack }),
    notes: notesIn(record),
    ...(guilty.length > 0 && { narrowed: narrowedOf(record, guilty) }),
  };
}

function hunkStandings(
  record: BisectRecord,
  belief: Belief | undefined,
  guilty: readonly number[],
): HunkStanding[] {
  const { diff } = record;
  const session = record.session();
  const untested = new Set(untestedHunks(readEvidence(session), session.hunks));
  const ends = [goodEnd(session.hunks), badEnd(session.hunks)];
  const numberOf = new Map(diff.hunks.map(({ id }, index) => [id, index + 1]));
  return diff.hunks.map((hunk, index) => ({
    number: index + 1,
    hunk,
    needs: hunk.needs.flatMap((id) => numberOf.get(id) ?? []),
    belief: belief?.hunks[index],
    applied: passedOf(record, ({ candidate }) => candidate[index] === '1' && !ends.includes(candidate)),
    reverted: passedOf(record, ({ candidate }) => candidate[index] === '0' && !ends.includes(candidate)),
    alone: passedOn(record, badWithout([index], record.needs)),
    word: wordOn(record, index),
    isGuilty: guilty.includes(index),
    isTested: !untested.has(index),
  }));
}

function wordOn(record: BisectRecord, hunk: number): HunkStanding['word'] {
  const said = liveEntries(record.session()).findLast(
    (entry) => (entry.kind === 'override' || entry.kind === 'skip') && entry.hunk === hunk,
  );
  if (said?.kind === 'override') return said.says;
  return said ? 'skipped' : undefined;
}

function narrowedOf(record: BisectRecord, guilty: readonly number[]): Narrowed {
  const session = record.session();
  const candidate = badWithout(guilty, record.needs);
  const isFor = (kind: BisectPurpose['kind'], { purpose }: TrialEntry) =>
    purpose.kind === kind && 'hunks' in purpose && purpose.hunks.join() === guilty.join();
  const confirmed = (one: Candidate) =>
    passedOf(record, (trial) => trial.candidate === one && isFor('confirm', trial));
  return {
    candidate,
    name: candidateName(record.planned, candidate),
    text: candidateText(record.diff, candidate),
    reverted: hunkNumbers(candidate, '0'),
    confirmation: { narrowed: confirmed(candidate), bad: confirmed(badEnd(session.hunks)) },
    cure: passedOf(record, (trial) => trial.candidate === candidate && isFor('cure', trial)),
    all: passedOn(record, candidate),
    suite: suiteStandings(record, candidate),
  };
}

/** Graded trials that no undo took back. */
function passedOf(record: BisectRecord, isMeant: (trial: TrialEntry) => boolean): PassRate {
  return rateOf(countTrials(record.session(), isMeant));
}

function passedOn(record: BisectRecord, candidate: Candidate): PassRate {
  return passedOf(record, (trial) => trial.candidate === candidate);
}

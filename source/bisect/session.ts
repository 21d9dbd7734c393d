import type { BisectDecision, BisectPurpose, StrategyName } from '../run/bisect-events.js';
import { type Candidate, closeNeeds, type Dependencies, isAllowed } from './candidate.js';
import type { Counts } from './rates.js';

/**
 * How a trial of the watched checks ended. No evidence: unknown (nobody could grade it), error (it could not be run), and
 * unwatched (it was run before one of the scenarios was watched that are watched now).
 */
export type Outcome = 'pass' | 'fail' | 'unknown' | 'error' | 'unwatched';

/** A trial of the watched checks. */
export interface TrialEntry {
  kind: 'trial';
  candidate: Candidate;
  outcome: Outcome;
  purpose: BisectPurpose;
}

/** One thing that happened in a bisect: a trial, or what a person said. */
export type Entry = TrialEntry | BisectDecision;

/**
 * A bisect: what it is of, and all that happened, in order. Plain data: written as JSON it can be taken up again
 * anywhere. Entries are only ever added.
 */
export interface Session {
  hunks: number;
  dependencies: Dependencies;
  /** Of the draws that choosing takes, so that the same session always goes on in the same way. */
  seed: string;
  strategy: StrategyName;
  /** Trials after which it stops. Undone ones count, those that could not be run do not. */
  budget: number;
  /** Trials of each step of `guided`, `one-by-one` and `binary`. */
  repeats: number;
  /** What is known of just the good prompt from earlier runs, those that raised the flag left out. */
  history?: Counts;
  /** How suspicious each hunk is before any trial, relative to the others. */
  weights?: readonly number[];
  /** How many entries there were when it was taken up last: errors of before say nothing of whether trials can be run now. */
  resumedAt?: number;
  entries: readonly Entry[];
}

/** Trials after which a person is asked whether to go on. */
export const askAfter = 60;
/** Errors in a row after which the infrastructure is not there, and the bisect stops. */
export const mostErrors = 6;
/** Above this, likelihoods no longer fit into numbers. */
export const mostTrials = 1000;

/** Trials after which a bisect stops when nobody says otherwise. */
function defaultBudget(hunks: number): number {
  return hunks > 16 ? 300 : 200;
}

/** A bisect in which nothing has happened yet. Throws where there is no hunk, and where hunks need each other. */
export function createSession(options: Partial<Omit<Session, 'entries'>> & Pick<Session, 'hunks'>): Session {
  const session: Session = {
    dependencies: [],
    seed: '1',
    strategy: 'guided',
    budget: defaultBudget(options.hunks),
    repeats: 6,
    ...options,
    entries: [],
  };
  const { hunks, budget, repeats, dependencies, weights } = session;
  if (!isWhole(hunks, 1)) throw new Error('a bisect needs at least one hunk');
  refuseBudget(budget);
  if (!isWhole(repeats, 1)) throw new Error('a step has at least one trial');
  if (weights && weights.length !== hunks)
    throw new Error(`it has ${weights.length} weights for ${hunks} hunks`);
  closeNeeds(hunks, dependencies);
  return session;
}

/** The session with one more entry. Throws for a hunk that is not there and for a candidate that is not allowed. */
export function record(session: Session, entry: Entry): Session {
  if (entry.kind === 'trial' && !isAllowed(entry.candidate, closeNeeds(session.hunks, session.dependencies)))
    throw new Error(`there is no candidate ${entry.candidate} of ${session.hunks} hunks`);
  if ('hunk' in entry && entry.hunk !== undefined && !(isWhole(entry.hunk, 0) && entry.hunk < session.hunks))
    throw new Error(noHunk(entry.hunk, session.hunks));
  if (entry.kind === 'undo' && !isWhole(entry.steps, 1))
    throw new Error('an undo takes back at least one step');
  if (entry.kind === 'budget') refuseBudget(entry.budget);
  return { ...session, entries: [...session.entries, entry] };
}

/** What is said of a hunk, from 0, that is not there. As everywhere people read of hunks they are counted from 1. */
export function noHunk(hunk: number, hunks: number): string {
  return `there is no hunk ${hunk + 1} of ${hunks}`;
}

function refuseBudget(budget: number): void {
  if (!isWhole(budget, 1) || budget > mostTrials) throw new Error(`a budget is 1 to ${mostTrials} trials`);
}

function isWhole(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least;
}

type LiveEntry = Exclude<Entry, { kind: 'undo' }>;

/** The entries that no undo took back, in their steps. */
export function liveSteps({ entries }: Session): LiveEntry[][] {
  let steps: LiveEntry[][] = [];
  for (const entry of entries) {
    if (entry.kind === 'undo') {
      steps = steps.slice(0, Math.max(0, steps.length - entry.steps));
      continue;
    }
    const current = steps.at(-1);
    if (current && isSameStep(current, entry)) current.push(entry);
    else steps.push([entry]);
  }
  return steps;
}

/** The entries that no undo took back. */
export function liveEntries(session: Session): readonly LiveEntry[] {
  const { entries } = session;
  let live = liveOf.get(entries);
  if (!live) {
    live = entries.filter((entry) => entry.kind !== 'undo');
    if (live.length < entries.length) live = liveSteps(session).flat();
    liveOf.set(entries, live);
  }
  return live;
}

/** Entries are only ever added, to a list of their own: each list is read once, however often it is asked about. */
const liveOf = new WeakMap<readonly Entry[], readonly LiveEntry[]>();

/** The trials that no undo took back. */
export function liveTrials(session: Session): TrialEntry[] {
  return liveEntries(session).filter((entry) => entry.kind === 'trial');
}

/**
 * Trials for one purpose in a row are one step, with the notes on them; a search is a step a candidate, and what an
 * answer is confirmed and checked by is one. All that a person says is a step: taken back, the trials that it was said of
 * stay, which are paid for.
 */
function isSameStep(step: readonly LiveEntry[], entry: LiveEntry): boolean {
  const first = step[0];
  if (!first) return false;
  if (entry.kind === 'note') return true;
  return first.kind === 'trial' && entry.kind === 'trial' && stepKey(first) === stepKey(entry);
}

function stepKey({ purpose, candidate }: TrialEntry): string {
  switch (purpose.kind) {
    case 'search':
      return JSON.stringify([purpose, candidate]);
    case 'confirm':
    case 'cure':
      return JSON.stringify(purpose.hunks);
    default:
      return JSON.stringify(purpose);
  }
}

/** Whether what was last tried or said of hunks and strategies was taken back, and nothing came after that. */
export function isTakenBack({ entries }: Session): boolean {
  return entries.findLast(({ kind }) => kind === 'undo' || actKinds.has(kind))?.kind === 'undo';
}

/** The last trial, or word on a hunk: what decides which step a bisect is in. */
export function lastOfSteps(session: Session): LiveEntry | undefined {
  return liveEntries(session).findLast(({ kind }) => stepKinds.has(kind));
}

const stepKinds: ReadonlySet<Entry['kind']> = new Set(['trial', 'accept', 'skip', 'override']);
/** After these a bisect goes on by itself where it is not at a step of the person. */
const actKinds: ReadonlySet<Entry['kind']> = new Set([...stepKinds, 'hand-over']);

/** The strategy that is asked next: the last that was handed over to, or the one that the session began with. */
export function currentStrategy(session: Session): StrategyName {
  return liveEntries(session).findLast((entry) => entry.kind === 'hand-over')?.to ?? session.strategy;
}

/** Trials after which it stops: as it began, or as a person said last. */
export function currentBudget(session: Session): number {
  return liveEntries(session).findLast((entry) => entry.kind === 'budget')?.budget ?? session.budget;
}

/** Trials that count against the budget: all that were run, undone ones included. */
export function spentTrials({ entries }: Session): number {
  return entries.filter((entry) => entry.kind === 'trial' && entry.outcome !== 'error').length;
}

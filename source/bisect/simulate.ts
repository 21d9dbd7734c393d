import { createRandom, type Random } from '../base/random.js';
import type { BisectFinding, StrategyName } from '../run/bisect-events.js';
import { batchOf } from './batch.js';
import { badWithout, type Candidate, closeNeeds, goodEnd } from './candidate.js';
import type { Counts } from './rates.js';
import { createSession, record, type Session, spentTrials } from './session.js';
import { propose } from './strategy.js';

/** What is wrong in a simulated bisect. */
export const guiltKinds = [
  'single',
  'both',
  'either',
  'additive',
  'any-of-three',
  'none',
  'a-broken',
] as const;
export type GuiltKind = (typeof guiltKinds)[number];

export interface Simulation {
  strategy: StrategyName;
  hunks: number;
  guilty: GuiltKind;
  /** True pass rates without and with the guilt. */
  rates: { good: number; bad: number };
  seed: string;
  budget?: number;
  /** Trials of a step; the usual six when not set. */
  repeats?: number;
  /** Trials that are run at once where nothing hangs on the first: 1. */
  parallel?: number;
  /** What is known of the good prompt from before. */
  history?: Counts;
  /** How suspicious hunks are before any trial, relative to the others. */
  weights?(truth: Truth): readonly number[];
}

/** How a simulated bisect ended, held against the truth. */
export type Ending =
  /** What it named is guilty and reverting it cures; or it is not the prompt and it said so. */
  | 'right'
  /** It named guilty hunks, but not enough of them. */
  | 'partial'
  /** It named a hunk that is innocent. */
  | 'innocent'
  /** It said that it is not the prompt, and it is. */
  | 'missed'
  | 'inconclusive';

export interface Simulated {
  ending: Ending;
  trials: number;
  /** How often trials were waited for: those that run at once are one round. */
  rounds: number;
  session: Session;
}

/** The truth of one simulated bisect. */
export interface Truth {
  /** Ascending. */
  guilty: readonly number[];
  rateOf(candidate: Candidate): number;
}

/** How many guilty hunks a kind needs. */
export function guiltyHunks(kind: GuiltKind): number {
  return { single: 1, both: 2, either: 2, additive: 2, 'any-of-three': 3, none: 0, 'a-broken': 0 }[kind];
}

/** Draws which hunks are guilty. Throws where there are fewer hunks than that takes. */
function drawTruth({ guilty: kind, hunks, rates: { good, bad } }: Simulation, random: Random): Truth {
  const wanted = guiltyHunks(kind);
  if (wanted > hunks) throw new Error(`${kind} takes ${wanted} hunks, and there are ${hunks}`);
  const drawn = new Set<number>();
  while (drawn.size < wanted) drawn.add(Math.floor(random.next() * hunks));
  const guilty = [...drawn].sort((a, b) => a - b);
  const rateOf = (candidate: Candidate): number => {
    const applied = guilty.filter((hunk) => candidate[hunk] === '1').length;
    switch (kind) {
      case 'single':
      case 'both':
        return applied === wanted ? bad : good;
      case 'either':
      case 'any-of-three':
        return applied > 0 ? bad : good;
      case 'additive':
        return good - ((good - bad) * applied) / wanted;
      case 'none':
        return good;
      case 'a-broken':
        return bad;
    }
  };
  return { guilty, rateOf };
}

/**
 * Plays one bisect to its end on a truth that is drawn, with a person who accepts every verdict. Seeded: the same
 * simulation gives the same bisect.
 */
export function simulateBisect(simulation: Simulation): Simulated {
  const playing = playBisect(simulation);
  for (;;) {
    const { done, value } = playing.next();
    if (done) return value;
  }
}

/**
 * The same step by step: what comes next is worked out between two of them, which for hundreds of hunks takes a while.
 * Whoever plays it holds the thread no longer than that.
 */
export function* playBisect(simulation: Simulation): Generator<undefined, Simulated> {
  const { strategy, hunks, guilty, rates, seed, budget, repeats, parallel = 1, history } = simulation;
  // All strategies of one seed face the same truth.
  const truth = drawTruth(simulation, createRandom('bisect truth', seed, hunks, guilty));
  const random = createRandom('bisect trials', seed, strategy, hunks, guilty, rates.good, rates.bad);
  const weights = simulation.weights?.(truth);
  let session = createSession({
    hunks,
    strategy,
    seed,
    ...(budget !== undefined && { budget }),
    ...(repeats !== undefined && { repeats }),
    ...(history && { history }),
    ...(weights && { weights }),
  });
  for (let rounds = 0; ; rounds++) {
    yield;
    const { next } = propose(session);
    switch (next.kind) {
      case 'finish': {
        const ending = endingOf(next.finding, truth, hunks);
        return { ending, trials: spentTrials(session), rounds, session };
      }
      case 'decide':
        session = record(session, { kind: 'accept', hunk: next.hunk });
        // Nobody is waited for.
        rounds--;
        break;
      case 'try':
        for (const candidate of batchOf(session, next, parallel)) {
          const outcome = random.next() < truth.rateOf(candidate) ? 'pass' : 'fail';
          session = record(session, { kind: 'trial', candidate, outcome, purpose: next.purpose });
        }
    }
  }
}

function endingOf(finding: BisectFinding, { guilty, rateOf }: Truth, hunks: number): Ending {
  switch (finding.kind) {
    case 'inconclusive':
      return 'inconclusive';
    case 'not-the-prompt':
    case 'good-fails-too':
      return guilty.length === 0 ? 'right' : 'missed';
    case 'hunks': {
      if (!finding.hunks.every((hunk) => guilty.includes(hunk))) return 'innocent';
      const narrowed = badWithout(finding.hunks, closeNeeds(hunks, []));
      return rateOf(narrowed) >= rateOf(goodEnd(hunks)) - 1e-9 ? 'right' : 'partial';
    }
  }
}

/** Many bisects of one kind. */
export interface SimulatedRow {
  strategy: StrategyName;
  runs: number;
  /** How many ended how. */
  endings: Record<Ending, number>;
  meanTrials: number;
  /** Nine of ten bisects took at most so many trials. */
  trialsOfNineInTen: number;
}

/** Sums up simulated bisects of one strategy. */
export function sumUp(
  strategy: StrategyName,
  bisects: readonly Pick<Simulated, 'ending' | 'trials'>[],
): SimulatedRow {
  const endings = { right: 0, partial: 0, innocent: 0, missed: 0, inconclusive: 0 };
  for (const { ending } of bisects) endings[ending]++;
  const trials = bisects.map((one) => one.trials).sort((a, b) => a - b);
  return {
    strategy,
    runs: bisects.length,
    endings,
    meanTrials: trials.reduce((sum, each) => sum + each, 0) / Math.max(1, trials.length),
    trialsOfNineInTen: trials[Math.ceil(0.9 * trials.length) - 1] ?? 0,
  };
}

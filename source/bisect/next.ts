import type { Answer, Belief } from './answer.js';
import type { Candidate } from './candidate.js';
import type { Purpose } from './session.js';

/** How a bisect ends. `belief`: probability of the answer, where the strategy keeps one. */
export type Finding =
  | { kind: 'hunks'; hunks: readonly number[]; belief?: number }
  | { kind: 'not-the-prompt'; belief?: number }
  /** A fails as well, so there is nothing to find between it and B. */
  | { kind: 'good-fails-too'; belief: number }
  | { kind: 'inconclusive'; why: Why; leader?: Answer; wouldTake?: number };

/**
 * Why there is no answer: the budget is spent, trials could not be run six times in a row, no candidate is left that
 * could be graded, or (plain strategies) nothing that was tried recovered.
 */
export type Why = 'budget' | 'errors' | 'ungradable' | 'no-recovery';

/** What is to be done next. */
export type Next =
  /** Run a trial. `trials`: how many are expected until this step is through, this one included. */
  | { kind: 'try'; candidate: Candidate; purpose: Purpose; trials: number }
  /** A guided step is decided and waits for the person: accept, override or skip. */
  | { kind: 'decide'; hunk: number; verdict: StepVerdict }
  | { kind: 'finish'; finding: Finding };

/** What the trials without a hunk say: it passes again, it fails still, or nobody can tell. */
export type StepVerdict = 'recovered' | 'still-fails' | 'unknown';

/** What a strategy makes of a session. */
export interface Proposal {
  next: Next;
  /** What is believed now; plain strategies believe nothing. */
  belief?: Belief;
}

import type { BisectFinding, BisectPurpose } from '../run/bisect-events.js';
import type { Belief } from './answer.js';
import type { Candidate } from './candidate.js';

/** Run a trial. */
export interface Attempt {
  kind: 'try';
  candidate: Candidate;
  purpose: BisectPurpose;
  /** How many are expected until this step is through, this one included. */
  trials: number;
  /** Where all of them are run whatever each shows: on which prompts, this one first. */
  inTurn?: readonly Candidate[];
}

/** What is to be done next. */
export type Next =
  | Attempt
  /** A guided step is decided and waits for the person: accept, override or skip. */
  | { kind: 'decide'; hunk: number; verdict: StepVerdict }
  | { kind: 'finish'; finding: BisectFinding };

/** What the trials without a hunk say: it passes again, it fails still, or nobody can tell. */
export type StepVerdict = 'recovered' | 'still-fails' | 'unknown';

/** What a strategy makes of a session. */
export interface Proposal {
  next: Next;
  /** What is believed now; plain strategies believe nothing. */
  belief?: Belief;
}

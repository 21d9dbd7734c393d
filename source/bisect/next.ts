import type { BisectFinding, BisectPurpose } from '../run/bisect-events.js';
import type { Belief } from './answer.js';
import type { Candidate } from './candidate.js';

/** What is to be done next. */
export type Next =
  /**
   * Run a trial. `trials`: how many are expected until this step is through, this one included. `inTurn`: where all of
   * them are run whatever each shows, on which prompts, this one first.
   */
  | {
      kind: 'try';
      candidate: Candidate;
      purpose: BisectPurpose;
      trials: number;
      inTurn?: readonly Candidate[];
    }
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

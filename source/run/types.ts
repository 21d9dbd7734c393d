import type { CheckResult } from '../grade/types.js';
import type { TrialEnd, Turn } from '../play/types.js';
import type { SessionRequest, Target } from '../target/types.js';
import type { BisectDecision, BisectFound } from './bisect-events.js';
import type { JournalPosition, Ledgers, RunMessage, TrialKey } from './events.js';
import type { AddedTrials } from './extensions.js';
import type { Condition } from './planned.js';

/** What is tested under one condition. */
export interface RunnableCondition {
  target: Target;
  /** The version that products are told of. */
  prompt?: NonNullable<SessionRequest['prompt']>;
}

/** One trial, whole, as read back from the journal. */
export interface TrialRecord {
  key: TrialKey;
  attempt: number;
  turns: Turn[];
  results: CheckResult[];
  /** Not set while the trial is running, or when it ended in an error. */
  finished: { end: TrialEnd; unsent: string[]; ms: number; tokens: Ledgers } | undefined;
  /** What the product said beside its replies. */
  log?: string;
  error: { kind: string; message: string } | undefined;
}

export type RunListener = (message: RunMessage) => void;

/** Reads one trial by the positions that its cell holds; each spans one line or several neighbouring ones. */
export type ReadTrial = (key: TrialKey, positions: readonly JournalPosition[]) => Promise<TrialRecord>;

/** What a person can do to a run that is going on. */
export interface RunControls {
  readonly isPaused: boolean;
  /** No new trial starts; those in flight finish. */
  pause(): void;
  resume(): void;
  /** First Ctrl+C: schedules nothing more and finishes what is in flight; the run stays resumable. */
  stop(): void;
  /** Second Ctrl+C: aborts what is in flight; the run stays resumable. */
  abort(): void;
  /**
   * Appends `count` trials of a scenario, to be run next: under every condition that trials are planned under, or under
   * `condition` alone. `confirms`: to confirm or to clear a suspect. Also after the run has finished: it
   * goes on then, with whatever a stop had left undone too. Does nothing once aborted.
   */
  addTrials(
    scenario: string,
    count: number,
    options?: Pick<AddedTrials, 'condition' | 'confirms' | 'bisect'>,
  ): void;
}

/** A run that is going on in this process. */
export interface LiveRun extends RunControls {
  readonly runId: string;
  /** It was told to stop or to abort, or has reason to: nothing more starts. */
  readonly isStopping: boolean;
  /** Folder of the run: journal.jsonl and summary.json. A tainted run has another one once it is closed. */
  readonly folder: string;
  /** Hears every message from now on, in order, each after its line is handed to the journal. */
  subscribe(listener: RunListener): () => void;
  /**
   * A condition joins that only stands by: trials are added to it one by one. `candidate`: see `condition-added`. Its
   * target is closed with the run. Throws where its id is taken.
   */
  addCondition(added: RunnableCondition & { condition: Condition }, candidate?: string): void;
  /** Writes what a person said in a bisect, or what that found. */
  tell(said: { decision: BisectDecision } | { found: BisectFound }): void;
  /**
   * While held the run is not over when nothing is left to do: more is to come. One that is over, or was stopped, goes
   * on; one that was aborted does not. Gives the way out.
   */
  hold(): () => void;
  /** Gives every message so far, read back from the journal, then those to come, in order. */
  feed(listener: RunListener): void;
  readTrial: ReadTrial;
  /** Starts scheduling. Resolves whenever nothing is left to do: completed, stopped or aborted. Throws only for bugs. */
  start(): Promise<void>;
  /** Ends the journal and writes the summary. Call once, at the very end. */
  close(): Promise<void>;
}

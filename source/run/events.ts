import type { Json } from '../base/json.js';
import type { CheckResult } from '../grade/types.js';
import type { ModelErrorKind, Usage } from '../model/types.js';
import type { TrialEnd, Turn } from '../play/types.js';
import type { GateSettings } from '../project/gate-settings.js';
import type { BisectDecision, BisectFound, BisectPurpose, PlannedBisect } from './bisect-events.js';
import type { Condition, KnownNoise, Plan, PlannedBase, QuarantineEntry, RegradeOf } from './planned.js';

/** Version of the journal's format; a reader refuses a newer one and says so. */
export const journalVersion = 1;

/**
 * Tokens, in a ledger each for whoever used them. `user`: of the simulated user; not set where no turn was simulated.
 */
export interface Ledgers {
  agent: Usage;
  judge: Usage;
  user?: Usage;
  /** Nobody reported the tokens of some of the agent's replies: it used more than its ledger says. */
  isAgentPartial?: true;
}

/** Names one trial: a scenario, a condition, and which repeat (from 1). */
export interface TrialKey {
  scenario: string;
  condition: string;
  repeat: number;
}

/**
 * Why a trial could not be run. `model`: an answer that was none. `refused-request`: the provider found the request
 * wrong. `target`: the product said that it failed. `limit`: the hard time limit. `not-recorded`: graded again, but the
 * run that is graded holds no conversation of it. `bug`: a mistake in evalrun.
 */
export type TrialErrorKind =
  | 'auth'
  | 'rate-limit'
  | 'overloaded'
  | 'model'
  | 'refused-request'
  | 'network'
  | 'target'
  | 'fallback'
  | 'limit'
  | 'aborted'
  | 'not-recorded'
  | 'bug';

/** What happens in a run. The only stream: screens, reports, tally, history and resume all derive from it. */
export type RunEvent =
  | {
      type: 'run-started';
      version: typeof journalVersion;
      runId: string;
      /** Milliseconds since the epoch, as every `at`. */
      at: number;
      suite: string;
      /** Hash of suite-wide content (tools, settings, judge): resume refuses to go on when it changed. */
      suiteHash: string;
      plan: Plan;
      /** Draws of simulated models and of the judge derive from it. */
      seed: string;
      concurrency: number;
      label?: string;
      note?: string;
      /** Its agent's tokens are those of that run: they were not used again. */
      regradeOf?: RegradeOf;
      judge?: { model: string; prompt: string; promptSha256: string };
      /** Whose the models of gateways are, as the config said it: see `sameVendor`. */
      vendors?: Record<string, string>;
      /** Who plays the user in simulated turns; `prompt` is `name@N` of what it is told. */
      user?: { model: string; prompt: string };
      /** Hashes of the files that models and products stand in, by what those are called. */
      sources?: Record<string, string>;
      /** By id of the condition: the values that a product says it is tuned with, asked once before the first trial. */
      tuning?: Record<string, Json>;
      /**
       * What the run is for, where not for a verdict on its conditions. `aa`: the same condition twice, for the noise
       * floor of the suite. `attribution`: two conditions, to be told apart by what is stable under both. `bisect`: prompts
       * between two, each a condition that joins when it is tried.
       */
      purpose?: 'aa' | 'attribution' | 'bisect';
      /** What a bisect is of. */
      bisect?: PlannedBisect;
      /** The noise floor of the suite, as it was known when the run began. */
      noise?: KnownNoise;
      /** What was quarantined when the run began; not set: nothing. */
      quarantine?: QuarantineEntry[];
      /** What its first condition is compared with: another condition of it, or a baseline file. */
      base?: PlannedBase;
      /** What the gate went by. */
      gate?: GateSettings;
      /** Scenarios of the suite were left out: nothing is gone because it is not in the plan. */
      filtered?: true;
      /** Folder, from the top of the project, whose fixtures stand in the place of those of scenarios. */
      fixtures?: string;
      git?: { commit: string; branch?: string; dirty: boolean };
      evalrun: string;
      node: string;
      /** The command line, secrets redacted. */
      command: string;
    }
  /** A journal was opened again; trials in flight at the crash start anew. */
  | { type: 'run-resumed'; at: number }
  | { type: 'trial-started'; at: number; trial: TrialKey; attempt: number }
  /** Not journaled: the reply so far (its last part), for a running row. */
  | { type: 'reply-progress'; trial: TrialKey; turn: number; text: string; tool?: string }
  | { type: 'turn-finished'; at: number; trial: TrialKey; attempt: number; turn: Turn }
  | { type: 'check-finished'; at: number; trial: TrialKey; attempt: number; result: CheckResult }
  | {
      type: 'trial-finished';
      at: number;
      trial: TrialKey;
      attempt: number;
      end: TrialEnd;
      unsent: string[];
      /** Wall milliseconds of the conversation, grading not included. */
      ms: number;
      tokens: Ledgers;
    }
  /** What the product said beside its replies (a command's stderr, a close that failed): its last lines, bounded. */
  | { type: 'product-log'; at: number; trial: TrialKey; attempt: number; text: string }
  /** A model request failed and is sent again: no taint. Of which trial is not known, for trials share their models. */
  | {
      type: 'request-retried';
      at: number;
      /** `provider:model` */
      model: string;
      kind: ModelErrorKind;
      message: string;
      waitMs: number;
    }
  /** `final`: no attempt is left; the trial stays an error. */
  | {
      type: 'trial-errored';
      at: number;
      trial: TrialKey;
      attempt: number;
      kind: TrialErrorKind;
      message: string;
      final: boolean;
    }
  /**
   * Trials were added to one scenario: repeats `from` to `to` (both included) under every condition, or under
   * `condition` alone. `confirms`: to confirm or to clear a suspect; they do not count towards what raised it.
   */
  | {
      type: 'plan-extended';
      at: number;
      scenario: string;
      condition?: string;
      from: number;
      to: number;
      confirms?: true;
      /** Of a bisect: which of its trials this is a part of, counted from 1, and what that is for. */
      bisect?: { trial: number; purpose: BisectPurpose };
    }
  /** A condition joined that only stands by. `candidate`: which hunks of a bisect are applied, a digit each. */
  | { type: 'condition-added'; at: number; condition: Condition; candidate?: string }
  /** What a person said in a bisect. */
  | { type: 'bisect-decided'; at: number; decision: BisectDecision }
  /** A bisect came to its end. What comes after it may change that. */
  | { type: 'bisect-found'; at: number; found: BisectFound }
  /** Makes the run unusable as evidence. */
  | { type: 'taint'; at: number; kind: 'auth' | 'rate-limit' | 'fallback'; message: string }
  /** `reason`: why it stopped, where nobody told it to. */
  | { type: 'run-finished'; at: number; outcome: 'completed' | 'interrupted' | 'stopped'; reason?: string };

/** Where an event stands in its journal: bytes from the start, and bytes of the line with its line end. */
export interface JournalPosition {
  offset: number;
  length: number;
}

/** An event as subscribers get it: live and replayed alike. `position` is not set for events that are never journaled. */
export interface RunMessage {
  event: RunEvent;
  position?: JournalPosition;
}

/** One text for one trial, for maps. */
export function trialId(key: TrialKey): string {
  return `${key.condition}/${key.repeat}/${key.scenario}`;
}

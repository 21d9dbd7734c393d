import type { CheckResult, CheckVerdict } from '../grade/types.js';
import type { BisectFound } from '../run/bisect-events.js';
import type { JournalPosition, Ledgers, RunEvent } from '../run/events.js';
import type { Condition, PlannedScenario } from '../run/planned.js';

/** Verdict of a trial, of a check over its trials, and of a scenario. `error`: could not be run. */
export type Verdict = CheckVerdict | 'error';

/** How many trials of one check ended how. `error` counts trials of the scenario that could not be run. */
export interface CheckCounts {
  pass: number;
  warn: number;
  fail: number;
  unknown: number;
  error: number;
  /** Of the first trial with the worst verdict so far that is not pass. Cut as `cutReason` does. */
  why?: { verdict: CheckVerdict; reason: string };
  /** Scores of 1 to 5 that were given, in the order in which the trials ended; none of unknown ones. */
  scores?: number[];
  /** By axis that the check reports itself, over its graded trials. */
  axes?: Map<string, AxisCounts>;
}

/** Over graded trials of one check: how many had all of an axis right, and the shares that were right, added up. */
export interface AxisCounts {
  right: number;
  of: number;
  shares: number;
}

/** What the tally needs of a result. */
export type CountedResult = Pick<CheckResult, 'verdict' | 'reason' | 'score' | 'axes'>;

/** What is known of a trial that is running: counted once it has finished, forgotten when it starts anew. */
export interface TrialInFlight {
  /** Each check that was graded, by check id. */
  checks: Map<string, CountedResult>;
  /** What the product said of itself in the turns so far. */
  models: Set<string>;
  versions: Set<string>;
  /** Whether its first turn was answered from a warm cache; undefined: not known. */
  isWarm: boolean | undefined;
}

/** One trial as the grid shows it. */
export interface Cell {
  repeat: number;
  state: 'waiting' | 'running' | Verdict;
  /** The attempt that counts, from 1; 0 while waiting. */
  attempt: number;
  tokens: Ledgers | undefined;
  /** Wall milliseconds of the conversation. */
  ms: number | undefined;
  /** `at` of its trial-started, while running. */
  startedAt: number | undefined;
  /** The turn it is in and what is being said, while running. Never kept afterwards. */
  live: { turn: number; text: string; tool?: string } | undefined;
  /**
   * Where the events of the attempt that counts stand in the journal. Neighbouring lines share one position, so one
   * may span several lines.
   */
  positions: JournalPosition[];
  /** Reason of the worst check, of an error: its message. Cut as `cutReason` does. */
  why: string | undefined;
  /** Id of the worst check. */
  worstCheck: string | undefined;
}

/** Trials that were run afresh to confirm or to clear a suspect. They never change the verdict that raised it. */
export interface FreshTrials {
  /** Repeats, both ends included. */
  ranges: { from: number; to: number }[];
  checks: Map<string, CheckCounts>;
}

/** One scenario under one condition. */
export interface CellGroup {
  condition: string;
  /** By repeat; all that were planned and added, those of a confirmation too. None while the condition stands by. */
  cells: Cell[];
  /** Of the trials that `fresh` does not hold. */
  checks: Map<string, CheckCounts>;
  /** Ids of checks that are quarantined while others of the scenario are not: they count in no verdict. */
  leftOut: ReadonlySet<string>;
  /** Undefined while nothing is to be confirmed. */
  fresh: FreshTrials | undefined;
  /** Over the trials that have ended, those of a confirmation left out; undefined before the first. */
  verdict: Verdict | undefined;
  /** Not all trials that the verdict rests on have ended: it may still change. */
  isPartial: boolean;
}

/** What the agent of one condition showed of itself, over its finished trials. */
export interface AgentTally {
  /** At most 20 different ones each: of a product that never says the same twice the first are enough. */
  models: Set<string>;
  versions: Set<string>;
  /** First turns by the cache that answered them, those of a confirmation left out. */
  firstTurns: { warm: number; cold: number; unknown: number };
}

/** One row of the grid. */
export interface ScenarioTally {
  scenario: PlannedScenario;
  /** Position in the plan. */
  order: number;
  /** One a condition, in the order of the plan. */
  groups: CellGroup[];
  /** All of its checks are quarantined: its verdict is shown and counts for nothing. */
  isQuarantined: boolean;
  /** The worst verdict of its groups, that of the base left out: it is not what is tested. */
  verdict: Verdict | undefined;
  isPartial: boolean;
  /** First reason of the worst check, with the check's id, for the `why` column. */
  why: { checkId: string | undefined; reason: string } | undefined;
  /** Agent tokens of all its trials, input + output. */
  tokens: number;
  /** Agent milliseconds of all its finished trials. */
  ms: number;
}

export type RunState = 'running' | 'completed' | 'interrupted' | 'stopped' | 'unfinished';

/** Everything a screen or a report says of a run, derived from its events alone. */
export interface RunTally {
  started: Extract<RunEvent, { type: 'run-started' }>;
  conditions: Condition[];
  /** By id of the condition. */
  agents: Map<string, AgentTally>;
  rows: ScenarioTally[];
  rowById: Map<string, ScenarioTally>;
  state: RunState;
  /** Why it stopped, where nobody told it to. */
  stopReason: string | undefined;
  /** Model requests that failed and were sent again, and the last of them. */
  retries: { count: number; last: { model: string; kind: string; message: string } | undefined };
  finishedAt: number | undefined;
  /** Milliseconds in which it was going, up to `activeSince`: not those between an end and being taken up again. */
  activeMs: number;
  /** Since when it is going; undefined while it is not. */
  activeSince: number | undefined;
  trials: { total: number; done: number; running: number; errors: number };
  /** Scenario verdicts so far, partial ones included; of quarantined scenarios none. */
  verdicts: Record<Verdict, number>;
  /** Scenarios that are quarantined. */
  quarantined: number;
  /** `user` is not set until a simulated user has spoken, `isAgentPartial` until a reply came without its tokens. */
  tokens: Ledgers;
  taints: { kind: string; message: string }[];
  /** What a bisect has found; what came after it may have changed that. */
  found: BisectFound | undefined;
  /** By `trialId`. As many as run at once. */
  inFlight: Map<string, TrialInFlight>;
  /** Milliseconds since the epoch of the last event. */
  lastAt: number;
}

import type { PassRate } from '../base/statistics.js';
import type { CheckVerdict } from '../grade/types.js';
import type { Ledgers } from '../run/events.js';
import type { Condition, PlannedScenario } from '../run/planned.js';
import type { RunStarted } from '../run/reader.js';

type PlannedCheck = PlannedScenario['checks'][number];

/** Whether the agent's first requests were answered from a warm cache; `unknown`: nobody reported it. */
export type CacheCondition = 'cold' | 'warm' | 'mixed' | 'unknown';

/** What is known of one check of one scenario under one condition. */
export interface CheckEvidence extends PlannedCheck {
  /** Of the trials that were planned or asked for by a person, those of a confirmation left out. */
  verdict: CheckVerdict;
  /** It is quarantined: it is told of, and counts in no comparison. */
  isQuarantined?: true;
  /** The graded trials of `verdict`; of a baseline those of all clean runs of the same condition. */
  passed: number;
  of: number;
  /** Judged checks: the median score over the trials, 1 to 5; 5 when passed and 1 when failed where the judge gives none. */
  score?: number;
  /** What `score` is the median of: one a graded trial; not set where only their median is known. */
  scores?: number[];
  /**
   * Trials that a confirmation ran afresh, and their scores and median. `pooled`: the median over these and those of
   * `score` together; not set where the scores of the latter are not known one by one. `ungraded`: how many more were
   * run and could not be graded; not set where none.
   */
  fresh?: PassRate & { score?: number; scores?: number[]; pooled?: number; ungraded?: number };
  /** By axis that the check reports itself: how often all of it was right, of the trials of `of`. */
  axes?: Record<string, PassRate>;
  /** Reason of the first of the worst trials; of a file or a model, so to be made safe. */
  why?: string;
}

export interface ScenarioEvidence extends Pick<PlannedScenario, 'id' | 'hash' | 'parts' | 'tags' | 'source'> {
  isSimulatedUser?: true;
  /** The agent's tokens over its trials, those of a confirmation left out; not set where they are not known apart. */
  usage?: { trials: number; input: number; cacheRead: number };
  /** By id. */
  checks: Map<string, CheckEvidence>;
}

/** One side of a comparison: what is known of one suite under one condition, from a run or from a baseline file. */
export interface Evidence {
  kind: 'run' | 'baseline';
  suite: string;
  /** The run, or the last one that went into the baseline. */
  runId: string;
  /** Milliseconds since the epoch: when the run started, or the baseline was last changed. */
  at: number;
  /** Trials a scenario of one run. */
  repeat: number;
  condition: Condition;
  /** What the product said of itself: names of models that answered, and its versions. Sorted. */
  answered: { models: string[]; versions: string[] };
  judge?: NonNullable<RunStarted['judge']>;
  user?: NonNullable<RunStarted['user']>;
  cache: CacheCondition;
  /** Of all trials that `trials` counts. */
  tokens: Ledgers;
  /** Trials that were finished; of a baseline those of its last run. */
  trials: number;
  taints: string[];
  /** All that was planned was run; what a confirmation asks for beside it does not count. */
  isComplete: boolean;
  /** By id, in the order of the plan. */
  scenarios: Map<string, ScenarioEvidence>;
}

/** A part in which two conditions differ: `prompt v14 → v15`. For people; not yet made safe. */
export interface Difference {
  part: string;
  from: string;
  to: string;
}

/**
 * What became of a criterion. `regression`: passed, now fails. `drift`: passed, now warns, or a score that fell by half a
 * point or more and by less than what counts. `fixed`: failed, now passes. `better`: warned and now passes, failed and
 * now warns, or a score that rose by half a point or more. `new` and `gone`: only on one side. `not-comparable`: what is
 * asked has changed, or one side is unknown.
 */
export type Direction = 'regression' | 'drift' | 'fixed' | 'better' | 'new' | 'gone' | 'not-comparable';

/**
 * How far a change for the worse is proved. `violation`: an absolute check was violated once, which is enough.
 * `suspect`: not re-run yet, or too little to say. `confirmed`: the re-run holds it. `not-confirmed`: the re-run does
 * not.
 */
export type Proof = 'violation' | 'suspect' | 'confirmed' | 'not-confirmed';

/** One criterion that changed. */
export interface CriterionChange {
  scenario: string;
  check: string;
  kind: 'hard' | 'judged';
  absolute: boolean;
  direction: Direction;
  from?: CheckEvidence;
  to?: CheckEvidence;
  /** Not comparable: what of it differs, `turns`, `fixtures`, `the check`, `judge prompt`, …. */
  why?: string[];
  /** Of changes for the worse that could block; not set where nothing is to be proved, and without confirmation. */
  proof?: Proof;
  /**
   * One-sided p-value, base against fresh trials (against all of the candidate's without any): Boschloo's test of the
   * pass rate, or a permutation test of the scores where only they fell.
   */
  p?: number;
  /** Trials a side that would settle the rates as they stand, at 5 % with 80 % power; not set where no number would. */
  needs?: number;
}

/** A number that was compared with its thresholds. */
export interface TokenComparison {
  /** Set where the two sides cannot be compared: runs of different cache conditions, tokens nobody reported. */
  notComparable?: string;
  /** Input tokens a trial: candidate over base. */
  inputRatio?: number;
  /** Cache hit rate of base and candidate, 0 to 1. */
  hitRate?: { from: number; to: number };
  level: 'ok' | 'warn' | 'fail';
}

/** Names one criterion of one scenario. */
export interface CriterionKey {
  scenario: string;
  check: string;
}

/** What the judge gave one case on both sides: medians of 1 to 5. */
export interface ScoredCase extends CriterionKey {
  from: number;
  to: number;
  /** The base is known by fewer than 20 trials, or its scores are not known one by one. */
  needsBase: boolean;
  /** Medians with the trials of a confirmation pooled in; not set while the case was not re-run. */
  pooled?: { from: number; to: number };
  /** What a re-run is tested by: the scores of the base one by one, and those of the candidate's fresh trials. */
  rerun?: { from: number[]; to: number[]; ungraded: { from: number; to: number } };
}

/** Mean judged score over the cases that both sides have. */
export interface ScoreComparison {
  from: number;
  to: number;
  cases: number;
  /** One a case, in the order of the plan. */
  each: ScoredCase[];
  /** Means with the re-run cases pooled in; not set while none was re-run. */
  pooled?: { from: number; to: number };
  /** One-sided p-value of a mean that dropped: the re-run scores against those of the base, within each case. */
  p?: number;
  /** Of a mean that dropped by more than it may; set by the confirmation. */
  proof?: Proof;
}

/** Two sides, criterion by criterion. */
export interface Comparison {
  /** Set where nothing can be compared, and why: then there are no changes, and no verdict can rest on this. */
  refused?: string[];
  base: Omit<Evidence, 'scenarios'>;
  candidate: Omit<Evidence, 'scenarios'>;
  /** In what the conditions differ, the prompt first. Empty: the same condition twice. */
  differences: Difference[];
  /** One a criterion that changed, in the order of the candidate's plan; `gone` ones last. */
  changes: CriterionChange[];
  /** Criteria on both sides that did not change. */
  same: number;
  /** Sign test over scenarios: how many got better and worse, and the one-sided p-value of a drop. */
  sign: { better: number; worse: number; p: number };
  /** Undefined where the two sides have no judged case in common. */
  score: ScoreComparison | undefined;
  /**
   * By axis, of the cases that both sides have. `drop`: by how much the rate of a case fell in the mean, 0 to 1, below 0
   * where it rose; cases weigh alike, however many trials one side has of them.
   */
  axes: { axis: string; from: PassRate; to: PassRate; drop: number }[];
  tokens: TokenComparison;
  /** Criteria that are quarantined in the candidate: they are in none of the lists, and nothing rests on them. */
  quarantined?: (CriterionKey & PassRate & { verdict: CheckVerdict })[];
  /** Criteria that failed before and still do: named, and no reason to go red. */
  stillFailing: CriterionKey[];
  /**
   * Scenarios with a simulated user while the conditions differ: what differs may be the user's doing. Compared only
   * when asked for, and then confounded; else their criteria are in none of the lists.
   */
  simulatedUsers?: { scenarios: string[]; isCompared: boolean };
  /**
   * How probable it is that a gate that does not confirm goes red with nothing changed; set where the settings say
   * not to confirm.
   */
  falseRed?: number;
}

/** A criterion whose trials are to be run again before anything is said of it. */
export interface Suspect extends CriterionKey {
  /** The base is known by fewer than 20 trials, so it is re-run too. */
  needsBase: boolean;
}

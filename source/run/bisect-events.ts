/**
 * How fine a change is cut. `hunk`: whatever changed without an unchanged line between. `line`: each line of that,
 * where the new one is a version of an old one or has no counterpart. `sentence`: each sentence of paragraphs that are
 * one line, too. List items, headings and code fences are always whole.
 */
export const hunkSplits = ['hunk', 'line', 'sentence'] as const;
export type HunkSplit = (typeof hunkSplits)[number];

/** Who says which trial is next, see `bisect/strategy.ts`. */
export const strategyNames = ['auto', 'guided', 'one-by-one', 'binary'] as const;
export type StrategyName = (typeof strategyNames)[number];

/** A check that a bisect goes by, or all checks of a scenario. */
export interface Watched {
  scenario: string;
  /** Id of a check. Not set: the trial passes where no check of the scenario fails. */
  check?: string;
}

/** One end of a bisect with its whole text, so that a session goes on where the file is not. */
export interface PlannedEnd {
  /** What it is called (`v14`, `v15@HEAD`). */
  name: string;
  path: string;
  text: string;
  sha256: string;
  commit?: string;
}

/** What a bisect is of. Everything that its session needs beside the trials and the decisions. */
export interface PlannedBisect {
  /** Passes, as far as is known. */
  good: PlannedEnd;
  /** Fails. */
  bad: PlannedEnd;
  split: HunkSplit;
  /** Ids of the hunks that the change was cut into, in order: a version that cuts otherwise must not go on. */
  hunks: readonly string[];
  watched: readonly Watched[];
  strategy: StrategyName;
  /** Trials after which it stops. */
  budget: number;
  /** Trials of a guided step. */
  repeats: number;
  /** What is known of just the good prompt from earlier runs, those that raised the flag left out. */
  history?: { passed: number; failed: number };
  /** How suspicious each hunk is before any trial, relative to the others. */
  weights?: readonly number[];
  /** After it answers: no trials of the narrowed prompt to see that it cures and breaks nothing else. */
  skipsCure?: true;
  /** The run whose red verdict it looks into. */
  of?: string;
  /** In what that run and what it was compared with differ beside the prompt; not set where that is not known. */
  elsewhere?: PlannedElsewhere;
}

/** What beside the prompt differs between where the good prompt passed and where the bad one failed. */
export interface PlannedElsewhere {
  /** The run that the results of the good prompt are from. */
  base: string;
  /** `run`: both prompts in one run, side by side. `baseline`: a file that the run was counted in. */
  kind: 'run' | 'baseline';
  differences: readonly { part: string; from: string; to: string }[];
  /** The journal of the base is gone: tuning values and files of then are not known. */
  isPartial?: true;
}

/** What a trial of a bisect is for. */
export type BisectPurpose =
  /** To measure A and B. */
  | { kind: 'ends' }
  /** A hunk is reverted from B, several trials in a row. */
  | { kind: 'step'; hunk: number }
  /** Whatever says most. */
  | { kind: 'search' }
  /** B without a finding against B; no hunks: A against B. */
  | { kind: 'confirm'; hunks: readonly number[] }
  /** The narrowed prompt once more: does reverting these cure? */
  | { kind: 'cure'; hunks: readonly number[] }
  /** The rest of the suite on the narrowed prompt: no evidence about hunks, but about what the cure breaks. */
  | { kind: 'suite'; hunks: readonly number[] };

/** What a person says in a bisect. Hunks are counted from 0. */
export type BisectDecision =
  /** The person takes the verdict on a hunk as it is, or goes on without one. */
  | { kind: 'accept' | 'skip'; hunk: number }
  /** The person knows better. */
  | { kind: 'override'; hunk: number; says: 'guilty' | 'innocent' }
  | { kind: 'note'; text: string; hunk?: number }
  /** Another strategy goes on from here. */
  | { kind: 'hand-over'; to: StrategyName }
  /** From here on all trials, earlier ones too, are read by these checks. */
  | { kind: 'watch'; watched: readonly Watched[] }
  /** A larger budget, in trials. */
  | { kind: 'budget'; budget: number }
  /** The last so many steps are taken back. What they cost stays spent. */
  | { kind: 'undo'; steps: number };

/** How a bisect ends. `belief`: probability of the answer, where the strategy keeps one. */
export type BisectFinding =
  | { kind: 'hunks'; hunks: readonly number[]; belief?: number }
  | { kind: 'not-the-prompt'; belief?: number }
  /** A fails as well, so there is nothing to find between it and B. */
  | { kind: 'good-fails-too'; belief: number }
  | { kind: 'inconclusive'; why: WhyInconclusive; leader?: BisectAnswer; wouldTake?: number };

/** An answer and how much it is believed. */
export interface BisectAnswer {
  /** Hunks to blame, each guilty and reverting them the cure; none: it is not the prompt. */
  hunks: readonly number[];
  /** Probability, from 0 to 1. */
  belief: number;
}

/**
 * Why there is no answer: the budget is spent, trials could not be run six times in a row, no candidate is left that
 * could be graded, or (plain strategies) nothing that was tried recovered.
 */
export type WhyInconclusive = 'budget' | 'errors' | 'ungradable' | 'no-recovery';

/** What a bisect has found, in the words that it is reported with. */
export interface BisectFound {
  finding: BisectFinding;
  /** One line that begins with the verdict in capitals. */
  headline: string;
  /** What it rests on, one line each. Holds text from files and servers: make it visible before printing. */
  reasons: readonly string[];
}

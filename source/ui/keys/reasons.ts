import type { RunState } from '../../tally/types.js';

/** What decides what can be said of the trial that is open, and by whom. */
export interface TrialFacts {
  /** What is known beside the journal has been read. */
  hasDesk: boolean;
  /** Why no reviewer can read it; undefined where one can. */
  whyNoReviewer: string | undefined;
  /** The reviewer reads this conversation, or another one. */
  isReading: boolean;
  /** It has a conversation and will have no more of it. */
  isOver: boolean;
  /** The selected check: has it the verdict of a judge, on one of its rubrics? */
  judged: 'yes' | 'no verdict' | 'own code' | 'no';
  /** Something that the agent said is on screen. */
  isReplySeen: boolean;
  /** The person said something of the verdict that can be taken back. */
  hasSaid: boolean;
}

/** What decides what can be done about what changed. Each says why not; undefined where it can. */
export interface CompareFacts {
  noComparison: string | undefined;
  noChange: string | undefined;
  noSides: string | undefined;
  noClass: string | undefined;
  noBless: string | undefined;
  notReproduced: string | undefined;
}

/** What decides what can be done about the runs of the past. Each says why not; undefined where it can. */
export interface HistoryFacts {
  noRuns: string | undefined;
  noMark: string | undefined;
  noCompare: string | undefined;
  noLimit: string | undefined;
  noOther: string | undefined;
  /** Only runs of one condition are shown. */
  isLimited: boolean;
  /** That, or some are marked: there is something to take back. */
  isNarrowed: boolean;
}

/** What decides what can be done on home. Each says why not; undefined where it can. */
export interface HomeKeyFacts {
  noRows: string | undefined;
  noOpen: string | undefined;
  noStart: string | undefined;
  noResume: string | undefined;
  noCompare: string | undefined;
  noTriage: string | undefined;
}

/** What decides what can be done in a bisect. Each says why not; undefined where it can. */
export interface BisectFacts {
  noRows: string | undefined;
  noStep: string | undefined;
  noAccept: string | undefined;
  noOverride: string | undefined;
  noSkip: string | undefined;
  noUndo: string | undefined;
  noNote: string | undefined;
  noCells: string | undefined;
  noPrompts: string | undefined;
  noWatch: string | undefined;
  noAuto: string | undefined;
  noGuided: string | undefined;
  noBudget: string | undefined;
  noWrite: string | undefined;
}

/** What decides what can be done about what flips. Each says why not; undefined where it can. */
export interface TriageFacts {
  noRows: string | undefined;
  noQuarantine: string | undefined;
  noRelease: string | undefined;
  noExtend: string | undefined;
  noTrials: string | undefined;
  noRewrite: string | undefined;
  noUndo: string | undefined;
  noOther: string | undefined;
  noBack: string | undefined;
}

/** What decides whether a key can do anything now. */
export interface KeyFacts {
  /** The run is going on in this process (or can be made to go on). */
  isLive: boolean;
  /** The run grades another one again: there are no other conversations than those. */
  isRegrade: boolean;
  /** Not set before the run's first message. */
  runState: RunState | undefined;
  isPaused: boolean;
  isStopping: boolean;
  /** The run, or the history, was opened from other screens. */
  hasBack: boolean;
  runs: number;
  /** Two conversations have room beside each other. */
  isWide: boolean;
  /** Rows that are shown. */
  rows: number;
  isFiltered: boolean;
  /** Trials of the scenario that is open. */
  trials: number;
  /** The trial that is open has a transcript to show. */
  hasTranscript: boolean;
  /** Places where the searched text was found; undefined when nothing is searched. */
  matches: number | undefined;
  /** Places in the transcript that the selected check points to. */
  evidence: number;
  /** Tool calls and answers that are cut short. */
  folded: number;
  isUnfolded: boolean;
  isRaw: boolean;
  /** Undefined on the grid. */
  trial: TrialFacts | undefined;
  compare: CompareFacts;
  /** Undefined where nothing is reviewed. */
  review:
    | {
        /** All cases were seen, and the end is on screen. */
        isAtEnd: boolean;
        isFirst: boolean;
        /** The case asks for a score of 1 to 5. */
        isScored: boolean;
        isAnswered: boolean;
        /** Something can be taken back. */
        hasAnswers: boolean;
      }
    | undefined;
  /** Undefined where no runs of the past are looked at. */
  history: HistoryFacts | undefined;
  /** Undefined where home is not what the app was opened for. */
  home: HomeKeyFacts | undefined;
  /** Why what is under the marker cannot be bisected; undefined where it can. */
  noBisect: string | undefined;
  /** Why the scenario under the marker of the grid cannot be quarantined; undefined where it can. */
  noQuarantine: string | undefined;
  /** Why no change of the quarantine can be taken back on the grid; undefined where one can. */
  noTakeBack: string | undefined;
  /** Undefined where no bisect is on screen. */
  bisect: BisectFacts | undefined;
  /** Undefined where no triage is on screen. */
  triage: TriageFacts | undefined;
}

/** Each gives why a key can do nothing now; undefined when it can. */
export const needsRows = ({ rows, isFiltered }: KeyFacts) =>
  rows > 0 ? undefined : isFiltered ? 'no scenario matches the filter' : 'there is no scenario yet';
export const needsNarrow = ({ isWide }: KeyFacts) => (isWide ? 'both are on screen' : undefined);
export const needsRuns = ({ history }: KeyFacts) => history?.noRuns;
export const needsLive = ({ isLive }: Pick<KeyFacts, 'isLive'>) =>
  isLive ? undefined : 'this run is over: it is only shown here';
export const needsGoing = (facts: KeyFacts) =>
  needsLive(facts) ??
  (facts.runState !== 'running'
    ? 'nothing is running'
    : facts.isStopping
      ? 'the run is stopping'
      : undefined);
export const needsMoreTrials = (facts: KeyFacts) =>
  needsLive(facts) ??
  (facts.isRegrade
    ? 'a run that grades another again has no more trials than that'
    : facts.isStopping
      ? 'the run is stopping'
      : needsRows(facts));
export const needsTranscript = ({ hasTranscript }: KeyFacts) =>
  hasTranscript ? undefined : 'nothing has been said in this trial yet';
export const needsMatches = ({ matches }: KeyFacts) => {
  if (matches === undefined) return 'nothing is searched for: / searches';
  return matches === 0 ? 'the text is not in this trial' : undefined;
};
export const needsFolded = ({ folded, isUnfolded }: KeyFacts) =>
  folded > 0 || isUnfolded ? undefined : 'no tool call or answer is cut short';
export const needsCase = ({ review }: KeyFacts) =>
  review && !review.isAtEnd ? undefined : 'all cases were seen';
export const needsPassFail = (facts: KeyFacts) =>
  needsCase(facts) ?? (facts.review?.isScored ? 'this check asks for a score: 1 to 5' : undefined);
export const needsScored = (facts: KeyFacts) =>
  needsCase(facts) ?? (facts.review?.isScored ? undefined : 'this check asks for pass or fail: p or f');
export const needsPanes = ({ isRaw }: KeyFacts) => (isRaw ? 'v goes back to the panes first' : undefined);
export const needsReviewer = (facts: KeyFacts) => {
  const { trial } = facts;
  if (!trial?.hasDesk) return 'no reviewer can be asked here';
  if (trial.whyNoReviewer !== undefined) return trial.whyNoReviewer;
  if (trial.isReading) return 'the reviewer is reading: esc ends that';
  return needsTranscript(facts) ?? (trial.isOver ? undefined : 'the trial is not over yet');
};
export const needsVerdict = (facts: KeyFacts) => {
  const { trial } = facts;
  if (facts.isRaw) return needsPanes(facts);
  if (!trial || trial.judged === 'no') return 'only of what a judge decided: this check is exact';
  if (trial.judged === 'own code') return 'this check is of your own code: no judge was asked';
  if (trial.judged === 'no verdict') return 'the judge gave no verdict here';
  if (!trial.hasDesk) return 'the labels cannot be written here';
  return trial.isReplySeen ? undefined : 'read the answer first: tab goes to the transcript';
};

import type { Clock } from '../base/clock.js';
import type { BaselineProposal } from '../compare/baseline-proposal.js';
import type { Decision } from '../compare/gate.js';
import type { Comparison, CriterionKey } from '../compare/types.js';
import type { ReviewDesk } from '../grade/labels/desk.js';
import type { Label } from '../grade/labels/types.js';
import type { CheckResult } from '../grade/types.js';
import type { Accounts } from '../model/pacing/accounts.js';
import type { SettingName } from '../project/settings.js';
import type { HistoryRun, SuiteRuns } from '../report/history.js';
import type { HomeFacts, UnfinishedRun } from '../report/home.js';
import type { Watched } from '../run/bisect-events.js';
import type { ChangeClass, GivenClass } from '../run/change-classes.js';
import type { RunStarted } from '../run/reader.js';
import type { SavedReview } from '../run/reviews.js';
import type { ReadTrial, RunControls, RunListener, TrialRecord } from '../run/types.js';
import type { RunTally } from '../tally/types.js';
import type { BaseSource } from './base-source.js';
import type { BisectDesk } from './bisect-desk.js';
import type { TriageSuite } from './triage-desk.js';

/** What the person chose and the app remembers. `get` gives undefined for what was never set; `set` never throws. */
export interface AppSettings {
  get(key: SettingKey): string | undefined;
  set(key: SettingKey, value: string): void;
}

/** `theme`: see `themeSetting`. `sort`: a name of `sortNames` of the grid. */
export type SettingKey = Extract<SettingName, 'theme' | 'sort'>;

/** Throws what is for the person: a config or a suite that cannot be read. */
export type OpenTrialDesk = (started: RunStarted) => Promise<TrialDesk>;

/** What the gate says of a run. */
export type GateWord = Pick<Decision, 'verdict' | 'headline'>;

/** What is known of the trials of a run beside its journal, and what a person can add to it. */
export interface TrialDesk {
  /** What the labels of its judge are called in messages; undefined where no judge was asked. */
  file: string | undefined;
  /** Why no model can read a conversation; undefined where one can. */
  whyNoReviewer: string | undefined;
  /** People's verdicts that the judge is held against. Throws InputError with the mistakes of the file. */
  readLabels(): Promise<readonly Label[]>;
  /** What the reviewer said of conversations, by `trialId`. */
  readReviews(): Promise<ReadonlyMap<string, SavedReview>>;
  /**
   * Has the reviewer read a conversation, and keeps what it said with the run. `onTurn` hears which turn its answer has
   * come to. Throws UserError when it cannot be asked, and the signal's reason when aborted.
   */
  review(
    record: TrialRecord,
    options: { signal: AbortSignal; onTurn(turn: number): void },
  ): Promise<SavedReview>;
  /**
   * Writes that a person agrees, or does not, with a verdict of the judge that they have in view: a label that says so.
   * Throws UserError where the case has a label, or its check changed since.
   */
  label(record: TrialRecord, result: CheckResult, agrees: boolean): Promise<GivenLabel>;
}

/** A label that was written a moment ago. */
export interface GivenLabel {
  expected: 'pass' | 'fail';
  /** Takes it out again; false where somebody changed it meanwhile. Throws UserError and the file system's error. */
  takeBack(): boolean;
}

/** What a person can say of the changes of a run, and what of its base lies outside of its journal. */
export interface CompareDesk {
  /** By `criterionId`. */
  readClasses(): Promise<ReadonlyMap<string, GivenClass>>;
  /** Keeps with the run what a change is; undefined takes back what was said of it. */
  classify(criterion: CriterionKey, is: ChangeClass | undefined): Promise<GivenClass | undefined>;
  /**
   * The run that the base was made by. Throws UserError where its journal is not there any more.
   */
  openBase(base: Comparison['base']): Promise<BaseSource>;
  /** Why nothing can be blessed; undefined where it can. */
  whyNoBless: string | undefined;
  /**
   * Makes what the run shows of one criterion what the baseline expects of it, and gives what to tell the person. Throws
   * UserError where that cannot be.
   */
  bless(criterion: CriterionKey, reason: string): Promise<string>;
}

/** One run on screen, live or past. */
export interface AppRun {
  /** Shown instead of the suite's name. */
  title?: string;
  /**
   * Gives every message so far, then those to come, in order. Called once. Of a past run it may give a promise that
   * resolves after the last message; one that rejects ends the app with its error.
   */
  feed(listener: RunListener): void | Promise<void>;
  readTrial: ReadTrial;
  /** Only for a run that is going on in this process. */
  controls?: RunControls | undefined;
  /** Opens what is known of its trials beside the journal; asked for when the first trial is looked at. */
  openDesk?: OpenTrialDesk;
  /** How it stands against its base so far; undefined where it has none. Goes over all rows. */
  compare?(tally: RunTally): Comparison | undefined;
  /** The gate's word about it, asked for when it has ended; undefined where there is none yet. Goes over all rows. */
  judge?(tally: RunTally): GateWord | undefined;
  /** `12 trials`: by how many trials each check of its baseline is known; not set for a base that is run beside it. */
  knownTrials?: string | undefined;
  /**
   * Asked for when somebody looks at what changed; the tally goes on changing in place. Throws what is for the person.
   */
  openCompareDesk?(tally: RunTally): Promise<CompareDesk>;
  /** How its provider accounts are paced now; of a run that is going on in this process. */
  paces?(): ReturnType<Accounts['states']>;
  /** What was noticed in its files and stops nothing, a line each. */
  notes?(): readonly string[];
  /**
   * Only for a bisect, which is shown on a screen of its own instead of the grid. Gives undefined while it is being made.
   */
  bisect?(): BisectDesk | undefined;
  /** How what it shows is bisected; not set where that cannot be done over these screens. */
  bisectOf?: OpenBisectOf;
  /** The triage of its suite; not set where nothing can be quarantined over these screens. */
  triage?(suite: string): TriagedSuite;
  /** Its screens are left for good: ends what goes on, and closes it. Only of a run that the screens opened themselves. */
  leave?(): Promise<void>;
}

/** Opens bisects of what a run shows. */
export interface OpenBisectOf {
  /** Why a bisect of the run is no use: it has no base prompt, or the product takes none. Undefined where it is. */
  whyNot(tally: RunTally): string | undefined;
  /** Makes one, with nothing tried yet. Throws UserError where it cannot be. */
  open(tally: RunTally, watched: Watched): Promise<AppRun>;
}

/** A suite that is triaged, and how a scenario of it is run again once somebody has rewritten it. */
export interface TriagedSuite extends TriageSuite {
  /** Makes a run of the scenario alone and starts it. Throws UserError where it cannot be made. */
  runAgain(scenario: string): Promise<AppRun>;
}

/** Runs of the past over time, and how to open them. */
export interface PastRuns {
  /** One a suite and model; none where nothing was run yet. */
  series: readonly SuiteRuns[];
  /** What to do where there is none. */
  empty: string;
  /** What else is to be said at the start. */
  note?: string;
  /** How it is called in a line that a person types. */
  program: string;
  /** Throws what is for the person: a run that is not there any more. */
  open(run: Pick<HistoryRun, 'runId'>): Promise<AppRun>;
  /** Deletes a run with its folder, for good. Throws what is for the person: somebody writes it. */
  remove(run: Pick<HistoryRun, 'runId'>): Promise<void>;
  /** What counting the run in the baseline of its suite would do. Throws what is for the person: why it cannot be. */
  propose(run: Pick<HistoryRun, 'runId' | 'conditionId'>): Promise<BaselineProposal>;
  /** The second run held against the first. Throws UserError where they cannot be compared. */
  compare(base: HistoryRun, candidate: HistoryRun): Promise<AppRun>;
}

/** A project as a person finds it, for the screen that the app opens on. */
export interface HomeDesk {
  /** Its name, as the config has it. */
  project: string;
  /** How the program is called in a line that a person types. */
  program: string;
  /** The suite that the person ran last; undefined where that is not known. */
  lastSuite: string | undefined;
  /** As far as it has been read; undefined before. */
  facts(): HomeFacts | undefined;
  /** Hears whenever more has been read. */
  subscribe(listener: () => void): () => void;
  /** The same runs for the history over it. */
  pastRuns: PastRuns;
  /** The triage of a suite, over it. */
  triage(suite: string): TriagedSuite;
  /** Something was changed over it: reads anew. */
  refresh(): void;
  /** Makes the usual run of a suite. Throws what is for the person: a mistake in a file, a key that is missing. */
  start(suite: string): Promise<AppRun>;
  /** Goes on with a run or a bisect, on the files of today. Throws what is for the person. */
  resume(run: UnfinishedRun): Promise<AppRun>;
}

/** What the app opens on: the grid of the first run, where nothing else is said. */
export interface OpenedOn {
  /** At least one, but for a history, a triage and home. Several: Tab switches between them. */
  runs: readonly AppRun[];
  /** Opens on the review of what lies there. */
  desk?: ReviewDesk | undefined;
  /** Opens on what changed in the first run. */
  isComparing?: boolean | undefined;
  /** Opens on the history, from which runs are opened; there are no `runs` then. */
  pastRuns?: PastRuns | undefined;
  /** Opens on the triage of these suites; there are no `runs` then. */
  triage?: readonly TriagedSuite[] | undefined;
  /** Opens on home, from which runs are made, gone on with and opened, with their history over it; no `runs` then. */
  home?: HomeDesk | undefined;
}

export interface AppOptions extends OpenedOn {
  settings: AppSettings;
  /** A terminal: the command checks that before it opens the app. */
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** What is written to it while the app has the screen is held back until the app has ended. Default: the process's. */
  stderr?: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  clock: Clock;
}

/**
 * How the app ended. The terminal is restored by then.
 * `quit`: the person left; no run was going. `abandoned`: the person left while a run was going, or pressed Ctrl+C
 * twice; runs were told to abort. `signal`: the process was told to end; runs were told to abort.
 */
export type AppResult = { how: 'quit' } | { how: 'abandoned' } | { how: 'signal'; signal: NodeJS.Signals };

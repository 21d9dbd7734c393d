import type { Clock } from '../base/clock.js';
import type { ReviewDesk } from '../grade/labels/desk.js';
import type { BisectDesk } from './bisect-desk.js';
import type { Entering } from './door.js';
import type { BisectState } from './screens/bisect/state.js';
import type { ChangeDesk } from './screens/compare/desk-state.js';
import type { CompareState } from './screens/compare/state.js';
import type { RowOrder } from './screens/grid/row-order.js';
import type { GridState } from './screens/grid/state.js';
import type { HistoryState } from './screens/history/state.js';
import type { HomeState } from './screens/home/state.js';
import type { PromptsContents } from './screens/prompts/contents.js';
import type { PromptsState } from './screens/prompts/state.js';
import type { ReviewState } from './screens/review/state.js';
import type { SidesContents } from './screens/sides/contents.js';
import type { SidesState } from './screens/sides/state.js';
import type { TriageStanding } from './screens/triage/standing.js';
import type { TriageState } from './screens/triage/state.js';
import type { TrialContents } from './screens/trial/contents.js';
import type { DeskState } from './screens/trial/desk-state.js';
import type { TrialState } from './screens/trial/state.js';
import type { WatchState } from './screens/watch/state.js';
import type { AppState } from './state.js';
import type { RunStore } from './store.js';
import type { EditedPlace } from './terminal/editor.js';
import type { Theme } from './theme.js';
import type { Tone } from './tone.js';
import type { AppResult, AppRun, AppSettings, HomeDesk, PastRuns, TriagedSuite } from './types.js';

/**
 * What screens read and actions change: the runs, the state of the screens, and what is derived from both. Reading
 * it while drawing is safe: it changes only between frames.
 */
export interface AppModel {
  readonly clock: Clock;
  readonly theme: Theme;
  readonly settings: AppSettings;
  readonly stores: readonly RunStore[];
  readonly state: AppState;
  set(change: Partial<AppState>): void;
  /** Brings what is derived up to date and draws: for what happens between keys. */
  publish(): void;
  /** Answers the last key in the status line. */
  say(text: string, tone?: Tone): void;

  /** The run on screen. */
  readonly store: RunStore;
  readonly grid: GridState;
  setGrid(change: Partial<GridState>): void;
  /** Rows of the run on screen, filtered and sorted. */
  readonly order: RowOrder;

  /** The trial that is open; undefined on the grid. */
  readonly trial: TrialState | undefined;
  setTrial(change: Partial<TrialState>): void;
  /** What the trial that is open has to show; undefined on the grid. */
  readonly contents: TrialContents | undefined;

  /** What is known of the run on screen beside its journal; undefined until a trial of it was opened. */
  readonly trialDesk: DeskState | undefined;

  /** What changed against the base, as it is looked at; undefined while it is not. */
  readonly compare: CompareState | undefined;
  setCompare(change: Partial<CompareState>): void;
  /** What is kept of the changes of the run on screen; undefined before its first message. */
  readonly changeDesk: ChangeDesk | undefined;
  /** Two conversations side by side; undefined while none are looked at. */
  readonly sides: SidesState | undefined;
  setSides(change: Partial<SidesState>): void;
  readonly sidesContents: SidesContents | undefined;

  /** The bisect on screen; undefined while it is made, and where the run is none. */
  readonly bisectDesk: BisectDesk | undefined;
  /** How it is looked at; undefined where the run is none. */
  readonly bisect: BisectState | undefined;
  setBisect(change: Partial<BisectState>): void;
  /** Two prompts of it side by side; undefined while none are looked at. */
  readonly prompts: PromptsState | undefined;
  setPrompts(change: Partial<PromptsState>): void;
  readonly promptsContents: PromptsContents | undefined;
  /** The picker of what it goes by; undefined while it is not open. */
  readonly watch: WatchState | undefined;
  setWatch(change: Partial<WatchState>): void;

  /** What is reviewed; undefined where the app was opened for something else. */
  readonly desk: ReviewDesk | undefined;
  /** Where the review stands; undefined without one. */
  readonly review: ReviewState | undefined;
  setReview(review: ReviewState): void;

  /** Runs of the past; undefined where the app was opened for something else. */
  readonly pastRuns: PastRuns | undefined;
  /** Where the history stands; undefined without one. */
  readonly history: HistoryState | undefined;
  setHistory(history: HistoryState): void;
  /** The suites that the app was opened to triage; none where it was opened for something else. */
  readonly triageSuites: readonly TriagedSuite[];
  /** The suite that is triaged, or that of the run on screen; undefined where nothing can be quarantined here. */
  readonly triagedSuite: TriagedSuite | undefined;
  /** How the triage is looked at; undefined on other screens. */
  readonly triage: TriageState | undefined;
  setTriage(change: Partial<TriageState>): void;
  /** The triage of the suite on screen, of a run its suite's; undefined until it was opened. */
  readonly triageDesk: TriageStanding | undefined;
  /** Opens it; undefined where that cannot be done over these screens. */
  openTriage(): TriageStanding | undefined;
  /** The project that the app opened on; undefined where it was opened for something else. */
  readonly home: HomeDesk | undefined;
  /** How it is looked at; undefined without one. */
  readonly homeState: HomeState | undefined;
  setHomeState(change: Partial<HomeState>): void;
  /** Opens a run over these screens once it is there. */
  enter(open: () => Promise<AppRun>, how: Entering): void;
  /** Goes back to the screens that this run was opened from, and says something there; undefined where it was not. */
  readonly back: ((text?: string) => void) | undefined;
  /** It was opened on what changed, and not on the grid. */
  readonly isComparing: boolean;

  /** Puts a text on the clipboard and in a file called `name`; gives what to tell the person. */
  copy(text: string, name: string): string;
  suspend(): void;
  /**
   * Hands the terminal to the person's editor and takes it back. Gives what went wrong; undefined where nothing did.
   */
  edit(place: EditedPlace): Promise<string | undefined>;
  redraw(): void;
  leave(result: AppResult): void;
}

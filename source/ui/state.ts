import type { BaselineChangeProposal } from '../compare/baseline-proposal.js';
import type { CriterionKey } from '../compare/types.js';
import type { HistoryRun } from '../report/history.js';
import type { Watched } from '../run/bisect-events.js';
import type { QuarantineEntry } from '../run/planned.js';
import type { BisectState } from './screens/bisect/state.js';
import type { CompareState } from './screens/compare/state.js';
import type { GridState } from './screens/grid/state.js';
import type { HistoryState } from './screens/history/state.js';
import type { HomeState, Spending } from './screens/home/state.js';
import type { PromptsState } from './screens/prompts/state.js';
import type { ReviewState } from './screens/review/state.js';
import type { SidesState } from './screens/sides/state.js';
import type { TriageState } from './screens/triage/state.js';
import type { TrialState } from './screens/trial/state.js';
import type { WatchState } from './screens/watch/state.js';
import type { Size } from './terminal/size.js';
import type { Tone } from './tone.js';
import type { QuarantineWish } from './triage-desk.js';

/** A line of text that is being typed, or a question that is being answered, at the bottom of the screen. */
export type Field =
  | { kind: 'filter'; text: string }
  | { kind: 'search'; text: string }
  /** `isFresh`: nothing was typed yet, and what is typed takes the place of what is proposed. */
  | { kind: 'add'; text: string; scenario: string; isFresh: boolean }
  /** A note on the case under review. */
  | { kind: 'note'; text: string }
  /** Why what a run shows of a criterion is to be expected from now on. */
  | ({ kind: 'bless'; text: string } & CriterionKey)
  /** What a change is; `told`: what was found out of it a moment ago. */
  | ({ kind: 'class'; told?: string } & CriterionKey)
  /** What a person knows of a hunk of a bisect, from 0. */
  | { kind: 'override'; hunk: number }
  /** A note on a bisect, or on a hunk of it. */
  | { kind: 'bisect-note'; text: string; hunk?: number }
  /** Trials that a bisect may take. */
  | { kind: 'budget'; text: string; isFresh: boolean }
  /** Whether the narrowed prompt is to be written. */
  | { kind: 'write' }
  /** What the picker of watched checks is narrowed by. */
  | { kind: 'watch'; text: string }
  /** Whether what a run shows of a criterion is to be bisected. Not set: of all checks of the scenario. */
  | { kind: 'bisect'; watched: Watched }
  /** What the triage is narrowed by. */
  | { kind: 'triage-filter'; text: string }
  /** Whether all of a scenario is to be quarantined or one check; `check` is not set where none is to be seen. */
  | { kind: 'quarantine-what'; scenario: string; check: string | undefined; isOnGrid?: true }
  /** What a new entry of the quarantine says: one question after another, each with what is proposed. */
  | { kind: 'quarantine'; step: 'reason' | 'owner' | 'until'; text: string; wish: QuarantineWish }
  /** Whether an entry is to be released. */
  | { kind: 'release'; entry: QuarantineEntry }
  /** Whether a scenario that was rewritten is to be run. */
  | { kind: 'run-again'; scenario: string }
  /** Another last day of an entry. */
  | { kind: 'extend'; text: string; entry: QuarantineEntry }
  /** Whether a run is to be deleted, for good. */
  | { kind: 'delete-run'; runId: string }
  /** Whether a run is to be counted in the baseline. */
  | { kind: 'promote'; run: HistoryRun; proposal: BaselineChangeProposal }
  /** Whether a run that asks somebody who may have to be paid is to begin; `asks`: whom. */
  | { kind: 'spend'; what: Spending; asks: readonly string[] }
  | { kind: 'leave' };

/** A line of text that is being typed. */
export type TextField = Extract<Field, { text: string }>;
/** A question that one key answers. */
export type QuestionField = Exclude<Field, TextField>;

/** A scenario that is reproduced under the base: when its trials have ended the person is asked what the change is. */
export interface Guide extends CriterionKey {
  /** Position of the run. */
  run: number;
  condition: string;
  /** Trials that were added, and those that the condition had before. */
  count: number;
  before: number;
}

/** What the app has to say about the last key, until the next one. */
export interface Message {
  text: string;
  tone: Tone;
}

export type Screen =
  | { name: 'grid' }
  | ({ name: 'trial' } & TrialState)
  | ({ name: 'compare' } & CompareState)
  | ({ name: 'sides' } & SidesState)
  | ({ name: 'review' } & ReviewState)
  | ({ name: 'history' } & HistoryState)
  | ({ name: 'home' } & HomeState)
  | ({ name: 'bisect' } & BisectState)
  | ({ name: 'prompts' } & PromptsState)
  | ({ name: 'watch' } & WatchState)
  | ({ name: 'triage' } & TriageState)
  | { name: 'help'; top: number };
export type ScreenName = Screen['name'];

/** All that is shown and is not in a run. Replaced whole, never changed in place. */
export interface AppState {
  size: Size;
  /** Position of the run on screen. */
  run: number;
  /** A grid a run. */
  grids: readonly GridState[];
  /** What stands over the grid, the topmost last. */
  over: readonly Screen[];
  field: Field | undefined;
  message: Message | undefined;
  /** Scenarios that are reproduced under the base. */
  guides: readonly Guide[];
  /** The runs were told to finish what is in flight and schedule nothing more. */
  isStopping: boolean;
}

/** The screen that is seen and hears the keys. */
export function topScreen(state: AppState): Screen {
  return state.over.at(-1) ?? { name: 'grid' };
}

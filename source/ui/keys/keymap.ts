import type { ScreenName } from '../state.js';
import {
  type KeyFacts,
  needsCase,
  needsFolded,
  needsGoing,
  needsMatches,
  needsMoreTrials,
  needsPanes,
  needsPassFail,
  needsReviewer,
  needsRows,
  needsRuns,
  needsScored,
  needsTranscript,
  needsVerdict,
} from './reasons.js';

interface Binding {
  screen: ScreenName | 'everywhere';
  action: string;
  /** Names as `KeyPress` has them. */
  keys: readonly string[];
  /** What it does, for help and the readme. Present tense, no full stop. */
  description: string;
  /** One or two words for the footer, and how much the key deserves its place there: lower comes first. */
  hint?: { words: string; rank: number };
  /** Why the key can do nothing now; undefined when it can. */
  disabled?(facts: KeyFacts): string | undefined;
}

/**
 * Every key of the app. The footer, the help screen and the key list of the readme are drawn from this table, and
 * the dispatcher goes by it: a key that is not here does not exist.
 */
export const keymap = [
  {
    screen: 'grid',
    action: 'open',
    keys: ['enter'],
    description: 'open the transcript of the selected trial',
    hint: { words: 'open', rank: 1 },
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'row-down',
    keys: ['down', 'j'],
    description: 'next scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'row-up',
    keys: ['up', 'k'],
    description: 'previous scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'cell-right',
    keys: ['right', 'l'],
    description: 'next trial of the scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'cell-left',
    keys: ['left', 'h'],
    description: 'previous trial of the scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'page-down',
    keys: ['pagedown'],
    description: 'one page down',
    disabled: needsRows,
  },
  { screen: 'grid', action: 'page-up', keys: ['pageup'], description: 'one page up', disabled: needsRows },
  {
    screen: 'grid',
    action: 'first-row',
    keys: ['g', 'home'],
    description: 'first scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'last-row',
    keys: ['G', 'end'],
    description: 'last scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'next-failing',
    keys: ['n'],
    description: 'next failing scenario; when none fails, the next that errs, warns or is unknown',
    hint: { words: 'next failing', rank: 2 },
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'previous-failing',
    keys: ['N'],
    description: 'previous failing scenario',
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'filter',
    keys: ['/'],
    description: 'filter by text, tag:T, verdict:V, source:S or change:C; several must all hold',
    hint: { words: 'filter', rank: 3 },
  },
  {
    screen: 'grid',
    action: 'clear-filter',
    keys: ['escape'],
    description: 'show all scenarios again; then back to the history, where the run was opened from it',
    disabled: ({ isFiltered, hasBack }) =>
      isFiltered || hasBack ? undefined : 'nothing to go back to: q quits',
  },
  {
    screen: 'grid',
    action: 'sort',
    keys: ['s'],
    description: 'next order: as in the suite, worst, changed, flakiest, slowest, most tokens first',
    hint: { words: 'sort', rank: 4 },
    disabled: needsRows,
  },
  {
    screen: 'grid',
    action: 'pause',
    keys: ['p'],
    description: 'start no more trials, or go on starting them',
    hint: { words: 'pause', rank: 6 },
    disabled: needsGoing,
  },
  {
    screen: 'grid',
    action: 'run-again',
    keys: ['r'],
    description: 'run the scenario once more; nothing is replaced',
    hint: { words: 'run again', rank: 7 },
    disabled: needsMoreTrials,
  },
  {
    screen: 'grid',
    action: 'add-trials',
    keys: ['a'],
    description: 'add trials to the scenario; asks how many',
    hint: { words: 'add trials', rank: 8 },
    disabled: needsMoreTrials,
  },
  {
    screen: 'grid',
    action: 'compare',
    keys: ['c'],
    description: 'what changed against the base, a row a criterion',
    hint: { words: 'changes', rank: 3 },
    disabled: ({ compare }) => compare.noComparison,
  },
  {
    screen: 'grid',
    action: 'reproduce',
    keys: ['o'],
    description: 'run a red scenario under the base, with the same fixtures; asks then what the change is',
    hint: { words: 'on the base', rank: 7 },
    disabled: ({ compare }) => compare.notReproduced,
  },
  {
    screen: 'grid',
    action: 'next-run',
    keys: ['tab'],
    description: 'next suite, when several are run',
    hint: { words: 'next suite', rank: 5 },
    disabled: ({ runs }) => (runs > 1 ? undefined : 'there is only this suite'),
  },
  {
    screen: 'grid',
    action: 'previous-run',
    keys: ['shift+tab'],
    description: 'previous suite',
    disabled: ({ runs }) => (runs > 1 ? undefined : 'there is only this suite'),
  },
  {
    screen: 'grid',
    action: 'quit',
    keys: ['q'],
    description: 'quit, or back to the history; asks while a run is going',
    hint: { words: 'quit', rank: 9 },
  },

  {
    screen: 'trial',
    action: 'back',
    keys: ['escape', 'q'],
    description: 'back to the grid; ends a reading, a search, then the raw view first',
    hint: { words: 'back', rank: 1 },
  },
  {
    screen: 'trial',
    action: 'next-pane',
    keys: ['tab'],
    description: 'next pane: checks, reason, transcript',
    hint: { words: 'pane', rank: 3 },
    disabled: needsPanes,
  },
  {
    screen: 'trial',
    action: 'previous-pane',
    keys: ['shift+tab'],
    description: 'previous pane',
    disabled: needsPanes,
  },
  {
    screen: 'trial',
    action: 'down',
    keys: ['down', 'j'],
    description: 'next check, or one line down',
  },
  { screen: 'trial', action: 'up', keys: ['up', 'k'], description: 'previous check, or one line up' },
  { screen: 'trial', action: 'scroll-page-down', keys: ['pagedown', ' '], description: 'one page down' },
  { screen: 'trial', action: 'scroll-page-up', keys: ['pageup'], description: 'one page up' },
  { screen: 'trial', action: 'scroll-first', keys: ['g', 'home'], description: 'to the start' },
  { screen: 'trial', action: 'scroll-last', keys: ['G', 'end'], description: 'to the end' },
  {
    screen: 'trial',
    action: 'next-trial',
    keys: ['right', 'l'],
    description: 'next trial of the scenario',
    hint: { words: 'trial', rank: 2 },
    disabled: ({ trials }) => (trials > 1 ? undefined : 'this is the only trial of the scenario'),
  },
  {
    screen: 'trial',
    action: 'previous-trial',
    keys: ['left', 'h'],
    description: 'previous trial of the scenario',
    disabled: ({ trials }) => (trials > 1 ? undefined : 'this is the only trial of the scenario'),
  },
  {
    screen: 'trial',
    action: 'next-scenario',
    keys: [']'],
    description: 'same trial of the next scenario in the grid',
    hint: { words: 'scenario', rank: 7 },
  },
  {
    screen: 'trial',
    action: 'previous-scenario',
    keys: ['['],
    description: 'same trial of the previous scenario in the grid',
  },
  {
    screen: 'trial',
    action: 'next-turn',
    keys: ['}'],
    description: 'next turn of the transcript',
    disabled: (facts) => needsPanes(facts) ?? needsTranscript(facts),
  },
  {
    screen: 'trial',
    action: 'previous-turn',
    keys: ['{'],
    description: 'previous turn of the transcript',
    disabled: (facts) => needsPanes(facts) ?? needsTranscript(facts),
  },
  {
    screen: 'trial',
    action: 'to-turn',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    description: 'to that turn of the transcript',
    disabled: (facts) => needsPanes(facts) ?? needsTranscript(facts),
  },
  {
    screen: 'trial',
    action: 'next-evidence',
    keys: ['e'],
    description: 'next place in the transcript that the selected check points to',
    hint: { words: 'evidence', rank: 6 },
    disabled: (facts) =>
      needsPanes(facts) ??
      (facts.evidence > 0 ? undefined : 'this check points to no place in the transcript'),
  },
  {
    screen: 'trial',
    action: 'search',
    keys: ['/'],
    description: 'search the transcript, or the JSON where that is shown',
    hint: { words: 'search', rank: 4 },
    disabled: needsTranscript,
  },
  {
    screen: 'trial',
    action: 'next-match',
    keys: ['n'],
    description: 'next place where the searched text stands',
    disabled: needsMatches,
  },
  {
    screen: 'trial',
    action: 'previous-match',
    keys: ['N'],
    description: 'previous place where the searched text stands',
    disabled: needsMatches,
  },
  {
    screen: 'trial',
    action: 'unfold',
    keys: ['o'],
    description: 'show tool calls and answers whole, or cut short again',
    hint: { words: 'unfold', rank: 6 },
    disabled: (facts) => needsPanes(facts) ?? needsFolded(facts),
  },
  {
    screen: 'trial',
    action: 'agree',
    keys: ['+'],
    description: "agree with the judge's verdict on the selected check: a label, marked as not blind",
    hint: { words: 'agree', rank: 9 },
    disabled: needsVerdict,
  },
  {
    screen: 'trial',
    action: 'disagree',
    keys: ['-'],
    description: 'disagree with it',
    disabled: needsVerdict,
  },
  {
    screen: 'trial',
    action: 'take-back',
    keys: ['u'],
    description: 'take that back, out of the labels too; so does the same key again',
    disabled: ({ trial }) => (trial?.hasSaid ? undefined : 'nothing was said of this verdict'),
  },
  {
    screen: 'trial',
    action: 'review-transcript',
    keys: ['R'],
    description:
      'have the reviewer model read the conversation; hide and show what it said; part of no verdict',
    hint: { words: 'review', rank: 10 },
    disabled: needsReviewer,
  },
  {
    screen: 'trial',
    action: 'trial-sides',
    keys: ['d'],
    description: "side by side with the base's conversation, the words marked that differ",
    hint: { words: 'side by side', rank: 6 },
    disabled: ({ compare }) => compare.noSides,
  },
  {
    screen: 'trial',
    action: 'raw',
    keys: ['v'],
    description: 'the whole trial as JSON, and back',
    hint: { words: 'raw', rank: 8 },
  },
  {
    screen: 'trial',
    action: 'copy',
    keys: ['y'],
    description:
      'copy what the pane shows (the reason, the transcript or the JSON) to a file and, where the terminal takes it, the clipboard',
    hint: { words: 'copy', rank: 5 },
  },

  {
    screen: 'compare',
    action: 'open-sides',
    keys: ['enter'],
    description: 'both conversations side by side, the words marked that differ',
    hint: { words: 'side by side', rank: 1 },
    disabled: ({ compare }) => compare.noSides,
  },
  { screen: 'compare', action: 'change-down', keys: ['down', 'j'], description: 'next change' },
  { screen: 'compare', action: 'change-up', keys: ['up', 'k'], description: 'previous change' },
  { screen: 'compare', action: 'change-page-down', keys: ['pagedown', ' '], description: 'one page down' },
  { screen: 'compare', action: 'change-page-up', keys: ['pageup'], description: 'one page up' },
  { screen: 'compare', action: 'first-change', keys: ['g', 'home'], description: 'first change' },
  { screen: 'compare', action: 'last-change', keys: ['G', 'end'], description: 'last change' },
  {
    screen: 'compare',
    action: 'classify',
    keys: ['c'],
    description:
      'say what the change is: a regression, an intended change or a bad criterion; kept with the run',
    hint: { words: 'classify', rank: 2 },
    disabled: ({ compare }) => compare.noClass,
  },
  {
    screen: 'compare',
    action: 'bless',
    keys: ['b'],
    description: 'have the baseline expect what the run shows of this one criterion; asks why',
    hint: { words: 'bless', rank: 3 },
    disabled: ({ compare }) => compare.noBless,
  },
  {
    screen: 'compare',
    action: 'reproduce-change',
    keys: ['o'],
    description: 'run the scenario under the base, with the same fixtures; asks then what the change is',
    hint: { words: 'on the base', rank: 4 },
    disabled: ({ compare }) => compare.notReproduced,
  },
  {
    screen: 'compare',
    action: 'figures',
    keys: ['i'],
    description: 'both sides in figures, and back',
    hint: { words: 'figures', rank: 5 },
    disabled: ({ compare }) => compare.noComparison,
  },
  {
    screen: 'compare',
    action: 'compare-back',
    keys: ['escape', 'q'],
    description: 'back to the grid, or to the history',
    hint: { words: 'back', rank: 6 },
  },

  {
    screen: 'sides',
    action: 'sides-back',
    keys: ['escape', 'q'],
    description: 'back',
    hint: { words: 'back', rank: 1 },
  },
  { screen: 'sides', action: 'sides-down', keys: ['down', 'j'], description: 'one line down, both' },
  { screen: 'sides', action: 'sides-up', keys: ['up', 'k'], description: 'one line up' },
  { screen: 'sides', action: 'sides-page-down', keys: ['pagedown', ' '], description: 'one page down' },
  { screen: 'sides', action: 'sides-page-up', keys: ['pageup'], description: 'one page up' },
  { screen: 'sides', action: 'sides-start', keys: ['g', 'home'], description: 'to the start' },
  { screen: 'sides', action: 'sides-end', keys: ['G', 'end'], description: 'to the end' },
  {
    screen: 'sides',
    action: 'next-difference',
    keys: ['n'],
    description: 'next place that differs',
    hint: { words: 'next difference', rank: 2 },
  },
  { screen: 'sides', action: 'previous-difference', keys: ['N'], description: 'previous place that differs' },
  {
    screen: 'sides',
    action: 'next-new-trial',
    keys: ['right', 'l'],
    description: 'next trial of the candidate',
    hint: { words: 'new trial', rank: 3 },
  },
  {
    screen: 'sides',
    action: 'previous-new-trial',
    keys: ['left', 'h'],
    description: 'previous trial of the candidate',
  },
  {
    screen: 'sides',
    action: 'next-old-trial',
    keys: [']'],
    description: 'next trial of the base',
    hint: { words: 'old trial', rank: 4 },
  },
  { screen: 'sides', action: 'previous-old-trial', keys: ['['], description: 'previous trial of the base' },
  {
    screen: 'sides',
    action: 'other-side',
    keys: ['tab'],
    description: 'the other conversation, where there is room for one only',
    hint: { words: 'other side', rank: 5 },
    disabled: ({ isWide }) => (isWide ? 'both are on screen' : undefined),
  },
  {
    screen: 'sides',
    action: 'classify-sides',
    keys: ['c'],
    description: 'say what the change is',
    hint: { words: 'classify', rank: 6 },
    disabled: ({ compare }) => compare.noClass,
  },

  {
    screen: 'review',
    action: 'review-pass',
    keys: ['p'],
    description: 'the reply passes; the judge is shown then',
    hint: { words: 'pass', rank: 2 },
    disabled: needsPassFail,
  },
  {
    screen: 'review',
    action: 'review-fail',
    keys: ['f'],
    description: 'the reply fails',
    hint: { words: 'fail', rank: 3 },
    disabled: needsPassFail,
  },
  {
    screen: 'review',
    action: 'review-score',
    keys: ['1', '2', '3', '4', '5'],
    description: 'the score of the reply',
    hint: { words: 'to 5 score', rank: 2 },
    disabled: needsScored,
  },
  {
    screen: 'review',
    action: 'review-next',
    keys: ['enter'],
    description: 'next verdict, once this one has yours',
    hint: { words: 'next', rank: 1 },
    disabled: (facts) =>
      needsCase(facts) ?? (facts.review?.isAnswered ? undefined : 'say yours first, or skip with s'),
  },
  {
    screen: 'review',
    action: 'review-skip',
    keys: ['s', 'right', 'l'],
    description: 'next verdict, this one as it is; what has no label comes again another time',
    hint: { words: 'skip', rank: 4 },
    disabled: needsCase,
  },
  {
    screen: 'review',
    action: 'review-previous',
    keys: ['left', 'h'],
    description: 'previous verdict',
    disabled: ({ review }) => (review?.isFirst ? 'this is the first one' : undefined),
  },
  {
    screen: 'review',
    action: 'review-undo',
    keys: ['u'],
    description: 'take the last verdict back, out of the labels too',
    hint: { words: 'undo', rank: 6 },
    disabled: ({ review }) => (review?.hasAnswers ? undefined : 'nothing was said yet'),
  },
  {
    screen: 'review',
    action: 'review-note',
    keys: ['n'],
    description: 'a note on this one, kept with its label',
    hint: { words: 'note', rank: 5 },
    disabled: needsCase,
  },
  { screen: 'review', action: 'review-down', keys: ['down', 'j'], description: 'one line down' },
  { screen: 'review', action: 'review-up', keys: ['up', 'k'], description: 'one line up' },
  { screen: 'review', action: 'review-page-down', keys: ['pagedown', ' '], description: 'one page down' },
  { screen: 'review', action: 'review-page-up', keys: ['pageup'], description: 'one page up' },
  { screen: 'review', action: 'review-first-line', keys: ['g', 'home'], description: 'to the start' },
  { screen: 'review', action: 'review-last-line', keys: ['G', 'end'], description: 'to the end' },
  {
    screen: 'review',
    action: 'review-leave',
    keys: ['q', 'escape'],
    description: 'leave; what you said is written already',
    hint: { words: 'leave', rank: 7 },
  },

  {
    screen: 'history',
    action: 'open-run',
    keys: ['enter'],
    description: 'open the selected run',
    hint: { words: 'open', rank: 1 },
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'run-down',
    keys: ['down', 'j'],
    description: 'next older run',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'run-up',
    keys: ['up', 'k'],
    description: 'next newer run',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'earlier-run',
    keys: ['left', 'h'],
    description: 'one run back in the plot',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'later-run',
    keys: ['right', 'l'],
    description: 'one run on in the plot',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'runs-page-down',
    keys: ['pagedown'],
    description: 'one page down',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'runs-page-up',
    keys: ['pageup'],
    description: 'one page up',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'newest-run',
    keys: ['g', 'home'],
    description: 'newest run',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'oldest-run',
    keys: ['G', 'end'],
    description: 'oldest run',
    disabled: needsRuns,
  },
  {
    screen: 'history',
    action: 'mark-run',
    keys: [' '],
    description: 'mark the run to compare it, or take the mark back; two at most',
    hint: { words: 'mark', rank: 2 },
    disabled: ({ history }) => history?.noMark,
  },
  {
    screen: 'history',
    action: 'compare-runs',
    keys: ['c', '='],
    description:
      'what changed between the two marked runs, or between the marked one and the selected one; the earlier is the base',
    hint: { words: 'compare', rank: 3 },
    disabled: ({ history }) => history?.noCompare,
  },
  {
    screen: 'history',
    action: 'one-condition',
    keys: ['o'],
    description: "only clean runs of the selected run's condition, or all again",
    hint: { words: 'this condition', rank: 5 },
    disabled: ({ history }) => history?.noLimit,
  },
  {
    screen: 'history',
    action: 'next-series',
    keys: ['tab'],
    description: 'next suite or model',
    hint: { words: 'next suite', rank: 4 },
    disabled: ({ history }) => history?.noOther,
  },
  {
    screen: 'history',
    action: 'previous-series',
    keys: ['shift+tab'],
    description: 'previous suite or model',
    disabled: ({ history }) => history?.noOther,
  },
  {
    screen: 'history',
    action: 'all-runs',
    keys: ['escape'],
    description: 'show all runs again, then take the marks back',
    disabled: ({ history, hasBack }) =>
      history?.isNarrowed || hasBack ? undefined : 'nothing to go back to: q quits',
  },
  {
    screen: 'history',
    action: 'leave-history',
    keys: ['q'],
    description: 'quit',
    hint: { words: 'quit', rank: 9 },
  },

  {
    screen: 'help',
    action: 'close-help',
    keys: ['escape', '?', 'q'],
    description: 'back',
    hint: { words: 'back', rank: 1 },
  },
  {
    screen: 'help',
    action: 'help-down',
    keys: ['down', 'j'],
    description: 'one line down',
    hint: { words: 'scroll', rank: 2 },
  },
  { screen: 'help', action: 'help-up', keys: ['up', 'k'], description: 'one line up' },
  { screen: 'help', action: 'help-page-down', keys: ['pagedown', ' '], description: 'one page down' },
  { screen: 'help', action: 'help-page-up', keys: ['pageup'], description: 'one page up' },
  { screen: 'help', action: 'help-first', keys: ['g', 'home'], description: 'to the start' },
  { screen: 'help', action: 'help-last', keys: ['G', 'end'], description: 'to the end' },

  { screen: 'everywhere', action: 'help', keys: ['?'], description: 'all keys of this screen' },
  {
    screen: 'everywhere',
    action: 'interrupt',
    keys: ['ctrl+c'],
    description:
      'stop the run and finish what is in flight; pressed again, abort it and leave. Without a run, quit',
  },
  {
    screen: 'everywhere',
    action: 'suspend',
    keys: ['ctrl+z'],
    description: 'back to the shell for a while; fg continues',
  },
  { screen: 'everywhere', action: 'redraw', keys: ['ctrl+l'], description: 'draw the screen anew' },
] as const satisfies readonly Binding[];

export type ActionName = (typeof keymap)[number]['action'];

/** A row of the table, seen without its literal types. */
export interface KeyBinding extends Binding {
  action: ActionName;
}

const bindings: readonly KeyBinding[] = keymap;

/** The keys of a screen in the order of the table: its own, then those of every screen that it does not take itself. */
export function bindingsOf(screen: ScreenName): KeyBinding[] {
  const own = bindings.filter((binding) => binding.screen === screen);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const shared = bindings.filter(
    (binding) => binding.screen === 'everywhere' && !binding.keys.some((key) => taken.has(key)),
  );
  return [...own, ...shared];
}

/** What a key does on a screen; undefined for a key that does nothing there. */
export function findBinding(screen: ScreenName, key: string): KeyBinding | undefined {
  return bindingsOf(screen).find(({ keys }) => keys.includes(key));
}

import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import { type KeyFacts, needsGoing, needsMoreTrials, needsRows } from '../../keys/reasons.js';

const needsSuites = ({ runs }: KeyFacts) => (runs > 1 ? undefined : 'there is only this suite');

const [down, up, ...jumps] = movingKeys('grid', {
  words: { down: 'next scenario', up: 'previous scenario', start: 'first scenario', end: 'last scenario' },
  pagesBySpace: false,
  disabled: needsRows,
});

/** The keys on the grid. */
export const gridKeys = [
  {
    action: 'open',
    keys: ['enter'],
    description: 'open the transcript of the selected trial',
    hint: { words: 'open', rank: 1 },
    disabled: needsRows,
  },
  down,
  up,
  {
    action: 'cell-right',
    keys: ['right', 'l'],
    description: 'next trial of the scenario',
    disabled: needsRows,
  },
  {
    action: 'cell-left',
    keys: ['left', 'h'],
    description: 'previous trial of the scenario',
    disabled: needsRows,
  },
  ...jumps,
  {
    action: 'next-failing',
    keys: ['n'],
    description: 'next failing scenario; when none fails, the next that errs, warns or is unknown',
    hint: { words: 'next failing', rank: 2 },
    disabled: needsRows,
  },
  {
    action: 'previous-failing',
    keys: ['N'],
    description: 'previous failing scenario',
    disabled: needsRows,
  },
  {
    action: 'filter',
    keys: ['/'],
    description: 'filter by text, tag:T, verdict:V, source:S or change:C; several must all hold',
    hint: { words: 'filter', rank: 3 },
  },
  {
    action: 'clear-filter',
    keys: ['escape'],
    description: 'show all scenarios again; then back to where the run was opened from',
    disabled: ({ isFiltered, hasBack }) =>
      isFiltered || hasBack ? undefined : 'nothing to go back to: q quits',
  },
  {
    action: 'sort',
    keys: ['s'],
    description: 'next order: as in the suite, worst, changed, flakiest, slowest, most tokens first',
    hint: { words: 'sort', rank: 4 },
    disabled: needsRows,
  },
  {
    action: 'pause',
    keys: ['p'],
    description: 'start no more trials, or go on starting them',
    hint: { words: 'pause', rank: 6 },
    disabled: needsGoing,
  },
  {
    action: 'run-again',
    keys: ['r'],
    description: 'run the scenario once more; nothing is replaced',
    hint: { words: 'run again', rank: 7 },
    disabled: needsMoreTrials,
  },
  {
    action: 'add-trials',
    keys: ['a'],
    description: 'add trials to the scenario; asks how many',
    hint: { words: 'add trials', rank: 8 },
    disabled: needsMoreTrials,
  },
  {
    action: 'compare',
    keys: ['c'],
    description: 'what changed against the base, a row a criterion',
    hint: { words: 'changes', rank: 3 },
    disabled: ({ compare }) => compare.noComparison,
  },
  {
    action: 'reproduce',
    keys: ['o'],
    description: 'run a red scenario under the base, with the same fixtures; asks then what the change is',
    hint: { words: 'on the base', rank: 7 },
    disabled: ({ compare }) => compare.notReproduced,
  },
  {
    action: 'bisect-row',
    keys: ['b'],
    description:
      'which words did it? bisect the scenario between the base prompt and the candidate; asks first',
    hint: { words: 'bisect', rank: 6 },
    disabled: ({ noBisect }) => noBisect,
  },
  {
    action: 'quarantine-scenario',
    keys: ['x'],
    description:
      'quarantine the scenario or the check that decides it, from the next run on, or open the triage; asks',
    hint: { words: 'quarantine', rank: 8 },
    disabled: (facts) => needsRows(facts) ?? facts.noQuarantine,
  },
  {
    action: 'undo-on-grid',
    keys: ['u'],
    description: 'take that back',
    disabled: ({ noTakeBack }) => noTakeBack,
  },
  {
    action: 'next-run',
    keys: ['tab'],
    description: 'next suite, when several are run',
    hint: { words: 'next suite', rank: 5 },
    disabled: needsSuites,
  },
  {
    action: 'previous-run',
    keys: ['shift+tab'],
    description: 'previous suite',
    disabled: needsSuites,
  },
  {
    action: 'quit',
    keys: ['q'],
    description: 'quit, or back to where the run was opened from; asks while it is going',
    hint: { words: 'quit', rank: 9 },
  },
] as const satisfies readonly Binding[];

import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import { needsRuns } from '../../keys/reasons.js';

const [down, up, ...jumps] = movingKeys('history', {
  words: { down: 'next older run', up: 'next newer run', start: 'newest run', end: 'oldest run' },
  pagesBySpace: false,
  disabled: needsRuns,
});

/** The keys on the history. */
export const historyKeys = [
  {
    action: 'open-run',
    keys: ['enter'],
    description: 'open the selected run',
    hint: { words: 'open', rank: 1 },
    disabled: needsRuns,
  },
  down,
  up,
  {
    action: 'earlier-run',
    keys: ['left', 'h'],
    description: 'one run back in the plot',
    disabled: needsRuns,
  },
  {
    action: 'later-run',
    keys: ['right', 'l'],
    description: 'one run on in the plot',
    disabled: needsRuns,
  },
  ...jumps,
  {
    action: 'mark-run',
    keys: [' '],
    description: 'mark the run to compare it, or take the mark back; two at most',
    hint: { words: 'mark', rank: 2 },
    disabled: ({ history }) => history?.noMark,
  },
  {
    action: 'compare-runs',
    keys: ['c', '='],
    description:
      'what changed between the two marked runs, or between the marked one and the selected one; the earlier is the base',
    hint: { words: 'compare', rank: 3 },
    disabled: ({ history }) => history?.noCompare,
  },
  {
    action: 'delete-run',
    keys: ['D'],
    description: 'delete the selected run with its folder, for good; asks first',
    hint: { words: 'delete', rank: 7 },
    disabled: needsRuns,
  },
  {
    action: 'promote-run',
    keys: ['p'],
    description:
      'promote the selected run: count it in the baseline of its suite; shows what changes, and asks',
    hint: { words: 'promote', rank: 6 },
    disabled: needsRuns,
  },
  {
    action: 'one-condition',
    keys: ['o'],
    description: "only clean runs of the selected run's condition, or all again",
    hint: { words: 'this condition', rank: 5 },
    disabled: ({ history }) => history?.noLimit,
  },
  {
    action: 'next-series',
    keys: ['tab'],
    description: 'next suite or model',
    hint: { words: 'next suite', rank: 4 },
    disabled: ({ history }) => history?.noOther,
  },
  {
    action: 'previous-series',
    keys: ['shift+tab'],
    description: 'previous suite or model',
    disabled: ({ history }) => history?.noOther,
  },
  {
    action: 'all-runs',
    keys: ['escape'],
    description: 'show all runs again, then take the marks back, then back to home',
    disabled: ({ history, hasBack }) =>
      history?.isNarrowed || hasBack ? undefined : 'nothing to go back to: q quits',
  },
  {
    action: 'leave-history',
    keys: ['q'],
    description: 'quit, or back to home',
    hint: { words: 'quit', rank: 9 },
  },
] as const satisfies readonly Binding[];

import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys on what changed. */
export const compareKeys = [
  {
    action: 'open-sides',
    keys: ['enter'],
    description: 'both conversations side by side, the words marked that differ',
    hint: { words: 'side by side', rank: 1 },
    disabled: ({ compare }) => compare.noSides,
  },
  ...movingKeys('compare', {
    words: { down: 'next change', up: 'previous change', start: 'first change', end: 'last change' },
  }),
  {
    action: 'classify',
    keys: ['c'],
    description:
      'say what the change is: a regression, an intended change or a bad criterion; kept with the run',
    hint: { words: 'classify', rank: 2 },
    disabled: ({ compare }) => compare.noClass,
  },
  {
    action: 'bless',
    keys: ['b'],
    description: 'have the baseline expect what the run shows of this one criterion; asks why',
    hint: { words: 'bless', rank: 3 },
    disabled: ({ compare }) => compare.noBless,
  },
  {
    action: 'reproduce-change',
    keys: ['o'],
    description: 'run the scenario under the base, with the same fixtures; asks then what the change is',
    hint: { words: 'on the base', rank: 4 },
    disabled: ({ compare }) => compare.notReproduced,
  },
  {
    action: 'bisect-change',
    keys: ['B'],
    description:
      'which words did it? bisect the criterion between the base prompt and the candidate; asks first',
    hint: { words: 'bisect', rank: 5 },
    disabled: ({ noBisect }) => noBisect,
  },
  {
    action: 'figures',
    keys: ['i'],
    description: 'both sides in figures, and back',
    hint: { words: 'figures', rank: 5 },
    disabled: ({ compare }) => compare.noComparison,
  },
  {
    action: 'compare-back',
    keys: ['escape', 'q'],
    description: 'back to the grid, or to the history',
    hint: { words: 'back', rank: 6 },
  },
] as const satisfies readonly Binding[];

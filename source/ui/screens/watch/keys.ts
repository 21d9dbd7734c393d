import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys of the picker of what a bisect goes by. */
export const watchKeys = [
  {
    action: 'watch-toggle',
    keys: [' ', 'x'],
    description: 'choose the check, or the scenario by all of its checks; or choose it no more',
    hint: { words: 'choose', rank: 1 },
  },
  {
    action: 'watch-take',
    keys: ['enter'],
    description: 'go by what is chosen; trials so far are read by it too',
    hint: { words: 'go by these', rank: 2 },
  },
  {
    action: 'watch-filter',
    keys: ['/'],
    description: 'only scenarios and checks with a text',
    hint: { words: 'filter', rank: 3 },
  },
  ...movingKeys('watch', { words: { down: 'next', up: 'previous' }, pagesBySpace: false }),
  {
    action: 'watch-back',
    keys: ['escape', 'q'],
    description: 'back, with nothing changed',
    hint: { words: 'back', rank: 4 },
  },
] as const satisfies readonly Binding[];

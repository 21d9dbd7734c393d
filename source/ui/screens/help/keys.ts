import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys of the help. */
export const helpKeys = [
  {
    action: 'close-help',
    keys: ['escape', '?', 'q'],
    description: 'back',
    hint: { words: 'back', rank: 1 },
  },
  ...movingKeys('help', { hint: { words: 'scroll', rank: 2 } }),
] as const satisfies readonly Binding[];

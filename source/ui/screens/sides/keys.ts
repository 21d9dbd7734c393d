import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import { needsNarrow } from '../../keys/reasons.js';

/** The keys of two conversations side by side. */
export const sidesKeys = [
  {
    action: 'sides-back',
    keys: ['escape', 'q'],
    description: 'back',
    hint: { words: 'back', rank: 1 },
  },
  ...movingKeys('sides', { words: { down: 'one line down, both' } }),
  {
    action: 'next-difference',
    keys: ['n'],
    description: 'next place that differs',
    hint: { words: 'next difference', rank: 2 },
  },
  { action: 'previous-difference', keys: ['N'], description: 'previous place that differs' },
  {
    action: 'next-new-trial',
    keys: ['right', 'l'],
    description: 'next trial of the candidate',
    hint: { words: 'new trial', rank: 3 },
  },
  {
    action: 'previous-new-trial',
    keys: ['left', 'h'],
    description: 'previous trial of the candidate',
  },
  {
    action: 'next-old-trial',
    keys: [']'],
    description: 'next trial of the base',
    hint: { words: 'old trial', rank: 4 },
  },
  { action: 'previous-old-trial', keys: ['['], description: 'previous trial of the base' },
  {
    action: 'other-side',
    keys: ['tab'],
    description: 'the other conversation, where there is room for one only',
    hint: { words: 'other side', rank: 5 },
    disabled: needsNarrow,
  },
  {
    action: 'classify-sides',
    keys: ['c'],
    description: 'say what the change is',
    hint: { words: 'classify', rank: 6 },
    disabled: ({ compare }) => compare.noClass,
  },
] as const satisfies readonly Binding[];

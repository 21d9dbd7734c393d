import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import { needsNarrow } from '../../keys/reasons.js';

/** The keys of two prompts side by side. */
export const promptsKeys = [
  {
    action: 'prompts-back',
    keys: ['escape', 'q'],
    description: 'back',
    hint: { words: 'back', rank: 1 },
  },
  ...movingKeys('prompts', { words: { down: 'one line down, both' } }),
  {
    action: 'next-change',
    keys: ['n'],
    description: 'next place that differs',
    hint: { words: 'next difference', rank: 2 },
  },
  { action: 'previous-change', keys: ['N'], description: 'previous place that differs' },
  {
    action: 'other-prompt',
    keys: ['tab'],
    description: 'the other prompt, where there is room for one only',
    hint: { words: 'other prompt', rank: 3 },
    disabled: needsNarrow,
  },
] as const satisfies readonly Binding[];

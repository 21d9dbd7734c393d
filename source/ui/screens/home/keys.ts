import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys on home. */
export const homeKeys = [
  {
    action: 'home-open',
    keys: ['enter'],
    description:
      'open the last run of the suite, go on with what was left unfinished, look into what is to be seen to',
    hint: { words: 'open', rank: 2 },
    disabled: ({ home }) => home?.noOpen,
  },
  {
    action: 'start-run',
    keys: ['r'],
    description:
      'make the usual run of the suite, of the candidate where the config names one; asks before it asks a live model',
    hint: { words: 'run', rank: 1 },
    disabled: ({ home }) => home?.noStart,
  },
  {
    action: 'go-on',
    keys: ['u'],
    description: 'go on with what was left unfinished: the selected run or bisect, else the newest',
    hint: { words: 'go on', rank: 3 },
    disabled: ({ home }) => home?.noResume,
  },
  {
    action: 'compare-last',
    keys: ['c'],
    description: 'what changed between the last two clean runs of the suite',
    hint: { words: 'compare', rank: 5 },
    disabled: ({ home }) => home?.noCompare,
  },
  {
    action: 'home-history',
    keys: ['h'],
    description: 'scores over time, and all runs of the suite',
    hint: { words: 'history', rank: 4 },
    disabled: ({ home }) => home?.noRows,
  },
  {
    action: 'home-triage',
    keys: ['x'],
    description: 'the triage of the suite: what flips, and what is quarantined',
    hint: { words: 'triage', rank: 6 },
    disabled: ({ home }) => home?.noTriage,
  },
  ...movingKeys('home', {
    words: { down: 'next row', up: 'previous row', start: 'first row', end: 'last row' },
    pagesBySpace: false,
    disabled: ({ home }) => home?.noRows,
  }),
  {
    action: 'leave-home',
    keys: ['q'],
    description: 'quit',
    hint: { words: 'quit', rank: 9 },
  },
] as const satisfies readonly Binding[];

import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys on the triage. */
export const triageKeys = [
  {
    action: 'quarantine-row',
    keys: ['x'],
    description: 'quarantine the check, or all of its scenario: asks why, who owns it and until when',
    hint: { words: 'quarantine', rank: 2 },
    disabled: ({ triage }) => triage?.noQuarantine,
  },
  {
    action: 'release-row',
    keys: ['r'],
    description: 'release it: it counts again from the next run on; asks first',
    hint: { words: 'release', rank: 3 },
    disabled: ({ triage }) => triage?.noRelease,
  },
  {
    action: 'extend-row',
    keys: ['e'],
    description: 'move the last day of its quarantine',
    hint: { words: 'extend', rank: 4 },
    disabled: ({ triage }) => triage?.noExtend,
  },
  {
    action: 'undo-quarantine',
    keys: ['u'],
    description: 'take the last change back: the file says again what it said; again, the one before',
    hint: { words: 'undo', rank: 5 },
    disabled: ({ triage }) => triage?.noUndo,
  },
  {
    action: 'open-trials',
    keys: ['enter', 't'],
    description:
      'the latest trial that passed and the latest that failed, side by side, from where they first differ',
    hint: { words: 'transcripts', rank: 1 },
    disabled: ({ triage }) => triage?.noTrials,
  },
  {
    action: 'rewrite',
    keys: ['E'],
    description: 'rewrite it: opens the scenario at its line in $EDITOR, then asks whether to run it again',
    hint: { words: 'rewrite', rank: 6 },
    disabled: ({ triage }) => triage?.noRewrite,
  },
  {
    action: 'triage-filter',
    keys: ['/'],
    description:
      'only rows with a text: of a name, an owner, a reason, or quarantined, release, broken, expired',
    hint: { words: 'filter', rank: 7 },
  },
  {
    action: 'triage-sort',
    keys: ['s'],
    description: 'next order: most flips, highest rate, what is suggested, by name',
    hint: { words: 'sort', rank: 8 },
    disabled: ({ triage }) => triage?.noRows,
  },
  {
    action: 'all-checks',
    keys: ['a'],
    description: 'show every check that was run, or again only what wants a look',
    hint: { words: 'all checks', rank: 9 },
  },
  ...movingKeys('triage', {
    words: { down: 'next check', up: 'previous check', start: 'first check', end: 'last check' },
    disabled: ({ triage }) => triage?.noRows,
  }),
  {
    action: 'next-triage',
    keys: ['tab'],
    description: 'next suite',
    hint: { words: 'next suite', rank: 10 },
    disabled: ({ triage }) => triage?.noOther,
  },
  {
    action: 'previous-triage',
    keys: ['shift+tab'],
    description: 'previous suite',
    disabled: ({ triage }) => triage?.noOther,
  },
  {
    action: 'triage-back',
    keys: ['escape'],
    description: 'show all rows again; then back to where the triage was opened from',
    disabled: ({ triage }) => triage?.noBack,
  },
  {
    action: 'leave-triage',
    keys: ['q'],
    description: 'quit, or back to where the triage was opened from',
    hint: { words: 'quit', rank: 11 },
  },
] as const satisfies readonly Binding[];

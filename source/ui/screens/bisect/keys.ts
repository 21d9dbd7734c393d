import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';

/** The keys in a bisect. */
export const bisectKeys = [
  {
    action: 'run-step',
    keys: ['enter'],
    description:
      'run the step that is proposed, or that of the hunk you selected; begin; go on where you are asked',
    hint: { words: 'run step', rank: 1 },
    disabled: ({ bisect }) => bisect?.noStep,
  },
  {
    action: 'accept-verdict',
    keys: ['a'],
    description: 'take what the step shows',
    hint: { words: 'accept', rank: 2 },
    disabled: ({ bisect }) => bisect?.noAccept,
  },
  {
    action: 'override-verdict',
    keys: ['o'],
    description: 'you know better: say that the hunk is guilty, or innocent; weighs as 19 to 1',
    hint: { words: 'override', rank: 3 },
    disabled: ({ bisect }) => bisect?.noOverride,
  },
  {
    action: 'skip-hunk',
    keys: ['s'],
    description:
      'leave the hunk out: no step of it unless you ask for one, and no word on it; a search may still try it',
    hint: { words: 'skip', rank: 4 },
    disabled: ({ bisect }) => bisect?.noSkip,
  },
  {
    action: 'undo-step',
    keys: ['u'],
    description: 'take the last step back; again, the one before; what it cost stays spent',
    hint: { words: 'undo', rank: 5 },
    disabled: ({ bisect }) => bisect?.noUndo,
  },
  {
    action: 'note-bisect',
    keys: ['n'],
    description: 'write a note on the hunk, kept with the bisect',
    hint: { words: 'note', rank: 11 },
    disabled: ({ bisect }) => bisect?.noNote,
  },
  {
    action: 'transcripts',
    keys: ['t'],
    description: 'the transcript of the selected trial',
    hint: { words: 'transcripts', rank: 6 },
    disabled: ({ bisect }) => bisect?.noCells,
  },
  {
    action: 'open-prompts',
    keys: ['p'],
    description: 'the prompt of the row and the whole bad prompt, side by side',
    hint: { words: 'prompts', rank: 8 },
    disabled: ({ bisect }) => bisect?.noPrompts,
  },
  {
    action: 'change-watched',
    keys: ['c'],
    description: 'change the checks that it goes by, or add a scenario; also while trials are going on',
    hint: { words: 'checks', rank: 9 },
    disabled: ({ bisect }) => bisect?.noWatch,
  },
  {
    action: 'hand-over',
    keys: ['A'],
    description: 'have auto go on from here: it runs what says most, and asks nothing',
    hint: { words: 'auto from here', rank: 7 },
    disabled: ({ bisect }) => bisect?.noAuto,
  },
  {
    action: 'take-over',
    keys: ['T'],
    description: 'take it back from auto',
    hint: { words: 'take back', rank: 7 },
    disabled: ({ bisect }) => bisect?.noGuided,
  },
  {
    action: 'set-budget',
    keys: ['b'],
    description: 'set how many trials it may take; asks, from the budget in force on',
    hint: { words: 'budget', rank: 10 },
    disabled: ({ bisect }) => bisect?.noBudget,
  },
  {
    action: 'write-narrowed',
    keys: ['w'],
    description: 'write the bad prompt without the hunks that were found as a new version; asks first',
    hint: { words: 'write narrowed prompt', rank: 1 },
    disabled: ({ bisect }) => bisect?.noWrite,
  },
  ...movingKeys('bisect', {
    words: { down: 'next hunk, or one line down', up: 'previous hunk, or one line up' },
    disabled: ({ bisect }) => bisect?.noRows,
  }),
  {
    action: 'next-cell',
    keys: ['right', 'l'],
    description: 'next trial of the row',
    disabled: ({ bisect }) => bisect?.noCells,
  },
  {
    action: 'previous-cell',
    keys: ['left', 'h'],
    description: 'previous trial of the row',
    disabled: ({ bisect }) => bisect?.noCells,
  },
  {
    action: 'other-pane',
    keys: ['tab'],
    description:
      'to the text of the hunk and back: it hears the keys that move then, and is shown where there is room for one',
    hint: { words: 'pane', rank: 12 },
    disabled: ({ bisect }) => bisect?.noRows,
  },
  {
    action: 'bisect-back',
    keys: ['escape'],
    description: 'back to the list; then back to where the bisect was opened from',
  },
  {
    action: 'leave-bisect',
    keys: ['q'],
    description: 'save and leave; it goes on later, on another machine too; asks while trials are in flight',
    hint: { words: 'leave', rank: 13 },
  },
] as const satisfies readonly Binding[];

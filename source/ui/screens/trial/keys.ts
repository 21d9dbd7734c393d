import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import {
  type KeyFacts,
  needsFolded,
  needsMatches,
  needsPanes,
  needsReviewer,
  needsTranscript,
  needsVerdict,
} from '../../keys/reasons.js';

const needsOtherTrials = ({ trials }: KeyFacts) =>
  trials > 1 ? undefined : 'this is the only trial of the scenario';
const needsTranscriptPane = (facts: KeyFacts) => needsPanes(facts) ?? needsTranscript(facts);

/** The keys in a trial. */
export const trialKeys = [
  {
    action: 'back',
    keys: ['escape', 'q'],
    description: 'back to the grid; ends a reading, a search, then the raw view first',
    hint: { words: 'back', rank: 1 },
  },
  {
    action: 'next-pane',
    keys: ['tab'],
    description: 'next pane: checks, reason, transcript',
    hint: { words: 'pane', rank: 3 },
    disabled: needsPanes,
  },
  {
    action: 'previous-pane',
    keys: ['shift+tab'],
    description: 'previous pane',
    disabled: needsPanes,
  },
  ...movingKeys('trial', {
    words: { down: 'next check, or one line down', up: 'previous check, or one line up' },
  }),
  {
    action: 'next-trial',
    keys: ['right', 'l'],
    description: 'next trial of the scenario',
    hint: { words: 'trial', rank: 2 },
    disabled: needsOtherTrials,
  },
  {
    action: 'previous-trial',
    keys: ['left', 'h'],
    description: 'previous trial of the scenario',
    disabled: needsOtherTrials,
  },
  {
    action: 'next-scenario',
    keys: [']'],
    description: 'same trial of the next scenario in the grid',
    hint: { words: 'scenario', rank: 7 },
  },
  {
    action: 'previous-scenario',
    keys: ['['],
    description: 'same trial of the previous scenario in the grid',
  },
  {
    action: 'next-turn',
    keys: ['}'],
    description: 'next turn of the transcript',
    disabled: needsTranscriptPane,
  },
  {
    action: 'previous-turn',
    keys: ['{'],
    description: 'previous turn of the transcript',
    disabled: needsTranscriptPane,
  },
  {
    action: 'to-turn',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    description: 'to that turn of the transcript',
    disabled: needsTranscriptPane,
  },
  {
    action: 'next-evidence',
    keys: ['e'],
    description: 'next place in the transcript that the selected check points to',
    hint: { words: 'evidence', rank: 6 },
    disabled: (facts) =>
      needsPanes(facts) ??
      (facts.evidence > 0 ? undefined : 'this check points to no place in the transcript'),
  },
  {
    action: 'search',
    keys: ['/'],
    description: 'search the transcript, or the JSON where that is shown',
    hint: { words: 'search', rank: 4 },
    disabled: needsTranscript,
  },
  {
    action: 'next-match',
    keys: ['n'],
    description: 'next place where the searched text stands',
    disabled: needsMatches,
  },
  {
    action: 'previous-match',
    keys: ['N'],
    description: 'previous place where the searched text stands',
    disabled: needsMatches,
  },
  {
    action: 'unfold',
    keys: ['o'],
    description: 'show tool calls and answers whole, or cut short again',
    hint: { words: 'unfold', rank: 6 },
    disabled: (facts) => needsPanes(facts) ?? needsFolded(facts),
  },
  {
    action: 'agree',
    keys: ['+'],
    description: "agree with the judge's verdict on the selected check: a label, marked as not blind",
    hint: { words: 'agree', rank: 9 },
    disabled: needsVerdict,
  },
  {
    action: 'disagree',
    keys: ['-'],
    description: 'disagree with it',
    disabled: needsVerdict,
  },
  {
    action: 'take-back',
    keys: ['u'],
    description: 'take that back, out of the labels too; so does the same key again',
    disabled: ({ trial }) => (trial?.hasSaid ? undefined : 'nothing was said of this verdict'),
  },
  {
    action: 'review-transcript',
    keys: ['R'],
    description:
      'have the reviewer model read the conversation; hide and show what it said; part of no verdict',
    hint: { words: 'review', rank: 10 },
    disabled: needsReviewer,
  },
  {
    action: 'trial-sides',
    keys: ['d'],
    description: "side by side with the base's conversation, the words marked that differ",
    hint: { words: 'side by side', rank: 6 },
    disabled: ({ compare }) => compare.noSides,
  },
  {
    action: 'raw',
    keys: ['v'],
    description: 'the whole trial as JSON, and back',
    hint: { words: 'raw', rank: 8 },
  },
  {
    action: 'copy',
    keys: ['y'],
    description:
      'copy what the pane shows (the reason, the transcript or the JSON) to a file and, where the terminal takes it, the clipboard',
    hint: { words: 'copy', rank: 5 },
  },
] as const satisfies readonly Binding[];

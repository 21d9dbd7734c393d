import type { Binding } from '../../keys/binding.js';
import { movingKeys } from '../../keys/moving.js';
import { needsCase, needsPassFail, needsScored } from '../../keys/reasons.js';

/** The keys of the review of the judge. */
export const reviewKeys = [
  {
    action: 'review-pass',
    keys: ['p'],
    description: 'the reply passes; the judge is shown then',
    hint: { words: 'pass', rank: 2 },
    disabled: needsPassFail,
  },
  {
    action: 'review-fail',
    keys: ['f'],
    description: 'the reply fails',
    hint: { words: 'fail', rank: 3 },
    disabled: needsPassFail,
  },
  {
    action: 'review-score',
    keys: ['1', '2', '3', '4', '5'],
    description: 'the score of the reply',
    hint: { words: 'to 5 score', rank: 2 },
    disabled: needsScored,
  },
  {
    action: 'review-next',
    keys: ['enter'],
    description: 'next verdict, once this one has yours',
    hint: { words: 'next', rank: 1 },
    disabled: (facts) =>
      needsCase(facts) ?? (facts.review?.isAnswered ? undefined : 'say yours first, or skip with s'),
  },
  {
    action: 'review-skip',
    keys: ['s', 'right', 'l'],
    description: 'next verdict, this one as it is; what has no label comes again another time',
    hint: { words: 'skip', rank: 4 },
    disabled: needsCase,
  },
  {
    action: 'review-previous',
    keys: ['left', 'h'],
    description: 'previous verdict',
    disabled: ({ review }) => (review?.isFirst ? 'this is the first one' : undefined),
  },
  {
    action: 'review-undo',
    keys: ['u'],
    description: 'take the last verdict back, out of the labels too',
    hint: { words: 'undo', rank: 6 },
    disabled: ({ review }) => (review?.hasAnswers ? undefined : 'nothing was said yet'),
  },
  {
    action: 'review-note',
    keys: ['n'],
    description: 'a note on this one, kept with its label',
    hint: { words: 'note', rank: 5 },
    disabled: needsCase,
  },
  ...movingKeys('review'),
  {
    action: 'review-leave',
    keys: ['q', 'escape'],
    description: 'leave; what you said is written already',
    hint: { words: 'leave', rank: 7 },
  },
] as const satisfies readonly Binding[];

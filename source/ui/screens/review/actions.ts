import { messageOf } from '../../../base/errors.js';
import type { ReviewAnswer } from '../../../grade/labels/desk.js';
import type { KeyPress } from '../../keys/key-reader.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { scrolled } from '../../viewport.js';
import { reviewHeight } from './contents.js';
import { lastAnswered, movedTo, withAnswer, withNote, withoutLast } from './state.js';
import { reviewLines } from './view.js';

/** What the keys of the review do. */
export const reviewActions = {
  'review-pass': (model: AppModel) => answer(model, 'pass'),
  'review-fail': (model: AppModel) => answer(model, 'fail'),
  'review-score': (model: AppModel, key: KeyPress) => answer(model, Number(key.name)),
  'review-next': (model: AppModel) => move(model, 1),
  'review-skip': (model: AppModel) => move(model, 1),
  'review-previous': (model: AppModel) => move(model, -1),
  'review-undo': undo,
  'review-note': (model: AppModel) => {
    const { review } = model;
    const note = review && (review.answers.get(review.at)?.note ?? review.notes.get(review.at));
    model.set({ field: { kind: 'note', text: note ?? '' } });
  },
  ...movingActions('review', heightOf, scroll),
  'review-leave': (model: AppModel) => model.leave({ how: 'quit' }),
};

/** Puts a note on the case on screen. */
export function setNote(model: AppModel, text: string): void {
  const { review } = model;
  if (!review) return;
  const next = withNote(review, text.trim());
  if (keep(model, () => save(model, next.answers.get(next.at)))) model.setReview(next);
}

function answer(model: AppModel, said: ReviewAnswer['said']): void {
  const { review } = model;
  if (!review) return;
  const next = withAnswer(review, said);
  if (keep(model, () => save(model, next.answers.get(next.at)))) model.setReview(next);
}

function save(model: AppModel, given: ReviewAnswer | undefined): void {
  const { review, desk } = model;
  if (review && given) desk?.save(review.at, given);
}

function undo(model: AppModel): void {
  const { review, desk } = model;
  const last = review && lastAnswered(review);
  if (!review || !desk || last === undefined) return;
  keep(model, () => {
    const isGone = desk.remove(last);
    model.setReview(withoutLast(review));
    if (isGone) model.say('taken back');
    else model.say(`${desk.file} was changed by somebody else: the label is still in it`, 'warn');
  });
}

/** Does what writes to the file. What the person said is not on screen as said when it could not be written. */
function keep(model: AppModel, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    model.say(`not written: ${messageOf(error)}`, 'error');
    return false;
  }
}

function move(model: AppModel, by: number): void {
  const { review, desk } = model;
  if (review && desk) model.setReview(movedTo(review, review.at + by, desk.cases.length));
}

function heightOf({ review, state }: AppModel): number {
  return reviewHeight(state.size, review?.answers.has(review.at) ?? false);
}

function scroll(model: AppModel, lines: number): void {
  const { review } = model;
  if (!review) return;
  const height = heightOf(model);
  const count = reviewLines(model).length;
  model.setReview({ ...review, top: scrolled({ top: review.top, height, count }, lines) });
}

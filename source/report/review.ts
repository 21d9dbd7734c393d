import { cutToWidth } from '../base/width.js';
import type { TurnReview } from '../grade/review/types.js';
import type { SavedReview } from '../run/reviews.js';
import type { TrialRecord } from '../run/types.js';
import { inline } from './format.js';
import { isSimulatedModel, simulatedNotice } from './run-facts.js';

/** A review as text beside the turns that it is about; safe to print, one line at a time. */
export function* reviewLines(review: SavedReview, record: TrialRecord): Generator<string> {
  const { trial, model, prompt, unread } = review;
  yield inline(`${trial.scenario}   trial ${trial.repeat}   read by ${model} ${prompt}`);
  if (isSimulatedModel(model)) yield simulatedNotice;
  if (unread) {
    yield inline(`no review: the answer could not be read: ${unread.why}`);
    return;
  }
  yield inline(review.summary);
  for (const turn of record.turns) {
    yield '';
    yield `turn ${turn.index}   ${cutToWidth(inline(turn.message), 90)}`;
    const said = review.turns.find((one) => one.turn === turn.index);
    if (said) yield* turnLines(said);
  }
}

function* turnLines({ right, missed, tooEarly }: TurnReview): Generator<string> {
  for (const text of right) yield `  right      ${inline(text)}`;
  for (const text of missed) yield `  missed     ${inline(text)}`;
  for (const text of tooEarly) yield `  too early  ${inline(text)}`;
  if (right.length + missed.length + tooEarly.length === 0) yield '  nothing to say';
}

import type { ReviewAnswer } from '../../../grade/labels/desk.js';

/** Where a review stands. Replaced whole, never changed in place. */
export interface ReviewState {
  /** The case on screen; as many as there are cases: the end. */
  at: number;
  /** First line of the case that is shown. */
  top: number;
  /** By case, in the order in which they were given. */
  answers: ReadonlyMap<number, ReviewAnswer>;
  /** Notes of cases that have no answer yet. */
  notes: ReadonlyMap<number, string>;
  /** Cases whose judge's verdict was shown. */
  seen: ReadonlySet<number>;
}

export const firstReviewState: ReviewState = {
  at: 0,
  top: 0,
  answers: new Map(),
  notes: new Map(),
  seen: new Set(),
};

/** The state after an answer to the case on screen. What was said first, unseen, is what counts. */
export function withAnswer(state: ReviewState, said: ReviewAnswer['said']): ReviewState {
  const { at } = state;
  const before = state.answers.get(at);
  const note = before?.note ?? state.notes.get(at);
  const isRevised = state.seen.has(at) && (before === undefined || before.said !== said || before.isRevised);
  const answers = new Map(state.answers);
  // Given anew, so that it is the last one.
  answers.delete(at);
  answers.set(at, { said, ...(note !== undefined && { note }), isRevised });
  return { ...state, answers, seen: new Set([...state.seen, at]) };
}

/** The state with a note on the case on screen; an empty one takes it away. */
export function withNote(state: ReviewState, note: string): ReviewState {
  const { at } = state;
  const notes = new Map(state.notes);
  notes.set(at, note);
  const before = state.answers.get(at);
  if (!before) return { ...state, notes };
  const answers = new Map(state.answers);
  const { note: _, ...rest } = before;
  answers.set(at, { ...rest, ...(note !== '' && { note }) });
  return { ...state, notes, answers };
}

/** The case that was answered last; undefined where none was. */
export function lastAnswered({ answers }: ReviewState): number | undefined {
  return [...answers.keys()].at(-1);
}

/** The state without the last answer, on its case. */
export function withoutLast(state: ReviewState): ReviewState {
  const last = lastAnswered(state);
  if (last === undefined) return state;
  const answers = new Map(state.answers);
  answers.delete(last);
  return { ...state, answers, at: last, top: 0 };
}

/** The state on another case, kept between the first and the end. */
export function movedTo(state: ReviewState, at: number, cases: number): ReviewState {
  return { ...state, at: Math.max(0, Math.min(cases, at)), top: 0 };
}

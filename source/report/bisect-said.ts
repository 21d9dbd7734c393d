import type { Candidate } from '../bisect/candidate.js';
import { candidateName } from '../bisect/candidate-prompt.js';
import { countOutcomes, rateOf } from '../bisect/evidence.js';
import type { BisectRecord } from '../bisect/record.js';
import { liveEntries, type Outcome } from '../bisect/session.js';
import { countOf, inline } from './format.js';

/** Trials that a person took back: what they showed is known, and is no evidence. */
export interface TakenBack {
  /** All of them. */
  trials: number;
  /** By prompt, in the order in which they were tried first: `of` those that were graded. */
  shown: { candidate: Candidate; name: string; passed: number; of: number }[];
}

/** What a person wrote down. */
export interface BisectNote {
  /** As people count them, from 1; not set: of all of it. */
  hunk?: number;
  text: string;
}

/** What was taken back in a bisect; undefined where nothing was. Whoever reads what it found is to see what it left out. */
export function takenBackIn(record: BisectRecord): TakenBack | undefined {
  const undone = record.undone();
  if (undone.size === 0) return undefined;
  const outcomes = new Map<Candidate, (Outcome | undefined)[]>();
  for (const trial of undone)
    outcomes.set(trial.candidate, [...(outcomes.get(trial.candidate) ?? []), record.outcomeOf(trial)]);
  const shown = Array.from(outcomes, ([candidate, of]) => ({
    candidate,
    name: candidateName(record.planned, candidate),
    ...rateOf(countOutcomes(of)),
  }));
  return { trials: undone.size, shown };
}

/** `13 trials were taken back: v15 0/2, v15 without 8 5/5`, safe to print. */
export function takenBackLine({ trials, shown }: TakenBack): string {
  const were = trials === 1 ? 'was' : 'were';
  const counts = shown.map(({ name, passed, of }) =>
    inline(of === 0 ? `${name} ungraded` : `${name} ${passed}/${of}`),
  );
  return `${countOf(trials, 'trial')} ${were} taken back: ${counts.join(', ')}`;
}

/** The notes of a bisect that nobody took back, in order. */
export function notesIn(record: BisectRecord): BisectNote[] {
  return liveEntries(record.session()).flatMap((entry) =>
    entry.kind === 'note'
      ? [{ text: entry.text, ...(entry.hunk !== undefined && { hunk: entry.hunk + 1 }) }]
      : [],
  );
}

import type { RatePriors } from './rates.js';

/** What is believed before the first trial. Shares of answers are relative to each other. */
export interface Priors {
  /** It is not the prompt: the pass rate is the same with any hunks. */
  notThePrompt: number;
  /** One guilty hunk. */
  single: number;
  /** Two. */
  pair: number;
  /** Three or four. */
  larger: number;
  /** How several guilty hunks act together. */
  together: Together;
  rates: RatePriors;
}

/** Shares of the ways in which several hunks can be guilty together. */
export interface Together {
  /** The rate falls only where all of them are applied. */
  both: number;
  /** One of them suffices. */
  either: number;
  /** Each lowers the rate by an equal step. */
  additive: number;
}

export const defaultPriors: Priors = {
  notThePrompt: 0.25,
  single: 0.58,
  pair: 0.15,
  larger: 0.02,
  together: { both: 0.4, either: 0.3, additive: 0.3 },
  rates: { good: [6, 1], bad: [1, 1.5], smallestDrop: 0.25, uniformShare: 0.5 },
};

/** The prior of each single answer, once the number of hunks is known. They sum to 1 over all sets of up to four. */
export interface AnswerPriors {
  notThePrompt: number;
  /** Of guilty hunks that are exactly these. */
  of(hunks: readonly number[]): number;
}

/**
 * Spreads the priors over sets of hunks. `weights`: how suspicious each hunk is before any trial, relative to the
 * others; all the same when left out.
 */
export function answerPriors(hunks: number, priors: Priors, weights?: readonly number[]): AnswerPriors {
  const pair = hunks > 1 ? priors.pair : 0;
  const larger = hunks > 2 ? priors.larger : 0;
  const total = priors.notThePrompt + priors.single + pair + larger;
  const sum = weights?.reduce((all, weight) => all + weight, 0) ?? 0;
  const tilt = Array.from({ length: hunks }, (_, hunk) =>
    weights && sum > 0 ? ((weights[hunk] ?? 0) * hunks) / sum : 1,
  );
  const shares = [0, priors.single, pair, hunks > 3 ? 0.75 * larger : larger, hunks > 3 ? 0.25 * larger : 0];
  // The weight of all sets of one size is the elementary symmetric polynomial of the weights of hunks.
  const sets = [1, 0, 0, 0, 0];
  for (const weight of tilt)
    for (let size = 4; size > 0; size--) sets[size] = (sets[size] ?? 0) + weight * (sets[size - 1] ?? 0);
  const each = shares.map((share, size) => (sets[size] ? share / total / sets[size] : 0));
  return {
    notThePrompt: priors.notThePrompt / total,
    of(set) {
      let prior = each[set.length] ?? 0;
      for (const hunk of set) prior *= tilt[hunk] ?? 0;
      return prior;
    },
  };
}

import { entropy } from './information.js';

/**
 * Trials that it takes on average, at the least, to find one of `hunks` with 5 % error, where both pass rates are known:
 * the bits that are to be learned over the capacity of the channel that a trial is (Fano's inequality; Burnashev and
 * Zigangirov 1974 on noisy search). Infinite where the rates do not differ.
 */
export function informationLimit(hunks: number, good: number, bad: number): number {
  const error = 0.05;
  const bits = Math.log2(hunks) - entropy(error) - (hunks > 1 ? error * Math.log2(hunks - 1) : 0);
  if (bits <= 0) return 0;
  const bitsATrial = capacity(good, bad);
  return bitsATrial > 0 ? bits / bitsATrial : Number.POSITIVE_INFINITY;
}

/** Bits that a trial can tell at most, its prompt chosen well: the capacity of a binary channel with these pass rates. */
export function capacity(good: number, bad: number): number {
  const bitsAt = (share: number) =>
    entropy(share * good + (1 - share) * bad) - share * entropy(good) - (1 - share) * entropy(bad);
  // Concave in the share: a ternary search closes in on its top.
  let low = 0;
  let high = 1;
  for (let step = 0; step < 100; step++) {
    const third = (high - low) / 3;
    if (bitsAt(low + third) < bitsAt(high - third)) low += third;
    else high -= third;
  }
  return bitsAt((low + high) / 2);
}

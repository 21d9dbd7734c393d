import { fisher, hypergeometric, logChoose } from './fisher.js';
import type { PassRate } from './statistics.js';

/** Probabilities that differ by less than this share of themselves are the same, but for rounding. */
const sameShare = 1e-9;
/** Results that are kept: a suite compares the same few counts over and over. */
const keptResults = 20_000;
const results = new Map<string, number>();
/** From so many trials on both sides together Fisher's p-value is at most a seventh above Boschloo's, and stands for it. */
const manyTrials = 2000;

/**
 * Boschloo's exact test, one-sided: how probable it is at most, whatever the common pass rate, that Fisher's p-value
 * comes out as small as for these counts or smaller (Boschloo 1970). Small: `after` passes less often than `before`.
 * Never above Fisher's own p-value, so it always sees at least as much. 1 where a side has no trials.
 */
export function boschloo(before: PassRate, after: PassRate): number {
  const key = `${before.passed}/${before.of}/${after.passed}/${after.of}`;
  const known = results.get(key);
  if (known !== undefined) return known;
  if (results.size >= keptResults) results.clear();
  const given = fisher(before, after);
  const p = before.of + after.of > manyTrials ? given : largestSize(before.of, after.of, given);
  results.set(key, p);
  return p;
}

/** The largest of Fisher's p-values, for these numbers of trials, at which Boschloo's is at most `level`; 0: none is. */
export function boschlooLimit(before: number, after: number, level: number): number {
  const values = new Set<number>();
  for (let total = 0; total <= before + after; total++) {
    for (const p of tails(before, after, total)) values.add(p);
  }
  const sorted = [...values].sort((a, b) => a - b);
  let low = -1;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (largestSize(before, after, sorted[middle] ?? 1) <= level) low = middle;
    else high = middle;
  }
  return sorted[low] ?? 0;
}

/** Whether one of Fisher's p-values is at most another, but for rounding. */
export function isAtMost(p: number, limit: number): boolean {
  return p <= limit * (1 + sameShare);
}

/**
 * The probability that Fisher's p-value is at most `limit`, at the pass rate where that is largest. Given how many
 * passed in all, that probability does not depend on the rate; so it is the mean of those, weighted by how probable
 * each total is.
 */
function largestSize(before: number, after: number, limit: number): number {
  const all = before + after;
  if (before === 0 || after === 0) return 1;
  const given: number[] = [];
  for (let total = 0; total <= all; total++) given.push(tailBelow(before, after, total, limit));

  const sizeAt = (angle: number) => {
    const rate = Math.sin(angle) ** 2;
    if (rate <= 0) return given[0] ?? 0;
    if (rate >= 1) return given[all] ?? 0;
    // Eight standard deviations away nothing is left that a sum of this precision would show.
    const reach = 20 + 8 * Math.sqrt(all * rate * (1 - rate));
    const first = Math.max(0, Math.ceil(all * rate - reach));
    const last = Math.min(all, Math.floor(all * rate + reach));
    const odds = rate / (1 - rate);
    let chance = Math.exp(logChoose(all, first) + first * Math.log(rate) + (all - first) * Math.log1p(-rate));
    let size = 0;
    for (let total = first; total <= last; total++) {
      size += chance * (given[total] ?? 0);
      chance *= ((all - total) / (total + 1)) * odds;
    }
    return size;
  };
  // On the arcsine scale a binomial is about equally wide everywhere, so its peaks are found by equal steps.
  const steps = 32 + Math.ceil(16 * Math.sqrt(all));
  const width = Math.PI / 2 / steps;
  const sizes = Array.from({ length: steps + 1 }, (_, step) => sizeAt(step * width));
  let largest = 0;
  for (const [step, size] of sizes.entries()) {
    const isPeak = size >= (sizes[step - 1] ?? 0) && size >= (sizes[step + 1] ?? 0);
    if (!isPeak || size < largest * 0.9) continue;
    const from = Math.max(0, step - 1) * width;
    const to = Math.min(steps, step + 1) * width;
    largest = Math.max(largest, size, peakBetween(sizeAt, from, to));
  }
  return Math.min(1, largest);
}

/** The largest of Fisher's p-values for this total that is at most `limit`: the probability of being at most `limit`. */
function tailBelow(before: number, after: number, total: number, limit: number): number {
  let tail = 0;
  for (const p of tails(before, after, total)) {
    if (!isAtMost(p, limit)) break;
    tail = p;
  }
  return tail;
}

/** Fisher's p-values for a total, from the least that `after` can have passed on. */
function* tails(before: number, after: number, total: number): Generator<number> {
  const least = Math.max(0, total - before);
  const most = Math.min(after, total);
  let chance = hypergeometric(before, after, total, least);
  let p = 0;
  for (let passed = least; passed <= most; passed++) {
    p += chance;
    yield Math.min(1, p);
    chance *= ((after - passed) * (total - passed)) / ((passed + 1) * (before - total + passed + 1));
  }
}

/** The largest value of a function with one peak in a range, by golden section. */
function peakBetween(valueAt: (x: number) => number, from: number, to: number): number {
  const share = (Math.sqrt(5) - 1) / 2;
  let low = from;
  let high = to;
  let a = high - share * (high - low);
  let b = low + share * (high - low);
  let atA = valueAt(a);
  let atB = valueAt(b);
  for (let round = 0; round < 40; round++) {
    if (atA >= atB) {
      [high, b, atB] = [b, a, atA];
      a = high - share * (high - low);
      atA = valueAt(a);
    } else {
      [low, a, atA] = [a, b, atB];
      b = low + share * (high - low);
      atB = valueAt(b);
    }
  }
  return Math.max(atA, atB);
}

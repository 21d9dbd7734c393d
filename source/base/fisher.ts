import { logGamma, type PassRate } from './statistics.js';

/**
 * Fisher's exact test, one-sided: the probability that `after` passes as seldom as it did or more seldom, given how
 * many passed on both sides together and nothing but chance between them (Fisher 1935). 1 where a side has no trials.
 */
export function fisher(before: PassRate, after: PassRate): number {
  const total = before.passed + after.passed;
  const least = Math.max(0, total - before.of);
  let p = 0;
  for (let passed = least; passed <= after.passed; passed++) {
    p += hypergeometric(before.of, after.of, total, passed);
  }
  return Math.min(1, p);
}

/** The probability that `passed` of the `total` trials that passed are among the `after`, when all are alike. */
export function hypergeometric(before: number, after: number, total: number, passed: number): number {
  return Math.exp(
    logChoose(after, passed) + logChoose(before, total - passed) - logChoose(before + after, total),
  );
}

/** Logarithm of the number of ways to choose `k` of `n`. */
export function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const logFactorials: number[] = [0, 0];
/** Beyond this they are worked out each time rather than kept. */
const keptFactorials = 20_000;

function logFactorial(n: number): number {
  if (n > keptFactorials) return logGamma(n + 1);
  const known = logFactorials[n];
  if (known !== undefined) return known;
  for (let next = logFactorials.length; next <= n; next++) logFactorials.push(logGamma(next + 1));
  return logFactorials[n] ?? 0;
}

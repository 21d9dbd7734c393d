import { logGamma } from '../base/statistics.js';
import { toleratedFailures } from '../tally/verdict.js';
import type { PassRate } from './types.js';

/**
 * Pass rates of checks in the field, where 20 % of 51 scenarios flip between two single runs: Beta(1.33, 0.33). What is
 * believed of a check before it was ever run; its trials are added.
 */
export const fieldRates = { a: 1.33, b: 0.33 } as const;

/**
 * How probable it is that a gate without confirmation goes red with nothing changed: that any of these hard checks does
 * worse than its base, in as many trials as the candidate has. Rates are not known but believed, from the field and the
 * base's own trials. Checks of one scenario are taken as independent, which makes it a little too high.
 */
export function falseRedRate(checks: readonly { from: PassRate; to: PassRate }[]): number {
  let quiet = 1;
  for (const { from, to } of checks) {
    const a = fieldRates.a + from.passed;
    const b = fieldRates.b + from.of - from.passed;
    // A base that never failed is violated by one failure; another one only by a verdict that is worse.
    const tolerated = from.passed === from.of ? 0 : toleratedFailures(to.of);
    let holds = 0;
    for (let failed = 0; failed <= Math.min(tolerated, to.of); failed++)
      holds += betaBinomial(to.of, to.of - failed, a, b);
    quiet *= Math.min(1, holds);
  }
  return 1 - quiet;
}

/** The probability of `passed` of `trials` when the rate is Beta(a, b). */
function betaBinomial(trials: number, passed: number, a: number, b: number): number {
  const logBeta = (x: number, y: number) => logGamma(x) + logGamma(y) - logGamma(x + y);
  const ways = logGamma(trials + 1) - logGamma(passed + 1) - logGamma(trials - passed + 1);
  return Math.exp(ways + logBeta(a + passed, b + trials - passed) - logBeta(a, b));
}

import type { PassRate } from '../base/statistics.js';
import { toleratedFailures } from '../tally/verdict.js';
import { type BelievedRates, logProbability } from './fit-rates.js';

/**
 * How probable it is that a gate without confirmation goes red with nothing changed: that any of these hard checks does
 * worse than its base, in as many trials as the candidate has. Rates are not known but believed, from what the checks of
 * the suite do and the base's own trials. Checks of one scenario are taken as independent, which makes it a little too
 * high.
 */
export function falseRedRate(
  checks: readonly { from: PassRate; to: PassRate; believed: BelievedRates }[],
): number {
  let quiet = 1;
  for (const { from, to, believed } of checks) {
    const rates = { a: believed.a + from.passed, b: believed.b + from.of - from.passed };
    // A base that never failed is violated by one failure; another one only by a verdict that is worse.
    const tolerated = from.passed === from.of ? 0 : toleratedFailures(to.of);
    let holds = 0;
    for (let failed = 0; failed <= Math.min(tolerated, to.of); failed++)
      holds += Math.exp(logProbability({ passed: to.of - failed, of: to.of }, rates));
    quiet *= Math.min(1, holds);
  }
  return 1 - quiet;
}

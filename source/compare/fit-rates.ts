import { logChoose } from '../base/fisher.js';
import { logGamma, type PassRate } from '../base/statistics.js';

/** What is believed of a check of which nothing was seen: a Beta distribution of pass rates. */
export interface BelievedRates {
  a: number;
  b: number;
}

/** Pass rates of checks in the field, where 20 % of 51 scenarios flip between two single runs. */
export const fieldRates: BelievedRates = { a: 1.33, b: 0.33 };

/**
 * What is believed of each check of a suite before its own trials. What must never happen is written to hardly ever
 * happen: absolute checks say little of the others, and each kind is believed what checks of that kind did.
 */
export function believedRates(
  checks: readonly { absolute: boolean; seen: PassRate }[],
): (isAbsolute: boolean) => BelievedRates {
  const fitted = (isAbsolute: boolean) =>
    fitRates(checks.filter(({ absolute }) => absolute === isAbsolute).map(({ seen }) => seen));
  const rates = { absolute: fitted(true), other: fitted(false) };
  return (isAbsolute) => (isAbsolute ? rates.absolute : rates.other);
}

/** As many checks of the field are taken in as seen: enough for a suite of a few checks, and little for a large one. */
const fieldChecks = 1;
/** Trials of that check at most: baselines count thousands, and each number that could have passed is gone through. */
const mostFieldTrials = 100;

const means = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999];
const weights = [0.1, 0.2, 0.5, 1, 2, 4, 8, 16];

/**
 * The pass rates that the checks of a suite have, learned from all of them: the Beta distribution under which what they
 * did is most probable (empirical Bayes, the beta-binomial by maximum likelihood on a grid), with one check of the
 * field beside them. A suite whose checks hardly ever fail says of one that always passed that it hardly ever will.
 */
export function fitRates(seen: readonly PassRate[]): BelievedRates {
  const counts = new Map<string, PassRate & { checks: number }>();
  const add = ({ passed, of }: PassRate, checks: number) => {
    const key = `${passed}/${of}`;
    counts.set(key, { passed, of, checks: (counts.get(key)?.checks ?? 0) + checks });
  };
  for (const one of seen) add(one, 1);
  const most = seen.reduce((so, { of }) => Math.min(mostFieldTrials, Math.max(so, of)), 0);
  for (let passed = 0; passed <= most; passed++)
    add({ passed, of: most }, fieldChecks * Math.exp(logProbability({ passed, of: most }, fieldRates)));
  let best: BelievedRates = fieldRates;
  let highest = Number.NEGATIVE_INFINITY;
  for (const mean of means) {
    for (const weight of weights) {
      const rates = { a: mean * weight, b: (1 - mean) * weight };
      let likelihood = 0;
      for (const { checks, ...count } of counts.values()) likelihood += checks * logProbability(count, rates);
      if (likelihood > highest) {
        highest = likelihood;
        best = rates;
      }
    }
  }
  return best;
}

/** Logarithm of the probability of these trials under rates of this distribution (the beta-binomial). */
export function logProbability({ passed, of }: PassRate, { a, b }: BelievedRates): number {
  return logChoose(of, passed) + logBeta(a + passed, b + of - passed) - logBeta(a, b);
}

function logBeta(x: number, y: number): number {
  return logGamma(x) + logGamma(y) - logGamma(x + y);
}

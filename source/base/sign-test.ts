import { incompleteBeta } from './statistics.js';

/**
 * The sign test, one-sided: the probability that at least `worse` of `better + worse` pairs turn out worse when each is
 * as likely to turn out better (Arbuthnott 1710; pairs that are equal say nothing and are left out). 1 without pairs.
 */
export function signTest(better: number, worse: number): number {
  // P(X >= w) of a binomial with rate 1/2 is I_1/2(w, n - w + 1).
  return worse === 0 ? 1 : incompleteBeta(0.5, worse, better + 1);
}

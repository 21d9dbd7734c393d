/** Passed trials (a warn trial counts as one) of all graded ones. */
export interface PassRate {
  passed: number;
  of: number;
}

/** The ends of an interval, as shares from 0 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * Jeffreys interval of a rate: the quantiles of Beta(passed + ½, failed + ½), with the ends set to 0 and 1 at
 * 0/k and k/k (Brown, Cai and DasGupta 2001). `level` is the probability inside, both tails equal.
 * With no trials nothing is known: 0 to 1.
 */
export function jeffreysInterval(passed: number, of: number, level = 0.95): Interval {
  if (!Number.isInteger(passed) || !Number.isInteger(of) || passed < 0 || passed > of) {
    throw new RangeError(`${passed} of ${of} is not a rate`);
  }
  if (of === 0) return { low: 0, high: 1 };
  const tail = (1 - level) / 2;
  const a = passed + 0.5;
  const b = of - passed + 0.5;
  return {
    low: passed === 0 ? 0 : inverseBeta(tail, a, b),
    high: passed === of ? 1 : inverseBeta(1 - tail, a, b),
  };
}

/**
 * Probability that two trials of the same rate disagree, 2p(1-p), with the 95 % interval that its trials leave. Throws
 * RangeError without a trial.
 */
export function flipRate({ passed, of }: PassRate): { rate: number; interval: Interval } {
  if (of === 0) throw new RangeError('no trial was graded: nothing is known of how often two disagree');
  const flip = (rate: number) => 2 * rate * (1 - rate);
  const { low, high } = jeffreysInterval(passed, of);
  // The flip rate is largest in the middle: an interval that holds 1/2 reaches up to it.
  const ends = [flip(low), flip(high)];
  return {
    rate: flip(passed / of),
    interval: { low: Math.min(...ends), high: low <= 0.5 && high >= 0.5 ? 0.5 : Math.max(...ends) },
  };
}

/** Lanczos approximation with g = 7 and nine terms; about 15 significant digits for x > 0. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma(${x}): the argument must be above 0`);
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  let sum = lanczosFirst;
  lanczosTerms.forEach((term, i) => {
    sum += term / (shifted + i + 1);
  });
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

const lanczosFirst = 0.99999999999980993;
const lanczosTerms = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/**
 * Regularised incomplete beta function I_x(a, b): the probability that a Beta(a, b) value is at most x.
 * By its continued fraction (modified Lentz), mirrored where that converges faster.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  return betaBelow(x, a, b, logGamma(a + b) - logGamma(a) - logGamma(b));
}

/** `incompleteBeta`; `logScale` is -ln B(a, b), which is the same for every x. */
function betaBelow(x: number, a: number, b: number, logScale: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logScale + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return result;
}

/** The x at which `incompleteBeta(x, a, b)` is `p`, by bisection: slower than Newton and never astray. */
export function inverseBeta(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b);
  let low = 0;
  let high = 1;
  // 200 halvings would reach 1e-60; it ends once the middle cannot move any more.
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (betaBelow(middle, a, b, logScale) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

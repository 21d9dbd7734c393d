import type { Random } from './random.js';

/** A value of the standard normal distribution (Box and Muller 1958). */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A value of Beta(a, b), from two gamma values; `a` and `b` above 0. */
export function drawBeta(random: Random, a: number, b: number): number {
  const x = drawGamma(random, a);
  const y = drawGamma(random, b);
  return x + y === 0 ? 0.5 : x / (x + y);
}

/** How many of `trials` pass at a rate. */
export function drawPassed(random: Random, trials: number, rate: number): number {
  let passed = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < rate) passed++;
  return passed;
}

/** A value of Gamma(shape, 1) (Marsaglia and Tsang 2000). */
function drawGamma(random: Random, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random.next();
    if (Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

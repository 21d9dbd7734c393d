/**
 * Evidence for pass rates that nobody knows: likelihoods integrated over a grid of rates under their priors.
 * Counts of trials are given as passed and failed. Weights carry a factor of 2 a trial, the same for all
 * hypotheses, so that long sessions do not run out of small numbers.
 */

/** Passes and fails of trials. */
export interface Counts {
  passed: number;
  failed: number;
}

/** How well a hypothesis explains the trials, and the pass rates it expects by how many of its hunks are applied. */
export interface LevelEvidence {
  weight: number;
  levels: readonly number[];
}

export interface RatePriors {
  /** Beta prior of the pass rate without the guilty hunks. */
  good: readonly [number, number];
  /** The same with them. */
  bad: readonly [number, number];
  /** The smallest drop that is looked for. */
  smallestDrop: number;
  /** Where the prompt is not the cause there is one rate: this share of its prior is uniform, the rest that of the good rate. */
  uniformShare: number;
  /**
   * What is known of just the good prompt from before, never from the runs that raised the flag. Counts half, and as ten
   * trials at the most.
   */
  history?: Counts;
}

export interface RateModel {
  /** One rate whatever is applied. */
  constant(all: Counts): LevelEvidence;
  /** A good rate on some trials, a bad one on the rest. */
  twoLevels(good: Counts, bad: Counts): LevelEvidence;
  /** A rate that falls in equal steps: `at[c]` are the trials with c of the guilty hunks applied. Two to four hunks. */
  steps(at: readonly Counts[]): LevelEvidence;
}

const size = 21;
const grid = Float64Array.from({ length: size }, (_, index) => inside(index / (size - 1)));
const historyWeight = 0.5;
/**
 * What was true of 200 trials last month may be five points off today: by simulation that history costs seven right answers
 * in a hundred when it counts for half of them, and none when it counts for ten.
 */
const mostHistory = 10;

/** Rates of 0 and 1 would make one odd trial a proof. */
function inside(rate: number): number {
  return Math.min(0.99, Math.max(0.01, rate));
}

/** Powers of the doubled rates and of their complements, one row a rate. */
interface Powers {
  stride: number;
  passed: Float64Array;
  failed: Float64Array;
}

const known = new Map<number, Powers>();

/** Powers for a grid with `parts` times as many steps, for counts up to `most`; kept, and made anew when they get too short. */
function powersOf(parts: number, most: number): Powers {
  const before = known.get(parts);
  if (before && before.stride > most) return before;
  const stride = Math.max(128, 2 ** Math.ceil(Math.log2(most + 1)));
  const points = parts * (size - 1) + 1;
  const passed = new Float64Array(points * stride);
  const failed = new Float64Array(points * stride);
  for (let point = 0; point < points; point++) {
    const rate = inside(point / (points - 1));
    let p = 1;
    let q = 1;
    for (let count = 0; count < stride; count++) {
      passed[point * stride + count] = p;
      failed[point * stride + count] = q;
      p *= 2 * rate;
      q *= 2 * (1 - rate);
    }
  }
  const powers = { stride, passed, failed };
  known.set(parts, powers);
  return powers;
}

function betaOnGrid([a, b]: readonly [number, number]): Float64Array {
  const weights = grid.map((rate) => rate ** (a - 1) * (1 - rate) ** (b - 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function withHistory([a, b]: readonly [number, number], { passed, failed }: Counts): [number, number] {
  const weight = Math.min(historyWeight, mostHistory / Math.max(1, passed + failed));
  return [a + weight * passed, b + weight * failed];
}

/** The evidence of trials for one rate, two rates or rates in steps, under these priors. */
export function createRateModel(priors: RatePriors): RateModel {
  const { history, smallestDrop, uniformShare } = priors;
  const unknownGood = betaOnGrid(priors.good);
  const good = history ? betaOnGrid(withHistory(priors.good, history)) : unknownGood;
  const bad = betaOnGrid(priors.bad);
  const single = unknownGood.map((weight) => uniformShare / size + (1 - uniformShare) * weight);
  /** Per good rate, how many of the bad rates are far enough below it. */
  const below = Int32Array.from(
    grid,
    (rate) => grid.filter((other) => other <= rate - smallestDrop + 1e-9).length,
  );
  const mass = (step: number) => {
    let sum = 0;
    for (let g = step - 1; g < size; g += step)
      for (let b = step - 1; b < at(below, g); b += step) sum += at(good, g) * at(bad, b);
    return sum;
  };
  const masses = [mass(1), mass(2)] as const;

  function constant({ passed, failed }: Counts): LevelEvidence {
    const powers = powersOf(1, Math.max(passed, failed));
    let weight = 0;
    let mean = 0;
    for (let g = 0; g < size; g++) {
      const row = g * powers.stride;
      const each = at(single, g) * at(powers.passed, row + passed) * at(powers.failed, row + failed);
      weight += each;
      mean += each * at(grid, g);
    }
    return { weight, levels: [weight > 0 ? mean / weight : 0.5] };
  }

  function twoLevels(up: Counts, down: Counts): LevelEvidence {
    const powers = powersOf(1, Math.max(up.passed, up.failed, down.passed, down.failed));
    let weight = 0;
    let goodMean = 0;
    let badMean = 0;
    // The bad rates that a good rate allows are those that the one before allowed, and more: sums run along.
    let low = 0;
    let lowMean = 0;
    let b = 0;
    for (let g = 0; g < size; g++) {
      for (; b < at(below, g); b++) {
        const row = b * powers.stride;
        const each = at(bad, b) * at(powers.passed, row + down.passed) * at(powers.failed, row + down.failed);
        low += each;
        lowMean += each * at(grid, b);
      }
      const row = g * powers.stride;
      const each = at(good, g) * at(powers.passed, row + up.passed) * at(powers.failed, row + up.failed);
      weight += each * low;
      goodMean += each * low * at(grid, g);
      badMean += each * lowMean;
    }
    if (!(weight > 0)) return { weight: 0, levels: [0.9, 0.3] };
    return { weight: weight / masses[0], levels: [goodMean / weight, badMean / weight] };
  }

  const goodSide = new Float64Array(size);
  const badSide = new Float64Array(size);

  function steps(counts: readonly Counts[]): LevelEvidence {
    const parts = counts.length - 1;
    const { stride, passed, failed } = powersOf(parts, mostOf(counts));
    const likelihood = (point: number, count: number) => {
      const { passed: up, failed: down } = counts[count] as Counts;
      return at(passed, point * stride + up) * at(failed, point * stride + down);
    };
    // Every second rate is enough for the larger sets.
    const step = parts > 2 ? 2 : 1;
    for (let index = step - 1; index < size; index += step) {
      goodSide[index] = at(good, index) * likelihood(parts * index, 0);
      badSide[index] = at(bad, index) * likelihood(parts * index, parts);
    }
    let weight = 0;
    let goodMean = 0;
    let badMean = 0;
    for (let g = step - 1; g < size; g += step) {
      for (let b = step - 1; b < at(below, g); b += step) {
        let each = at(goodSide, g) * at(badSide, b);
        for (let c = 1; c < parts; c++) each *= likelihood((parts - c) * g + c * b, c);
        weight += each;
        goodMean += each * at(grid, g);
        badMean += each * at(grid, b);
      }
    }
    const [top, bottom] = weight > 0 ? [goodMean / weight, badMean / weight] : [0.9, 0.3];
    const levels = counts.map((_, c) => (top * (parts - c) + bottom * c) / parts);
    return { weight: weight / masses[step === 1 ? 0 : 1], levels };
  }

  return { constant, twoLevels, steps };
}

function mostOf(counts: readonly Counts[]): number {
  let most = 0;
  for (const { passed, failed } of counts) most = Math.max(most, passed, failed);
  return most;
}

/** An element of an array that is known to be there. */
function at(array: Float64Array | Int32Array, index: number): number {
  return array[index] as number;
}

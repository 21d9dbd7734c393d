/** What was measured of one case on two sides. */
export interface Stratum {
  before: readonly number[];
  after: readonly number[];
}

/**
 * Permutation test of several cases, one-sided: how probable it is that all that was measured after comes out as small
 * in sum as it did, or smaller, if it is chance alone which of a case's values came before and which after. Values are
 * exchanged within their case only (Fisher 1935, Pitman 1937). Exact for one case; of several the sum is taken as normal.
 * Cases that stand together were measured on the same trials, and are taken to move as one: else one unlucky trial would
 * count as many. 1 where nothing can be told apart.
 */
export function permutationTest(together: readonly (readonly Stratum[])[]): number {
  const told = together
    .map((cases) => cases.filter(({ before, after }) => before.length > 0 && after.length > 0))
    .filter((cases) => cases.length > 0);
  const [only, second] = told.flat();
  if (!only) return 1;
  if (!second) return exactTest(only);
  let fall = 0;
  let variance = 0;
  for (const cases of told) {
    let deviation = 0;
    for (const one of cases) {
      const moments = momentsOf(one);
      fall += moments.expected - sumOf(one.after);
      deviation += Math.sqrt(moments.variance);
    }
    variance += deviation ** 2;
  }
  return variance <= 0 ? 1 : normalTail(fall / Math.sqrt(variance));
}

/** Mean and variance of the sum of `after`, drawn without replacement from all values of the case. */
function momentsOf({ before, after }: Stratum): { expected: number; variance: number } {
  const all = [...before, ...after];
  const mean = sumOf(all) / all.length;
  const spread = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1);
  return {
    expected: after.length * mean,
    variance: (spread * after.length * before.length) / all.length,
  };
}

function exactTest({ before, after }: Stratum): number {
  // The smaller side has fewer sums to go through; what it lacks the other one has.
  const isAfter = after.length <= before.length;
  const drawn = isAfter ? after : before;
  const ways = waysToSum([...before, ...after], drawn.length);
  const seen = sumOf(drawn.map(keyOf));
  let all = 0;
  let extreme = 0;
  for (const [sum, count] of ways) {
    all += count;
    if (isAfter ? sum <= seen : sum >= seen) extreme += count;
  }
  return Math.min(1, extreme / all);
}

/** In how many ways `drawn` of the values come to each sum; sums are keys of `keyOf`. */
function waysToSum(values: readonly number[], drawn: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const value of values) times.set(keyOf(value), (times.get(keyOf(value)) ?? 0) + 1);
  let ways: Map<number, number>[] = Array.from({ length: drawn + 1 }, () => new Map());
  ways[0]?.set(0, 1);
  for (const [value, copies] of times) {
    const next: Map<number, number>[] = Array.from({ length: drawn + 1 }, () => new Map());
    for (const [taken, sums] of ways.entries()) {
      let choices = 1;
      for (let more = 0; more <= copies && taken + more <= drawn; more++) {
        const target = next[taken + more];
        for (const [sum, count] of sums) {
          const reached = sum + more * value;
          target?.set(reached, (target.get(reached) ?? 0) + count * choices);
        }
        choices *= (copies - more) / (more + 1);
      }
    }
    ways = next;
  }
  return ways[drawn] ?? new Map();
}

/** A value as a whole number, so that equal sums are equal whichever way they were added up. */
function keyOf(value: number): number {
  return Math.round(value * 1000);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The probability of a standard normal value above `z` (Abramowitz and Stegun 7.1.26, within 1.5e-7). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (series * Math.exp(-x * x)) / 2;
}

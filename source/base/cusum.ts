/** What values are held against: their mean and standard deviation while nothing was wrong. */
export interface CusumReference {
  mean: number;
  sd: number;
}

/** How far values have fallen below their reference, added up. */
export interface Cusum {
  /** After each value, in standard deviations; 0 or more. */
  sums: number[];
  /** Index of the first value at which the sum is above the threshold; undefined: it never was. */
  alarm: number | undefined;
}

/**
 * One-sided CUSUM for a fall (Page 1954): each value adds what it lies below the mean by more than `slack`, in standard
 * deviations, and takes away what it lies above that; never below 0. Small moves that go on add up, single ones are
 * forgotten. With slack 0.5 and threshold 5 a fall by one standard deviation is found in about ten values.
 * A reference that never moved (sd 0) is taken to move by `leastSd`.
 */
export function cusum(
  values: readonly number[],
  { mean, sd }: CusumReference,
  {
    slack = 0.5,
    threshold = 5,
    leastSd = 1e-9,
  }: { slack?: number; threshold?: number; leastSd?: number } = {},
): Cusum {
  const unit = Math.max(sd, leastSd);
  const sums: number[] = [];
  let sum = 0;
  for (const value of values) {
    sum = Math.max(0, sum + (mean - value) / unit - slack);
    sums.push(sum);
  }
  const alarm = sums.findIndex((each) => each > threshold);
  return { sums, alarm: alarm === -1 ? undefined : alarm };
}

/** Mean and standard deviation (n - 1) of the values that others are to be held against; undefined of fewer than two. */
export function cusumReference(values: readonly number[]): CusumReference | undefined {
  if (values.length < 2) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

/** Scores closer to each other than this look alike: a line that fills its height with noise would cry wolf. */
const leastSpan = 0.1;

/**
 * The newest scores, 0 to 1, as one sign each, `signs` from low to high. The highest of them reaches the top; what lies
 * ten points or more below it, or is the lowest of wider ones, is at the bottom.
 */
export function sparkLine(scores: readonly number[], width: number, signs: readonly string[]): string {
  const shown = width > 0 ? scores.slice(-width) : [];
  const high = Math.max(...shown);
  const low = Math.min(high - leastSpan, ...shown);
  return shown
    .map((score) => signs[Math.round(((score - low) / (high - low)) * (signs.length - 1))] ?? '')
    .join('');
}

import type { CheckVerdict } from '../types.js';

/** Verdicts that a case is given, when the suite does not say otherwise. */
const verdictsOfCase = 3;

/**
 * How many verdicts each trial's judged checks ask for: one a trial where there are as many trials as a case needs
 * verdicts, else all of them on every trial, so that each trial's own verdict is a median (design: judged scores).
 * `verdicts`: what the suite says a case needs.
 */
export function verdictsPerTrial(trials: number, verdicts = verdictsOfCase): number {
  return trials >= verdicts ? 1 : verdicts;
}

/**
 * The verdict of several yes or no: pass when more than half of all that were asked for pass, so that a tie is none,
 * and fail when the unknown ones could no longer make it so. Else it is unknown: an abstention is never left out of
 * the count, where a minority could win.
 */
export function majority(passes: readonly (boolean | undefined)[]): CheckVerdict {
  const yes = passes.filter((pass) => pass === true).length;
  const open = passes.filter((pass) => pass === undefined).length;
  if (yes * 2 > passes.length) return 'pass';
  return (yes + open) * 2 <= passes.length ? 'fail' : 'unknown';
}

/**
 * The median of several scores of 1 to 5 against the one that is needed. Unknown scores could be anything: where
 * their best and their worst case give the same verdict that is it, and the score is the median of those that are
 * known; else it is unknown.
 */
export function medianVerdict(
  scores: readonly (number | undefined)[],
  needed: number,
): { verdict: CheckVerdict; score?: number } {
  const known = scores.filter((score) => score !== undefined);
  const open = scores.length - known.length;
  if (known.length === 0) return { verdict: 'unknown' };
  const worst = median([...known, ...new Array<number>(open).fill(1)]) >= needed;
  const best = median([...known, ...new Array<number>(open).fill(5)]) >= needed;
  if (worst !== best) return { verdict: 'unknown' };
  return { verdict: worst ? 'pass' : 'fail', score: median(known) };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

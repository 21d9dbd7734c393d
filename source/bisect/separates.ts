import { fisher } from '../base/fisher.js';
import type { PassRate } from '../base/statistics.js';

/**
 * Two trials each that all pass and all fail are one chance in six where nothing differs: what is less clear than that
 * is not said to be apart.
 */
const mostByChance = 1 / 6;

/** Whether the good end passes so much more often than the bad one that they are told apart, by Fisher's exact test. */
export function separates(good: PassRate, bad: PassRate): boolean {
  return fisher(good, bad) <= mostByChance + 1e-9;
}

import { hypergeometric } from '../base/fisher.js';
import { signTest } from '../base/sign-test.js';
import type { PassRate } from '../base/statistics.js';
import type { Comparison } from './types.js';

/** Passed and graded trials of one scenario, its checks added up, on both sides. */
export interface ScenarioRates {
  from: PassRate;
  to: PassRate;
}

/**
 * The sign test over scenarios: sees a small drop over the whole suite that no single check shows. Where one side has
 * more trials, it is compared as a draw of as many as the other has, all draws weighed by how probable they are: else
 * a base of 20 trials at 0.98 would look worse than a lucky 3 of 3 almost every time. `better` and `worse` are then
 * expected numbers, rounded.
 */
export function compareSigns(scenarios: readonly ScenarioRates[]): Comparison['sign'] {
  let better = 0;
  let worse = 0;
  for (const { from, to } of scenarios) {
    if (from.of === 0 || to.of === 0) continue;
    const trials = Math.min(from.of, to.of);
    const before = thinned(from, trials);
    const after = thinned(to, trials);
    for (const [passed, chance] of before) {
      for (const [now, other] of after) {
        if (now > passed) better += chance * other;
        if (now < passed) worse += chance * other;
      }
    }
  }
  const rounded = { better: Math.round(better), worse: Math.round(worse) };
  return { ...rounded, p: signTest(rounded.better, rounded.worse) };
}

/** How many of `trials` drawn trials passed, and how probable that is. */
function thinned({ passed, of }: PassRate, trials: number): [passed: number, chance: number][] {
  if (of === trials) return [[passed, 1]];
  const draws: [number, number][] = [];
  for (let drawn = Math.max(0, trials - (of - passed)); drawn <= Math.min(trials, passed); drawn++) {
    draws.push([drawn, hypergeometric(of - trials, trials, passed, drawn)]);
  }
  return draws;
}

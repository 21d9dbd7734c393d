import { boschlooLimit, isAtMost } from './boschloo.js';
import { fisher, logChoose } from './fisher.js';

/** Beyond this many trials a side nobody repeats a scenario. */
const mostTrials = 100;

const power = 0.8;
const level = 0.05;

/**
 * The fewest trials a side with which Boschloo's test at 5 % finds a fall of the pass rate from `from` to `to` in 80 %
 * of cases. Undefined where the rate does not fall, and where more than 100 would be needed.
 */
export function trialsNeeded(from: number, to: number): number | undefined {
  if (!(from > to)) return undefined;
  for (let trials = firstGuess(from, to); trials <= mostTrials; trials++) {
    if (powerOf(trials, from, to) >= power) return trials;
  }
  return undefined;
}

/** How often Boschloo's test at 5 % finds a fall from `from` to `to` with this many trials a side. */
export function powerOf(trials: number, from: number, to: number): number {
  const falls = Array.from({ length: trials + 1 }, (_, passed) => binomial(trials, passed, to));
  let found = 0;
  let below = 0;
  let next = 0;
  for (const [before, most] of mostPassed(trials).entries()) {
    // What still counts as a fall never shrinks with what passed before.
    for (; next <= most; next++) below += falls[next] ?? 0;
    if (below > 0) found += binomial(trials, before, from) * below;
  }
  return found;
}

const known = new Map<number, number[]>();

/** For each number that passed before: on how many of as many trials the test still finds a fall; -1: on none. */
function mostPassed(trials: number): number[] {
  const kept = known.get(trials);
  if (kept) return kept;
  const limit = boschlooLimit(trials, trials, level);
  const most: number[] = [];
  for (let before = 0; before <= trials; before++) {
    let after = most.at(-1) ?? -1;
    while (
      after < before &&
      isAtMost(fisher({ passed: before, of: trials }, { passed: after + 1, of: trials }), limit)
    )
      after++;
    most.push(after);
  }
  known.set(trials, most);
  return most;
}

/** The probability that `passed` of `trials` pass. */
function binomial(trials: number, passed: number, rate: number): number {
  if (rate <= 0) return passed === 0 ? 1 : 0;
  if (rate >= 1) return passed === trials ? 1 : 0;
  return Math.exp(
    logChoose(trials, passed) + passed * Math.log(rate) + (trials - passed) * Math.log1p(-rate),
  );
}

/** A number that is surely too small, so that those below are not tried in vain: 0.9 of the normal approximation. */
function firstGuess(from: number, to: number): number {
  const spread = from * (1 - from) + to * (1 - to);
  const trials = (1.645 + 0.842) ** 2 * (spread / (from - to) ** 2);
  return Math.max(1, Math.floor(0.9 * trials));
}

import { drawBeta } from '../base/draws.js';
import { createRandom, type Random } from '../base/random.js';
import { flipRate, type Interval, type PassRate } from '../base/statistics.js';
import type { GateSettings } from '../project/gate-settings.js';
import { type BelievedRates, believedRates } from './fit-rates.js';
import { type SimulatedCheck, simulateGate } from './simulate.js';
import type { CriterionKey, Evidence } from './types.js';

/** How a check behaved when the same condition was run twice. */
export interface NoisyCheck extends CriterionKey {
  /** Of both runs. */
  passed: number;
  of: number;
  /** Its verdict was not the same in both. */
  isFlipped: boolean;
  /** Probability that two trials disagree, 2p(1-p) of its pass rate, with the 95 % interval that its trials leave. */
  flipRate: number;
  flipInterval: Interval;
}

/** What a suite does when nothing has changed, and what its gate can see through that. */
export interface NoiseFloor {
  /** Checks that disagreed with themselves between the two runs or between trials, the noisiest first. */
  noisy: NoisyCheck[];
  /** Criteria that were graded in both runs, and those of them whose verdict flipped. */
  checks: number;
  flipped: number;
  /** Probability that the gate goes red with nothing changed. Hard criteria only: scores are not drawn. */
  falseRed: number;
  /**
   * The smallest drop of a hard criterion's pass rate, 0 to 1, that the gate goes red over in 80 % of runs, a criterion
   * that passes now taken at random; not set where it misses even a fall to nothing.
   */
  smallestDrop?: number;
  /** Runs that were drawn for each of these figures. */
  draws: number;
}

const sought = 0.8;
/** Drops that are tried, in shares. */
const step = 0.05;

/**
 * The noise floor of a suite, from two runs of the same condition (A/A). What the gate would do is drawn: rates of the
 * checks from what is believed of them, which is what all checks of the suite do and its own trials of both runs; then the
 * gate itself judges. The same seed gives the same figures. `repeat`: trials a scenario of the runs that the gate is to judge.
 */
export function noiseFloor(
  first: Evidence,
  second: Evidence,
  settings: GateSettings,
  {
    repeat = first.repeat,
    draws = 400,
    seed = 'noise floor',
  }: { repeat?: number; draws?: number; seed?: string } = {},
): NoiseFloor {
  const pairs = pairsOf(first, second);
  const noisy = pairs.flatMap(({ scenario, check, pooled, isFlipped }) =>
    isFlipped || (pooled.passed > 0 && pooled.passed < pooled.of)
      ? [{ scenario, check, ...pooled, isFlipped, ...flipRateOf(pooled) }]
      : [],
  );
  const hard = pairs.filter(({ isHard }) => isHard);
  const rates = believedRates(hard.map(({ absolute, pooled }) => ({ absolute, seen: pooled })));
  const believed = ({ absolute }: Pair) => rates(absolute);
  let red = 0;
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(seed, 'nothing changed', draw);
    const checks = hard.map((pair) => drawnCheck(pair, drawRate(random, pair.pooled, believed(pair)), 0));
    if (simulateGate(checks, repeat, settings, random).blocking.length > 0) red++;
  }
  const smallestDrop = findSmallestDrop(hard, repeat, settings, { draws, seed, believed });
  return {
    noisy: noisy.sort((a, b) => b.flipRate - a.flipRate),
    checks: pairs.length,
    flipped: pairs.filter(({ isFlipped }) => isFlipped).length,
    falseRed: draws === 0 ? 0 : red / draws,
    ...(smallestDrop !== undefined && { smallestDrop }),
    draws,
  };
}

interface Pair extends CriterionKey {
  absolute: boolean;
  isHard: boolean;
  isFlipped: boolean;
  pooled: PassRate;
}

function pairsOf(first: Evidence, second: Evidence): Pair[] {
  return [...first.scenarios.values()].flatMap((scenario) =>
    [...scenario.checks.values()].flatMap((one) => {
      const other = second.scenarios.get(scenario.id)?.checks.get(one.id);
      if (!other || one.of === 0 || other.of === 0) return [];
      return [
        {
          scenario: scenario.id,
          check: one.id,
          absolute: one.absolute,
          isHard: one.kind === 'hard',
          isFlipped: one.verdict !== other.verdict,
          pooled: { passed: one.passed + other.passed, of: one.of + other.of },
        },
      ];
    }),
  );
}

function flipRateOf(pooled: PassRate): Pick<NoisyCheck, 'flipRate' | 'flipInterval'> {
  const { rate, interval } = flipRate(pooled);
  return { flipRate: rate, flipInterval: interval };
}

function drawRate(random: Random, { passed, of }: PassRate, { a, b }: BelievedRates): number {
  return drawBeta(random, a + passed, b + of - passed);
}

function drawnCheck({ scenario, check, absolute, pooled }: Pair, rate: number, drop: number): SimulatedCheck {
  return { scenario, check, absolute, base: pooled, from: rate, to: Math.max(0, rate - drop) };
}

/** One criterion falls while the others stay: how often that is seen, for one drop after the other. */
function findSmallestDrop(
  hard: readonly Pair[],
  repeat: number,
  settings: GateSettings,
  { draws, seed, believed }: { draws: number; seed: string; believed: (pair: Pair) => BelievedRates },
): number | undefined {
  const passing = hard.filter(({ pooled }) => pooled.passed * 2 > pooled.of);
  if (passing.length === 0) return undefined;
  for (let steps = 1; steps * step <= 1 + 1e-9; steps++) {
    let seen = 0;
    for (let draw = 0; draw < draws; draw++) {
      const random = createRandom(seed, 'drop', steps, draw);
      const fallen = passing[Math.floor(random.next() * passing.length)];
      if (!fallen) continue;
      // The others are left out: they only make the test a little stricter.
      const check = drawnCheck(fallen, drawRate(random, fallen.pooled, believed(fallen)), steps * step);
      if (simulateGate([check], repeat, settings, random).blocking.length > 0) seen++;
    }
    if (seen >= sought * draws) return Math.round(steps * step * 100) / 100;
  }
  return undefined;
}

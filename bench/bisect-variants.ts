/**
 * What a hint, a history and two trials at once do to a bisect, held against the same bisects without: the same seeds,
 * the same guilty hunks. For `npm run bench -- bisect`.
 */

import { type Simulation, simulateBisect, type Truth } from '../source/bisect/simulate.js';

type Plain = Omit<Simulation, 'seed' | 'parallel' | 'history' | 'weights'>;

interface Variant {
  name: string;
  more: Pick<Simulation, 'parallel' | 'history' | 'weights'>;
  /** Trials at the most, over those without. */
  trials: number;
  /** Rounds at the most, over those without. */
  rounds?: number;
}

/** As much as one hunk may be more suspicious than another, see `bisect/weights.ts`. */
const suspicion = 3;

/** The hunks that so many places after a guilty one are suspected: 0 is the guilty one itself. */
function suspects(hunks: number, ...places: number[]): Variant['more'] {
  return {
    weights: ({ guilty: [first = 0] }: Truth) =>
      Array.from({ length: hunks }, (_, hunk) =>
        places.includes((hunk - first + hunks) % hunks) ? suspicion : 1,
      ),
  };
}

function variantsOf({ hunks, rates: { good } }: Plain): Variant[] {
  return [
    { name: 'the guilty hunk is suspected', more: suspects(hunks, 0), trials: 1 },
    { name: 'so are three innocent ones', more: suspects(hunks, 0, 1, 2, 3), trials: 1 },
    { name: 'one innocent hunk is suspected', more: suspects(hunks, 1), trials: 1.2 },
    { name: 'four innocent ones are', more: suspects(hunks, 1, 2, 3, 4), trials: 1.2 },
    {
      name: 'a history of 200 trials',
      more: { history: { passed: 200 * good, failed: 200 * (1 - good) } },
      trials: 1.05,
    },
    { name: 'a history that is too good', more: { history: { passed: 200, failed: 0 } }, trials: 1.1 },
    { name: 'two trials at once', more: { parallel: 2 }, trials: 1.15, rounds: 0.65 },
  ];
}

const plain: readonly Plain[] = [
  { strategy: 'auto', guilty: 'single', hunks: 16, rates: { good: 0.95, bad: 0.3 } },
  { strategy: 'auto', guilty: 'single', hunks: 16, rates: { good: 0.9, bad: 0.5 } },
  { strategy: 'guided', guilty: 'single', hunks: 16, rates: { good: 0.95, bad: 0.3 } },
];

interface Means {
  right: number;
  innocent: number;
  trials: number;
  rounds: number;
}

function play(simulation: Omit<Simulation, 'seed'>, bisects: number): Means {
  const means = { right: 0, innocent: 0, trials: 0, rounds: 0 };
  for (let index = 0; index < bisects; index++) {
    const { ending, trials, rounds } = simulateBisect({ ...simulation, seed: `bench ${index}` });
    if (ending === 'right') means.right += 1 / bisects;
    if (ending === 'innocent') means.innocent += 1 / bisects;
    means.trials += trials / bisects;
    means.rounds += rounds / bisects;
  }
  return means;
}

/** Prints a row a variant; false where one is beyond its limits or right less often than chance explains. */
export function benchVariants(bisects: number, print: (line: string) => void): boolean {
  let isWithin = true;
  for (const simulation of plain) {
    const { strategy, rates } = simulation;
    const without = play(simulation, bisects);
    print('');
    print(
      `${`${strategy} ${rates.good} → ${rates.bad}`.padEnd(32)}   right  innocent  mean trials          rounds`,
    );
    print(line('nothing is known', without, without));
    for (const { name, more, trials, rounds } of variantsOf(simulation)) {
      const means = play({ ...simulation, ...more }, bisects);
      const error = Math.sqrt((2 * without.right * (1 - without.right) + 2 / bisects) / bisects);
      const missed = [
        means.right < without.right - 3 * error && `right ${means.right} after ${without.right}`,
        means.trials > trials * without.trials && `trials at most ${trials} times as many`,
        rounds !== undefined &&
          means.rounds > rounds * without.rounds &&
          `rounds at most ${rounds} times as many`,
      ].filter((one) => one !== false);
      if (missed.length > 0) isWithin = false;
      print([line(name, means, without), ...missed].join('  '));
    }
  }
  return isWithin;
}

function line(name: string, { right, innocent, trials, rounds }: Means, without: Means): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const change = (now: number, before: number) => {
    const rounded = Math.round(100 * (now / before - 1));
    return rounded === 0 ? '' : `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)} %`;
  };
  return [
    name.padEnd(32),
    percent(right).padStart(8),
    percent(innocent).padStart(8),
    trials.toFixed(1).padStart(11),
    change(trials, without.trials).padStart(6),
    rounds.toFixed(1).padStart(7),
    change(rounds, without.rounds).padStart(6),
  ].join('  ');
}

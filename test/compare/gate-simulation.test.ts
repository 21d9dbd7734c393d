import { describe, expect, it } from 'vitest';
import { drawBeta, drawPassed } from '../../source/base/draws.js';
import { createRandom, type Random } from '../../source/base/random.js';
import { confirmAttributed, findAttributed, toConfirm } from '../../source/compare/attribute.js';
import { type BelievedRates, fieldRates } from '../../source/compare/fit-rates.js';
import { type SimulatedCheck, simulateGate } from '../../source/compare/simulate.js';
import { defaultGate } from '../../source/project/gate-settings.js';
import { sideOf } from './sides.js';

const scenarios = 51;
const names = Array.from({ length: scenarios }, (_, index) => `s${index}`);

/** 51 scenarios with pass rates of one distribution. The first may have regressed. */
function drawSuite(
  random: Random,
  known: number,
  { a, b }: BelievedRates,
  regressed?: [from: number, to: number],
): SimulatedCheck[] {
  return names.map((scenario, index) => {
    const rate = drawBeta(random, a, b);
    const [from, to] = index === 0 && regressed ? regressed : [rate, rate];
    const base = { passed: drawPassed(random, known, from), of: known };
    return { scenario, check: 'c', absolute: false, base, from, to };
  });
}

interface Played {
  /** Share of runs in which anything blocked, and in which the first scenario did. */
  red: number;
  found: number;
  /** Mean trials of a run. */
  trials: number;
  /** Mean false-red rate that was announced. */
  announced: number;
}

function play(
  name: string,
  runs: number,
  known: number,
  confirm: boolean,
  { regressed, rates = fieldRates }: { regressed?: [number, number]; rates?: BelievedRates } = {},
): Played {
  const played = { red: 0, found: 0, trials: 0, announced: 0 };
  for (let run = 0; run < runs; run++) {
    const random = createRandom('gate', name, known, run);
    const checks = drawSuite(random, known, rates, regressed);
    const { blocking, comparison, trials } = simulateGate(checks, 3, { ...defaultGate, confirm }, random);
    if (blocking.length > 0) played.red += 1 / runs;
    if (blocking.some(({ scenario }) => scenario === 's0')) played.found += 1 / runs;
    played.trials += trials / runs;
    played.announced += (comparison.falseRed ?? 0) / runs;
  }
  return played;
}

describe('the gate over many drawn runs', () => {
  it.each([
    [3, 195],
    [6, 170],
    [20, 165],
  ])('goes falsely red in at most one run in ten with a base known by %i trials', (known, trials) => {
    const played = play('quiet', 300, known, true);
    expect(played.red).toBeLessThanOrEqual(0.1);
    expect(Math.abs(played.trials - trials)).toBeLessThan(8);
  });

  // Power for .98 -> .1, .95 -> .3 and .9 -> .5, with confirmation and without.
  it.each([
    [3, [0.93, 0.51, 0.13], 0.9],
    [6, [0.96, 0.67, 0.19], 0.85],
    [20, [0.99, 0.74, 0.28], 0.75],
  ])('with a base known by %i trials it sees what it is said to see', (known, power, single) => {
    const falls: [number, number][] = [
      [0.98, 0.1],
      [0.95, 0.3],
      [0.9, 0.5],
    ];
    for (const [index, fall] of falls.entries()) {
      const { found } = play(`fall ${index}`, 200, known, true, { regressed: fall });
      expect(Math.abs(found - (power[index] ?? 0))).toBeLessThan(0.1);
    }
    expect(play('single', 100, known, false, { regressed: [0.95, 0.3] }).found).toBeGreaterThanOrEqual(
      single,
    );
  });

  it('without confirmation goes red as often as it announces', () => {
    for (const known of [3, 20]) {
      const { red, announced } = play('announced', 200, known, false);
      expect(Math.abs(red - announced)).toBeLessThan(0.1);
      expect(red).toBeGreaterThan(0.6);
    }
  });

  it.each([3, 6, 20])('announces no more of a suite that hardly ever fails, known by %i', (known) => {
    // One trial in 500 fails: most runs stay green, and a figure near 100 % would say nothing.
    const { red, announced } = play('steady', 100, known, false, { rates: { a: 7.984, b: 0.016 } });
    expect(red).toBeLessThan(0.4);
    expect(Math.abs(red - announced)).toBeLessThan(0.15);
  });
});

describe('the gate over judges that say yes or no', () => {
  /** Cases that half of all trials pass on both sides; the first may have fallen. */
  function playJudged(cases: number, known: number, runs: number, fall?: [from: number, to: number]) {
    const played = { red: 0, found: 0 };
    for (let run = 0; run < runs; run++) {
      const random = createRandom('judged', cases, known, run);
      const checks = names.slice(0, cases).map((scenario, index): SimulatedCheck => {
        const [from, to] = index === 0 && fall ? fall : [0.5, 0.5];
        const base = { passed: drawPassed(random, known, from), of: known };
        return { scenario, check: 'c', absolute: false, isJudged: true, base, from, to };
      });
      const { blocking } = simulateGate(checks, 3, defaultGate, random);
      if (blocking.length > 0) played.red += 1 / runs;
      if (blocking.some(({ scenario }) => scenario === 's0')) played.found += 1 / runs;
    }
    return played;
  }

  it.each([3, 6, 20])(
    'goes falsely red in at most one run in ten, of few cases and of many, known by %i',
    (known) => {
      for (const cases of [1, 5, 12, 51])
        expect(playJudged(cases, known, 300).red, `${cases} cases`).toBeLessThanOrEqual(0.1);
    },
  );

  it.each([3, 6, 20])('sees a case that breaks among some that are noise, known by %i', (known) => {
    expect(playJudged(5, known, 200, [0.98, 0.1]).found).toBeGreaterThan(0.8);
  });
});

describe('attribution over many drawn suites', () => {
  it('blames an innocent check in six of ten suites at first, and hardly ever once confirmed', () => {
    const suites = 400;
    let first = 0;
    let confirmed = 0;
    for (let suite = 0; suite < suites; suite++) {
      const random = createRandom('attribute', suite);
      const rates = new Map(names.map((name) => [name, drawBeta(random, fieldRates.a, fieldRates.b)]));
      const draw = (trials: number) => (name: string) => ({
        passed: drawPassed(random, trials, rates.get(name) ?? 0),
        of: trials,
      });
      const [base, candidate] = [sideOf('v14', names, draw(2)), sideOf('v15', names, draw(2))];
      const report = findAttributed(base, candidate);
      if (
        report.checks.some(({ attribution: is, direction }) => is === 'attributed' && direction === 'worse')
      )
        first++;
      for (const { scenario } of toConfirm(report)) {
        for (const side of [base, candidate]) {
          const check = side.scenarios.get(scenario)?.checks.get('c');
          if (check) check.fresh = draw(4)(scenario);
        }
      }
      const after = confirmAttributed(findAttributed(base, candidate));
      if (after.checks.some(({ attribution: is, direction }) => is === 'confirmed' && direction === 'worse'))
        confirmed++;
    }
    expect(Math.abs(first / suites - 0.61)).toBeLessThan(0.1);
    expect(confirmed / suites).toBeLessThanOrEqual(0.06);
  });
});

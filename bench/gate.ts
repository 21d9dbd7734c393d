/**
 * What the gate and the attribution are worth: how often they are wrong with nothing changed, what they cost and what
 * they see, on drawn suites of 51 scenarios of which 20 % flip between two single runs. Seeded. `npm run bench -- gate`
 */

import { boschloo } from '../source/base/boschloo.js';
import { drawBeta, drawPassed } from '../source/base/draws.js';
import { createRandom, type Random } from '../source/base/random.js';
import { fieldRates } from '../source/compare/fit-rates.js';
import { type SimulatedCheck, simulateGate } from '../source/compare/simulate.js';
import { defaultGate } from '../source/project/gate-settings.js';

const runs = 2000;
const scenarios = 51;
const judgedCases = 12;
/** With confirmation at most this share of runs may go red with nothing changed. */
const limit = 0.1;
const falls: readonly (readonly [from: number, to: number])[] = [
  [0.98, 0.1],
  [0.95, 0.3],
  [0.9, 0.5],
];

function suite(random: Random, known: number, fall?: readonly [number, number]): SimulatedCheck[] {
  return Array.from({ length: scenarios }, (_, index) => {
    const rate = drawBeta(random, fieldRates.a, fieldRates.b);
    const [from, to] = index === 0 && fall ? fall : [rate, rate];
    const base = { passed: drawPassed(random, known, from), of: known };
    return { scenario: `s${index}`, check: 'c', absolute: false, base, from, to };
  });
}

/** Cases whose judge says yes to half of the conversations, before and after; the first may have fallen. */
function judgedSuite(random: Random, known: number, fall?: readonly [number, number]): SimulatedCheck[] {
  return Array.from({ length: judgedCases }, (_, index) => {
    const [from, to] = index === 0 && fall ? fall : [0.5, 0.5];
    const base = { passed: drawPassed(random, known, from), of: known };
    return { scenario: `s${index}`, check: 'c', absolute: false, isJudged: true, base, from, to };
  });
}

function play(
  repeat: number,
  known: number,
  confirm: boolean,
  fall?: readonly [number, number],
  draw = suite,
) {
  let red = 0;
  let found = 0;
  let trials = 0;
  for (let run = 0; run < runs; run++) {
    const random = createRandom('bench gate', repeat, known, String(fall), run);
    const gate = simulateGate(draw(random, known, fall), repeat, { ...defaultGate, confirm }, random);
    if (gate.blocking.length > 0) red++;
    if (gate.blocking.some(({ scenario }) => scenario === 's0')) found++;
    trials += gate.trials;
  }
  return { red: red / runs, found: found / runs, trials: trials / runs };
}

/** Two runs of one trial each side, then four more of what was attributed: how often an innocent check is blamed. */
function attribute(): { first: number; confirmed: number } {
  let first = 0;
  let confirmed = 0;
  for (let run = 0; run < runs; run++) {
    const random = createRandom('bench attribute', run);
    let isBlamed = false;
    let isConfirmed = false;
    for (let scenario = 0; scenario < scenarios; scenario++) {
      const rate = drawBeta(random, fieldRates.a, fieldRates.b);
      const before = drawPassed(random, 2, rate);
      const after = drawPassed(random, 2, rate);
      if (before !== 2 || after !== 0) continue;
      isBlamed = true;
      const base = { passed: 2 + drawPassed(random, 4, rate), of: 6 };
      if (boschloo(base, { passed: drawPassed(random, 4, rate), of: 6 }) <= 0.01) isConfirmed = true;
    }
    if (isBlamed) first++;
    if (isConfirmed) confirmed++;
  }
  return { first: first / runs, confirmed: confirmed / runs };
}

let isBeyond = false;
console.log(
  `${'rule'.padEnd(46)} false red  trials  power ${falls.map((fall) => fall.join('→')).join(' / ')}`,
);
const rules = [
  { name: 'confirmed', confirm: true, draw: suite },
  { name: 'one failure is enough', confirm: false, draw: suite },
  { name: `${judgedCases} judged at 0.5, confirmed`, confirm: true, draw: judgedSuite },
];
for (const { name, confirm, draw } of rules) {
  for (const known of [3, 6, 20]) {
    const quiet = play(3, known, confirm, undefined, draw);
    const power = falls.map((fall) => play(3, known, confirm, fall, draw).found);
    const rule = `${name}, base known by ${known}`;
    console.log(
      `${rule.padEnd(46)} ${quiet.red.toFixed(3).padStart(9)}  ${quiet.trials.toFixed(0).padStart(6)}  ${power.map((share) => share.toFixed(2)).join(' / ')}`,
    );
    if (confirm && quiet.red > limit) isBeyond = true;
  }
}
const { first, confirmed } = attribute();
console.log(
  `attribution blames an innocent check in ${first.toFixed(3)} of suites, ${confirmed.toFixed(3)} once confirmed`,
);
console.log(`${runs} runs each; with confirmation at most ${limit} may be falsely red`);
process.exitCode = isBeyond ? 1 : 0;

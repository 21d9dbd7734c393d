/**
 * The screens on a run of ROWS scenarios with 6 trials each, fed with 200 events a second for as long as it lives;
 * what it cost is written to FILE as JSON when it is asked to quit. Started by grid.ts in a terminal of its own.
 */
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../source/base/clock.js';
import { compareEvidence } from '../source/compare/compare.js';
import { confirm } from '../source/compare/confirm.js';
import { evidenceOf } from '../source/compare/evidence.js';
import { sidesSoFar } from '../source/compare/so-far.js';
import type { Comparison, Evidence } from '../source/compare/types.js';
import { defaultGate } from '../source/project/gate-settings.js';
import type { RunTally } from '../source/tally/types.js';
import { openApp } from '../source/ui/open.js';
import { createFakeRun, fakeScenario } from '../test/ui/fake-run.js';

const rows = Number(process.argv[2]);
const file = process.argv[3] ?? '';
const eventsPerSecond = 200;
const tickMs = 25;

const fake = createFakeRun({
  scenarios: Array.from({ length: rows }, (_, index) =>
    fakeScenario(`scenario-with-a-name-${index}`, ['refund', 'airline'], ['judge-offers-store-credit']),
  ),
  repeat: 6,
  startedAt: Date.now(),
});
const words =
  'I understand that this is frustrating. Your order was delivered 45 days ago and our window is 30 days.'.split(
    ' ',
  );
/** Trials in flight, with how many words of their reply have been said. */
const flights: { key: ReturnType<typeof fake.key>; said: number }[] = [];
/** Rows that are on screen. Half of all trials are theirs, so that as much is drawn with few rows as with many. */
const onScreen = 34;
let next = 0;

/** Every trial is started once: one that has ended says nothing any more. */
function nextTrial() {
  const turn = next++;
  const at = Math.floor(turn / 2);
  const [first, count] = turn % 2 === 0 ? [0, onScreen] : [onScreen, rows - onScreen];
  const key = fake.key(`scenario-with-a-name-${first + (at % count)}`, (Math.floor(at / count) % 6) + 1);
  fake.start(key);
  return { key, said: 0 };
}

function step(): void {
  fake.time.now = Date.now();
  if (flights.length < 8) flights.push(nextTrial());
  const flight = flights.shift();
  if (!flight) return;
  if (flight.said < words.length) {
    flight.said++;
    fake.say(flight.key, words.slice(0, flight.said).join(' '));
    flights.push(flight);
  } else {
    fake.turn(flight.key, 'I want my money back.', [{ kind: 'text', text: words.join(' ') }]);
    fake.check(flight.key, {
      checkId: 'judge-offers-store-credit',
      verdict: flight.key.scenario.endsWith('3') ? 'fail' : 'pass',
      reason: 'promises money back although the window has closed',
    });
    fake.finish(flight.key);
  }
}

let owed = 0;
let last = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  owed += ((now - last) * eventsPerSecond) / 1000;
  last = now;
  for (; owed >= 1; owed--) step();
}, tickMs);

/** Costs are counted from here on: starting up is another benchmark's business. */
let cpu = process.cpuUsage();
let heap = 0;
setTimeout(() => {
  globalThis.gc?.();
  heap = process.memoryUsage().heapUsed;
  cpu = process.cpuUsage();
  writeFileSync(`${file}.ready`, '');
}, 3000);

const settings = new Map<string, string>();
/** Held against a base, as most runs are: what the run itself says of nothing yet, as another prompt that passed. */
let base: Evidence | undefined;
function compare(tally: RunTally): Comparison {
  base ??= passedBase(evidenceOf(tally, 'a'));
  const sides = sidesSoFar(tally, base, 'a');
  return confirm(compareEvidence(sides.base, sides.candidate, defaultGate), defaultGate);
}

function passedBase(evidence: Evidence): Evidence {
  for (const { checks } of evidence.scenarios.values())
    for (const check of checks.values()) Object.assign(check, { verdict: 'pass', passed: 12, of: 12 });
  return { ...evidence, kind: 'baseline', runId: 'known', isComplete: true };
}

await openApp({
  runs: [{ ...fake.run, compare }],
  settings: { get: (key) => settings.get(key), set: (key, value) => settings.set(key, value) },
  stdin: process.stdin,
  stdout: process.stdout,
  env: process.env,
  clock: systemClock,
});
const used = process.cpuUsage(cpu);
clearInterval(timer);
globalThis.gc?.();
writeFileSync(
  file,
  JSON.stringify({
    cpuMs: (used.user + used.system) / 1000,
    heapGrowthMb: (process.memoryUsage().heapUsed - heap) / 1e6,
    measures: performance.getEntriesByType('measure').length,
  }),
);
process.exit(0);

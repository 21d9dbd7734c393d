/**
 * How often bisects are right and with how many trials, held against their floors; how long it takes to choose one trial
 * of 32 hunks; and what hints, history and two trials at once do. Seeded. `npm run bench -- bisect`
 */

import { createSession, record, type Session } from '../source/bisect/session.js';
import { propose } from '../source/bisect/strategy.js';
import { floors, measure, nameOf, shortfalls } from './bisect-floors.js';
import { benchVariants } from './bisect-variants.js';

const bisects = 500;
/** Milliseconds of CPU that choosing one trial may take. */
const mostChoosing = 100;

let isBeyond = false;
console.log(`${'row'.padEnd(38)}   right  innocent  missed  open   mean trials  9 in 10`);
for (const floor of floors) {
  const measured = measure(floor, bisects, 'bench');
  const { endings, meanTrials, trialsOfNineInTen } = measured.row;
  const percent = (count: number) => `${((100 * count) / bisects).toFixed(1)} %`;
  const missed = shortfalls(floor, measured, 0);
  if (missed.length > 0) isBeyond = true;
  console.log(
    [
      nameOf(floor).padEnd(38),
      percent(endings.right).padStart(8),
      percent(endings.innocent).padStart(8),
      percent(endings.missed + endings.partial).padStart(6),
      percent(endings.inconclusive).padStart(5),
      meanTrials.toFixed(1).padStart(12),
      String(trialsOfNineInTen).padStart(7),
      ...missed,
    ].join('  '),
  );
}

/** A session of 32 hunks in which nothing is clear yet: the most work that choosing has. */
let session: Session = createSession({ hunks: 32, strategy: 'auto' });
const times: number[] = [];
for (let trial = 0; trial < 60; trial++) {
  const before = process.cpuUsage();
  const { next } = propose(session);
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  if (next.kind !== 'try') break;
  const { candidate, purpose } = next;
  session = record(session, { kind: 'trial', candidate, outcome: trial % 3 ? 'pass' : 'fail', purpose });
}
times.sort((a, b) => a - b);
const slow = times[Math.floor(0.9 * times.length)] ?? 0;
if (slow > mostChoosing) isBeyond = true;
console.log(
  `choosing one trial of 32 hunks: ${slow.toFixed(1)} ms of CPU in nine of ten, at most ${mostChoosing}`,
);
if (!benchVariants(bisects, console.log)) isBeyond = true;
console.log(`${bisects} bisects a row`);
process.exitCode = isBeyond ? 1 : 0;

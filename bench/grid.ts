/**
 * What the grid costs while a large run is going on: 6 trials a scenario, 200 events a second, a terminal of 120x40.
 * CPU is of the whole process, feeding included. Runs with 50 and with 5,000 scenarios take turns, so that a busy
 * machine weighs on both alike. `npm run bench -- grid`
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as pty from '@lydell/node-pty';

const limits = { cpuMsPerFrame: 20, kilobytesPerSecond: 40, ratio: 1.2 };
const rounds = 3;
const seconds = 10;
const sizes = [50, 5000] as const;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-bench-'));

interface Measured {
  cpuMsPerFrame: number;
  kilobytesPerSecond: number;
  framesPerSecond: number;
  keyMs: number[];
  heapGrowthMb: number;
  measures: number;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function measure(rows: number, round: number): Promise<Measured> {
  const file = path.join(folder, `${rows}-${round}.json`);
  const app = pty.spawn(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', path.join(root, 'bench/grid-feed.ts'), String(rows), file],
    {
      cols: 120,
      rows: 40,
      cwd: root,
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', NODE_ENV: 'production' },
    },
  );
  let seen = '';
  let bytes = 0;
  let frames = 0;
  let pressedAt: number | undefined;
  const keyMs: number[] = [];
  app.onData((data) => {
    seen = (seen + data).slice(-4000);
    bytes += Buffer.byteLength(data);
    frames += data.split('\x1b[?2026h').length - 1;
    if (pressedAt !== undefined && data.includes('▸')) {
      keyMs.push(performance.now() - pressedAt);
      pressedAt = undefined;
    }
  });
  const ended = new Promise<void>((resolve) => app.onExit(() => resolve()));
  for (let waited = 0; !existsSync(`${file}.ready`); waited += 50) {
    if (waited > 60_000) throw new Error(`the grid did not start:\n${seen}`);
    await later(50);
  }
  bytes = 0;
  frames = 0;
  const from = performance.now();
  while (performance.now() - from < seconds * 1000) {
    await later(490);
    pressedAt = performance.now();
    app.write('j');
  }
  const counted = { bytes, frames, seconds: (performance.now() - from) / 1000 };
  app.write('qy');
  await ended;
  const { cpuMs, heapGrowthMb, measures } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    cpuMsPerFrame: cpuMs / counted.frames,
    kilobytesPerSecond: counted.bytes / 1000 / counted.seconds,
    framesPerSecond: counted.frames / counted.seconds,
    keyMs,
    heapGrowthMb,
    measures,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const results = new Map<number, Measured[]>(sizes.map((rows) => [rows, []]));
try {
  for (let round = 0; round < rounds; round++) {
    for (const rows of sizes) results.get(rows)?.push(await measure(rows, round));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const middle = (rows: number, of: (measured: Measured) => number) =>
  quantile((results.get(rows) ?? []).map(of), 0.5);
for (const rows of sizes) {
  const keys = (results.get(rows) ?? []).flatMap(({ keyMs }) => keyMs);
  console.log(
    [
      `${String(rows).padStart(5)} x 6`,
      `${middle(rows, (m) => m.cpuMsPerFrame).toFixed(1)} ms CPU a frame`,
      `${middle(rows, (m) => m.kilobytesPerSecond).toFixed(1)} kB/s`,
      `${middle(rows, (m) => m.framesPerSecond).toFixed(1)} frames/s`,
      `key p50 ${quantile(keys, 0.5).toFixed(0)} ms, p95 ${quantile(keys, 0.95).toFixed(0)} ms`,
      `heap ${middle(rows, (m) => m.heapGrowthMb).toFixed(1)} MB more in ${seconds} s`,
    ].join('   '),
  );
}
const [few, many] = sizes;
const cpu = middle(many, (m) => m.cpuMsPerFrame);
const rate = middle(many, (m) => m.kilobytesPerSecond);
const ratio = cpu / middle(few, (m) => m.cpuMsPerFrame);
const measures = Math.max(...[...results.values()].flat().map((m) => m.measures));
console.log(`CPU a frame, ${many} scenarios to ${few}: ${ratio.toFixed(2)}, at most ${limits.ratio}`);
console.log(
  `at most ${limits.cpuMsPerFrame} ms CPU a frame and ${limits.kilobytesPerSecond} kB/s at ${many}`,
);
if (measures > 0) console.log(`React left ${measures} performance entries: it runs in its development build`);
process.exit(
  cpu <= limits.cpuMsPerFrame && rate <= limits.kilobytesPerSecond && ratio <= limits.ratio && measures === 0
    ? 0
    : 1,
);

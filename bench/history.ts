/**
 * What it takes to find the flips of a long history: 1,000 runs of 51 scenarios with four checks each, from their
 * summaries, read for the first time and read again. `npm run bench -- history`
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createRandom } from '../source/base/random.js';
import { defaultGate } from '../source/project/gate-settings.js';
import { createTallyKeeper } from '../source/report/summary.js';
import type { KnownSummaries } from '../source/run/runs.js';
import { type RunSummary, writeSummary } from '../source/run/summary.js';
import { findFlips } from '../source/triage/flips.js';
import { readRunHistory } from '../source/triage/history.js';
import { feedOf, finished, plannedScenario, runStarted, trialKey } from '../test/tally/support.js';

const suite = 'tiny';
const runs = 1000;
const scenarios = 51;
const checks = ['calls-get-order', 'offers-store-credit', 'promises-no-money', 'stays-polite'];
const repeat = 3;
/** Milliseconds that the first reading with its flips may take. */
const limitMs = 1000;
const rounds = 3;
const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

function runIdAt(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-aaaa`;
}

/** The summary of a run whose checks pass nine trials in ten, as the run itself sums it up. */
function summaryOf(index: number): RunSummary {
  const random = createRandom('bench history', index);
  const at = start + index * hourMs;
  const planned = Array.from({ length: scenarios }, (_, one) =>
    plannedScenario(`scenario-named-${one}`, checks),
  );
  const keeper = createTallyKeeper({ gate: defaultGate });
  const feed = feedOf({ ...runStarted(planned, repeat), suite, runId: runIdAt(at), at }, keeper.hear);
  for (const { id } of planned) {
    for (let one = 1; one <= repeat; one++) {
      const verdicts = checks.map((check) => [check, random.next() < 0.9 ? 'pass' : 'fail'] as const);
      feed.trial(trialKey(id, one), Object.fromEntries(verdicts));
    }
  }
  feed.tell(finished());
  return keeper.summary(1);
}

async function writeHistory(logs: string): Promise<void> {
  for (let index = 0; index < runs; index++) {
    const summary = summaryOf(index);
    const folder = join(logs, suite, summary.runId);
    mkdirSync(folder, { recursive: true });
    // A summary belongs to its journal as long as that has so many bytes; nothing of it is read.
    writeFileSync(join(folder, 'journal.jsonl'), '\n');
    await writeSummary(folder, summary);
  }
}

/** Milliseconds to read all runs and to find the flips of all checks. */
async function measure(logs: string, known: KnownSummaries): Promise<{ ms: number; flips: number }> {
  const begun = performance.now();
  const { summaries } = await readRunHistory(
    logs,
    suite,
    () => {
      throw new Error('a summary was derived again');
    },
    known,
  );
  const found = findFlips(summaries, { now: start + runs * hourMs, days: 30 });
  const ms = performance.now() - begun;
  if (summaries.length !== runs || found.length !== scenarios * checks.length)
    throw new Error(`${summaries.length} runs and ${found.length} checks were read`);
  return { ms, flips: found.reduce((sum, one) => sum + one.flips.length, 0) };
}

/** Milliseconds that reading and parsing the same files takes, and nothing else. */
function bareRead(logs: string): number {
  const begun = performance.now();
  for (const run of readdirSync(join(logs, suite)))
    JSON.parse(readFileSync(join(logs, suite, run, 'summary.json'), 'utf8'));
  return performance.now() - begun;
}

const logs = mkdtempSync(join(tmpdir(), 'evalrun-bench-'));
try {
  await writeHistory(logs);
  const bare = bareRead(logs);
  const known: KnownSummaries = new Map();
  // The best of three, each with nothing known: a busy machine weighs on a single one.
  const readings = [];
  for (let round = 0; round < rounds; round++) readings.push(await measure(logs, new Map()));
  const first = readings.reduce((best, one) => (one.ms < best.ms ? one : best));
  await measure(logs, known);
  const again = await measure(logs, known);
  console.log(`${runs} runs of ${scenarios} scenarios with ${checks.length} checks: ${first.flips} flips`);
  console.log(
    `first reading  ${first.ms.toFixed(0)} ms, ×${(first.ms / bare).toFixed(2)} of parsing the files`,
  );
  console.log(`read again     ${again.ms.toFixed(0)} ms, ×${(again.ms / bare).toFixed(2)}`);
  console.log(`limit          ${limitMs} ms`);
  process.exitCode = first.ms > limitMs ? 1 : 0;
} finally {
  rmSync(logs, { recursive: true, force: true });
}

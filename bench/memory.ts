/**
 * Memory of a long run: 20,000 trials of the shipped suite on the simulated model at zero latency. What is kept after
 * the first 2,000 may be the tally alone: at most 1 kB a trial. `npm run bench -- memory`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../source/base/clock.js';
import { loadChosenSuite } from '../source/commands/shared/choose-suite.js';
import { prepareRun, runLimits } from '../source/commands/shared/prepare.js';
import { loadProject } from '../source/project/config.js';
import { defaultGate } from '../source/project/gate-settings.js';
import { resolveRunSettings } from '../source/project/run-settings.js';
import { createTallyKeeper } from '../source/report/summary.js';
import { startRun } from '../source/run/start.js';

const trialsWanted = 20_000;
const settled = 2_000;
const limitBytes = 1024;

if (!global.gc) throw new Error('start it with --expose-gc');
const collect = global.gc;

/** Bytes in use after everything that nothing holds is gone. */
function heapInUse(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const env = { ...process.env, EVALRUN_SIMULATED_LATENCY: '0' };
const logs = mkdtempSync(join(tmpdir(), 'evalrun-bench-'));
try {
  const project = await loadProject({ cwd: process.cwd(), env });
  const suite = await loadChosenSuite(project, 'support-agent', {});
  const settings = resolveRunSettings({ flags: { concurrency: '8' }, env, suite, config: project.config });
  const prepared = await prepareRun(
    project,
    suite,
    { prompt: 'candidate', models: [], base: false, cwd: process.cwd() },
    env,
  );
  const samples: { done: number; heap: number }[] = [];
  const keeper = createTallyKeeper({ gate: defaultGate }, (message, tally) => {
    if (message.event.type !== 'trial-finished') return;
    if (tally.trials.done % settled === 0) samples.push({ done: tally.trials.done, heap: heapInUse() });
  });
  const started = Date.now();
  const run = await startRun({
    ...prepared,
    ...runLimits(settings),
    clock: systemClock,
    summariser: keeper,
    runsFolder: join(logs, 'support-agent'),
    repeat: Math.ceil(trialsWanted / suite.scenarios.length),
    seed: 'memory',
    evalrun: 'bench',
    command: 'bench memory',
  });
  await run.start();
  await run.close();
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.done < trialsWanted) throw new Error('the run ended early');
  const perTrial = (last.heap - first.heap) / (last.done - first.done);
  for (const { done, heap } of samples)
    console.log(`${String(done).padStart(6)} trials  ${(heap / 1e6).toFixed(1).padStart(6)} MB in use`);
  console.log(
    `${last.done} trials in ${((Date.now() - started) / 1000).toFixed(0)} s; ${perTrial.toFixed(0)} bytes kept a trial after the first ${settled}, at most ${limitBytes}`,
  );
  process.exitCode = perTrial <= limitBytes ? 0 : 1;
} finally {
  rmSync(logs, { recursive: true, force: true });
}

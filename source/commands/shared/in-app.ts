import { systemClock } from '../../base/clock.js';
import type { ExitCode } from '../../base/errors.js';
import { combineExitCodes, type Decision, decide, type GateSettings } from '../../compare/gate.js';
import { openSettings } from '../../project/settings.js';
import { closingLines } from '../../report/closing.js';
import { createTallyKeeper, type TallyKeeper } from '../../report/summary.js';
import type { LiveRun } from '../../run/types.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { tallyOf } from './keeper.js';
import { writeLines } from './output.js';
import type { RunToMake } from './run-to-make.js';

interface OpenRun {
  run: LiveRun;
  keeper: TallyKeeper;
  gate: GateSettings;
}

/** Makes runs on screen, one after another, and leaves a summary of each in the scrollback when the app has closed. */
export async function runInApp(runs: readonly RunToMake[], io: CommandIo): Promise<ExitCode> {
  const open: OpenRun[] = [];
  try {
    for (const toMake of runs) {
      const gate = { minCoverage: toMake.settings.minCoverage.value };
      const keeper = createTallyKeeper(gate);
      open.push({ run: await toMake.open(keeper), keeper, gate });
    }
    await show(open, io);
  } finally {
    await closeAll(open);
  }
  const decisions: Decision[] = [];
  for (const { keeper, gate } of open) {
    if (decisions.length > 0) await writeLines(io.stdout, ['']);
    decisions.push(await printClosing(tallyOf(keeper), gate, io));
  }
  return combineExitCodes(decisions);
}

/** Closes every run, also where one of them cannot be, and throws the first reason then. */
async function closeAll(open: readonly OpenRun[]): Promise<void> {
  const closed = await Promise.allSettled(open.map(({ run }) => run.close()));
  for (const result of closed) if (result.status === 'rejected') throw result.reason;
}

async function show(open: readonly OpenRun[], io: CommandIo): Promise<void> {
  const [{ openApp }, settings] = await Promise.all([import('../../ui/open.js'), openSettings(io.env)]);
  const work = (async () => {
    for (const { run } of open) await run.start();
  })();
  // Never resolves: a run is over only when the person leaves, for trials can be added to it until then.
  const failure = new Promise<never>((_resolve, reject) => work.catch(reject));
  failure.catch(() => {});
  await openApp({
    runs: open.map(({ run }) => ({
      feed(listener) {
        run.feed(listener);
        return failure;
      },
      readTrial: run.readTrial,
      controls: run,
    })),
    settings,
    stdin: io.stdin,
    stdout: io.stdout,
    stderr: io.stderr,
    env: io.env,
    clock: systemClock,
  });
}

/** Prints what stays of a run after the app has closed, and decides about it. */
async function printClosing(tally: RunTally, gate: GateSettings, io: CommandIo): Promise<Decision> {
  const decision = decide(tally, gate);
  await writeLines(io.stdout, closingLines(tally, decision, { hidePassed: true, program: io.program }));
  return decision;
}

import type { ExitCode } from '../../base/errors.js';
import type { CommandIo } from '../io.js';
import type { RunArgs } from './run-args.js';
import { readReports } from './run-reports.js';
import type { RunToMake } from './run-to-make.js';
import { isOnScreen } from './terminal.js';

/**
 * Makes runs, on screen or without one. `load` reads the files of all suites; the screen is there while it does. Throws
 * UserError, before any of them is made, for a report that would take the place of what they read.
 */
export async function makeRuns(
  args: Pick<RunArgs, 'plain' | 'json' | 'report'>,
  suites: readonly string[],
  load: () => Promise<RunToMake[]>,
  io: CommandIo,
): Promise<ExitCode> {
  const { report = [] } = args;
  const loadAndCheck = async () => {
    const runs = await load();
    if (report.length === 0) return runs;
    const { refuseOverInputs } = await import('./inputs.js');
    const files = readReports(report, io).map(({ file }) => file);
    for (const { inputs } of runs) if (inputs) await refuseOverInputs('--report', files, inputs);
    return runs;
  };
  if (!isOnScreen(args, io)) {
    const { runHeadless } = await import('./headless.js');
    return runHeadless(await loadAndCheck(), args.json === true ? 'json' : 'plain', io, report);
  }
  const { runInApp } = await import('./in-app.js');
  return runInApp(suites, loadAndCheck, io, report);
}

import type { ExitCode } from '../../base/errors.js';
import type { CommandIo } from '../io.js';
import type { RunArgs } from './run-args.js';
import type { RunToMake } from './run-to-make.js';
import { isOnScreen } from './terminal.js';

/** Makes runs, on screen or without one. `load` reads the files of all suites; the screen is there while it does. */
export async function makeRuns(
  args: Pick<RunArgs, 'plain' | 'json' | 'report'>,
  suites: readonly string[],
  load: () => Promise<RunToMake[]>,
  io: CommandIo,
): Promise<ExitCode> {
  const { report } = args;
  if (!isOnScreen(args, io)) {
    const { runHeadless } = await import('./headless.js');
    return runHeadless(await load(), args.json === true ? 'json' : 'plain', io, report);
  }
  const { runInApp } = await import('./in-app.js');
  return runInApp(suites, load, io, report);
}

import type { ExitCode } from '../../base/errors.js';
import type { Project } from '../../project/config.js';
import type { CommandIo } from '../io.js';
import { type BisectSeatOptions, createBisectSeat } from './bisect-seat.js';
import type { OpenBisect } from './make-bisect.js';
import { writeLines } from './output.js';
import { loadScreens } from './screens.js';

export interface BisectInAppOptions extends BisectSeatOptions {
  /** Prints what stays of it after the app has closed, and how to go on; gives the exit code. */
  tell(opened: OpenBisect): Promise<ExitCode>;
}

/** The maker is loaded by then. */
async function closeAgain(opened: OpenBisect): Promise<boolean> {
  const { closeBisect } = await import('./make-bisect.js');
  return closeBisect(opened);
}

/**
 * A bisect on its screen, which is there at once: the files are read behind it, and their mistakes are thrown after it has
 * closed again. Gives 130 where the person left before there was a bisect.
 */
export async function bisectInApp(
  open: () => Promise<OpenBisect>,
  project: Project,
  io: CommandIo,
  options: BisectInAppOptions,
): Promise<ExitCode> {
  const seat = createBisectSeat(project, io, options);
  let hasLeft = false;
  let opened: OpenBisect | undefined;
  let isKept = false;
  const work = async () => {
    // The first frame is drawn before files take the thread.
    await new Promise((resolve) => setImmediate(resolve));
    opened = await open();
    if (!hasLeft) seat.seat(opened);
  };
  let working: Promise<void> | undefined;
  try {
    const openOn = await loadScreens(io);
    const app = openOn({ runs: [seat.app] });
    working = work().catch(seat.fail);
    await app;
  } finally {
    hasLeft = true;
    // Whoever leaves while files are read waits for the rest of that, for a run that is being made has to be closed.
    await working;
    isKept = opened !== undefined && (await closeAgain(opened));
  }
  if (opened && isKept) return options.tell(opened);
  if (opened) await writeLines(io.stdout, ['nothing was tried, and nothing is kept'], io.env);
  return 130;
}

import type { ExitCode } from '../../../base/errors.js';
import { combineExitCodes } from '../../../compare/gate.js';
import type { Project } from '../../../project/config.js';
import { logsFolder } from '../../../project/paths.js';
import { resolveRunSettings } from '../../../project/run-settings.js';
import { findRun } from '../../../run/runs.js';
import type { AppRun } from '../../../ui/types.js';
import type { CommandIo } from '../../io.js';
import type { OpenRun, OverScreens } from '../in-app.js';
import type { OpenBisect } from '../make-bisect.js';
import type { RunToMake } from '../run-to-make.js';

/** Runs that are made over home, or gone on with, and what stays of them when the app has closed. */
export interface HomeRuns {
  /** Makes a run and lets it go. Throws what is for the person. */
  start(load: () => Promise<RunToMake>): Promise<AppRun>;
  /** As `start`, of one scenario of a suite. */
  runAgain(suite: string, scenario: string): Promise<AppRun>;
  resumeBisect(runId: string): Promise<AppRun>;
  /** Prints a summary of each, and gives the exit code of them all; 0 where there was none. */
  tell(): Promise<ExitCode>;
}

/** `onLeft` hears that one of them was left, and closed. */
export function createHomeRuns(project: Project, io: CommandIo, onLeft: () => void): HomeRuns {
  /** What prints what stays of a run, by its id: of one that was gone on with, the last word. */
  const tellings = new Map<string, () => Promise<{ exitCode: ExitCode }>>();

  function tellAtEnd(runId: string, telling: () => Promise<{ exitCode: ExitCode }>): void {
    tellings.delete(runId);
    tellings.set(runId, telling);
  }

  async function tellOfRun(open: OpenRun): Promise<{ exitCode: ExitCode }> {
    const [{ tellNotes }, { openReports }, { tellOfRun: tell }] = await Promise.all([
      import('../notes.js'),
      import('../run-reports.js'),
      import('../in-app.js'),
    ]);
    tellNotes(open.notes, io);
    return tell(open, await openReports({ files: [], runs: 1, isJson: false }, io), io);
  }

  async function tellOfBisect(opened: OpenBisect): Promise<{ exitCode: ExitCode }> {
    const [{ tellEnds }, { endedBisect }] = await Promise.all([
      import('../bisect-ends.js'),
      import('../bisect-headless.js'),
    ]);
    const wanted = { isJson: false, write: undefined, reports: [] };
    return { exitCode: await tellEnds(endedBisect(opened, project, io), wanted, project, io) };
  }

  const over: OverScreens = {
    onOpen: (opened) => tellAtEnd(opened.run.runId, () => tellOfRun(opened)),
    onLeft,
  };

  return {
    async start(load) {
      const { runOverScreens } = await import('../in-app.js');
      return runOverScreens(await load(), io, over);
    },
    async runAgain(suite, scenario) {
      const { runAgain } = await import('../in-app.js');
      return runAgain(suite, scenario, io, over);
    },
    async resumeBisect(runId) {
      const [{ reopenBisect, closeBisect }, { createBisectSeat }] = await Promise.all([
        import('../make-bisect.js'),
        import('../bisect-seat.js'),
      ]);
      const place = await findRun(logsFolder(project, io.env), runId);
      const settings = resolveRunSettings({ flags: {}, env: io.env, config: project.config });
      const opened = await reopenBisect(place, { settings, isAttended: true }, project, io);
      tellAtEnd(runId, () => tellOfBisect(opened));
      const seat = createBisectSeat(project, io);
      seat.seat(opened);
      return Object.assign(seat.app, {
        async leave() {
          const isKept = await closeBisect(opened);
          if (!isKept) tellings.delete(runId);
          onLeft();
        },
      });
    },
    async tell() {
      const { writeLines } = await import('../output.js');
      const told: { exitCode: ExitCode }[] = [];
      for (const telling of tellings.values()) {
        if (told.length > 0) await writeLines(io.stdout, ['']);
        told.push(await telling());
      }
      return combineExitCodes(told);
    },
  };
}

import type { Judging } from '../../compare/judge-run.js';
import { createTrialReader, replayJournal } from '../../run/reader.js';
import type { RunPlace } from '../../run/runs.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { appCompare } from './app-compare.js';
import { bisectOpener } from './bisect-of-run.js';
import { triagedSuite } from './triaged-suite.js';

/** A run of the past for the screens, from its journal; with `judging` held against its base. */
export function pastRun({ journal, folder }: RunPlace, io: CommandIo, judging?: Judging): AppRun {
  return {
    ...(judging &&
      appCompare(
        () => judging,
        () => folder,
        io,
      )),
    async feed(listener) {
      await replayJournal(journal, listener);
    },
    readTrial: createTrialReader(journal),
    bisectOf: bisectOpener(io),
    triage: (name) => triagedSuite(name, io, async (...of) => (await import('./in-app.js')).runAgain(...of)),
    async openDesk(started) {
      // Loads checks and models: not before a trial is looked at.
      const { trialDeskOf } = await import('./trial-desk.js');
      return trialDeskOf(io, () => folder)(started);
    },
  };
}

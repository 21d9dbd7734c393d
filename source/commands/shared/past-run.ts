import { createTrialReader, replayJournal } from '../../run/reader.js';
import type { RunPlace } from '../../run/runs.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/** A run of the past for the screens, from its journal. */
export function pastRun({ journal, folder }: RunPlace, io: CommandIo): AppRun {
  return {
    async feed(listener) {
      await replayJournal(journal, listener);
    },
    readTrial: createTrialReader(journal),
    async openDesk(started) {
      // Loads checks and models: not before a trial is looked at.
      const { trialDeskOf } = await import('./trial-desk.js');
      return trialDeskOf(io, () => folder)(started);
    },
  };
}

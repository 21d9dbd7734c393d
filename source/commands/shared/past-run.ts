import { createTrialReader, replayJournal } from '../../run/reader.js';
import type { AppRun } from '../../ui/types.js';

/** A run of the past for the screens, from its journal. */
export function pastRun(journal: string): AppRun {
  return {
    async feed(listener) {
      await replayJournal(journal, listener);
    },
    readTrial: createTrialReader(journal),
  };
}

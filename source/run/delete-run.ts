import { rm } from 'node:fs/promises';
import { lockJournal } from './lock.js';
import type { RunPlace } from './runs.js';

/** Deletes the folder of a run, for good. Throws UserError where a process writes it. */
export async function deleteRun({ folder, journal }: Pick<RunPlace, 'folder' | 'journal'>): Promise<void> {
  // Held while the folder goes, so that nobody goes on with the run meanwhile.
  const lock = await lockJournal(journal);
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}

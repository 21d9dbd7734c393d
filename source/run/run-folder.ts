import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../base/atomic.js';
import type { Clock } from '../base/clock.js';
import { messageOf, UserError } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';
import { createRunId } from './run-id.js';

/** The name of a run's journal in its folder. */
export const journalFile = 'journal.jsonl';

/** The copy of the baseline that a run was compared with, in its folder. */
export const baselineCopy = 'baseline.yaml';

/** Makes the folder of a new run, 0700. Throws UserError when it cannot be made. */
export async function makeRunFolder(
  runsFolder: string,
  clock: Clock,
): Promise<{ runId: string; folder: string }> {
  try {
    await makeFolder(runsFolder, 0o700);
    for (let tries = 1; ; tries++) {
      const runId = createRunId(clock.now());
      const folder = path.join(runsFolder, runId);
      try {
        await mkdir(folder, { mode: 0o700 });
        return { runId, folder };
      } catch (error) {
        // Another run of the same millisecond drew the same two digits.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries === 10) throw error;
      }
    }
  } catch (error) {
    throw notKept(error);
  }
}

/** Keeps the baseline that a run is compared with beside its journal. Throws UserError when it cannot be written. */
export async function keepBaselineCopy(folder: string, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await writeFileAtomically(path.join(folder, baselineCopy), text).catch((error) => {
    throw notKept(error);
  });
}

function notKept(error: unknown): UserError {
  return new UserError(
    `the run cannot be kept (${messageOf(error)}); EVALRUN_LOGS names another folder for runs`,
  );
}

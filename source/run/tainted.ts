import { rename } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../base/make-folder.js';

/** Folder beside the runs of a suite for those of them that are no evidence. */
export const taintedFolder = 'tainted';

/**
 * Moves the folder of a tainted run, that nobody writes any more, to `tainted/` beside it, so that nobody who reads the
 * runs of a suite takes it for one of them. Gives where it stands then: where it stood, if it cannot be moved, for its
 * own events say the same.
 */
export async function storeApart(folder: string): Promise<string> {
  const apart = path.join(path.dirname(folder), taintedFolder, path.basename(folder));
  try {
    await makeFolder(path.dirname(apart), 0o700);
    await rename(folder, apart);
    return apart;
  } catch {
    return folder;
  }
}

import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with all that are missing above it. Node's own way to do so never ends below `/proc`, where no folder
 * can be made and none is said to be there. Rejects with the file system's error.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent, mode);
    // Another process may have made it meanwhile.
    await mkdir(folder, { mode }).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

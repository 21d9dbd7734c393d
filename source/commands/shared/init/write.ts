import { readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../base/atomic.js';
import { UserError } from '../../../base/errors.js';
import { makeFolder } from '../../../base/make-folder.js';
import { configFileName } from '../../../project/config.js';
import type { Scaffold } from './scaffold.js';

/**
 * Writes a scaffold: new files, then the config. Nothing is overwritten but the config, which only grows. Where one of
 * them cannot be written, those before it are taken away again and UserError is thrown.
 */
export async function writeScaffold(root: string, { files, config }: Scaffold): Promise<void> {
  const made: string[] = [];
  const folders: string[] = [];
  try {
    for (const { path: file, text } of files) {
      const full = path.join(root, file);
      folders.push(...(await missingFolders(path.dirname(full))));
      await makeFolder(path.dirname(full));
      await writeFile(full, text, { flag: 'wx' });
      made.push(full);
    }
    const full = path.join(root, configFileName);
    if (config?.isNew) await writeFile(full, config.text, { flag: 'wx' });
    else if (config) await writeFileAtomically(full, config.text, (await stat(full)).mode & 0o777);
  } catch (error) {
    for (const file of made) await rm(file, { force: true });
    // The deepest first; a folder in which somebody else has put something stays.
    for (const folder of folders.toSorted((a, b) => b.length - a.length)) await rmdir(folder).catch(() => {});
    const { code, path: at, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === 'EEXIST' ? 'it is there already' : message;
    throw new UserError(`${at ?? root} cannot be written (${why}); nothing was left behind`);
  }
}

/** The folder and those above it that are not there, absolute. */
async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let current = folder; ; current = path.dirname(current)) {
    const isThere = await stat(current).then(
      () => true,
      () => false,
    );
    if (isThere || path.dirname(current) === current) return missing;
    missing.push(current);
  }
}

/** The config of a folder as it stands; undefined where there is none. */
export async function readConfigText(root: string): Promise<string | undefined> {
  return readFile(path.join(root, configFileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

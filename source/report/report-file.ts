import { randomBytes } from 'node:crypto';
import { access, constants, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';

/** A file that a report goes to piece by piece. Whoever reads it sees what was there before, or all of the report. */
export interface ReportFile {
  /** Throws UserError when it cannot be written. */
  write(text: string): Promise<void>;
  /** The report is whole. Throws UserError when it cannot be put in its place. */
  close(): Promise<void>;
  /** The report will not become whole: nothing of it stays. */
  discard(): Promise<void>;
}

/**
 * A file for a report, at an absolute path. Its folder is made where it is missing. Throws UserError at once when the
 * file cannot be written there, so that nobody waits an hour for a report that never comes. A device or a pipe is
 * written to as it is.
 */
export async function createReportFile(file: string): Promise<ReportFile> {
  const isSpecial = await checkReportFile(file);
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(4).toString('hex')}`);
  const written = isSpecial ? file : beside;
  let handle: FileHandle | undefined;

  return {
    write: (text) =>
      orRefuse(file, async () => {
        handle ??= await open(written, isSpecial ? 'a' : 'wx', 0o644);
        await handle.writeFile(text);
      }),
    close: () =>
      orRefuse(file, async () => {
        if (!handle) return;
        if (!isSpecial) await handle.sync();
        await handle.close();
        if (!isSpecial) await rename(beside, file);
      }),
    async discard() {
      await handle?.close().catch(() => {});
      if (!isSpecial) await rm(beside, { force: true }).catch(() => {});
    },
  };
}

/** Whether something is there that is no plain file. Makes the folder. Throws UserError where nothing can be written. */
export async function checkReportFile(file: string): Promise<boolean> {
  return orRefuse(file, async () => {
    await makeFolder(path.dirname(file));
    const there = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (there?.isDirectory()) throw new UserError(`the report ${file} is a folder; name a file in it`);
    if (there && !there.isFile()) return true;
    await access(path.dirname(file), constants.W_OK);
    return false;
  });
}

async function orRefuse<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = messageOf(error);
    throw new UserError(`the report ${file} cannot be written: ${why}`);
  }
}

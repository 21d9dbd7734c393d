import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtOnce } from './atomic.js';
import { UserError } from './errors.js';

/**
 * Changes a file: `change` gets its text as it stands at that moment ('' where there is no file) and gives the new
 * one, or undefined to leave it. Throws UserError when somebody else holds the file for two seconds, and when it cannot be
 * read or written; and what `change` throws.
 */
export type EditFile = (change: (text: string) => string | undefined) => void;

/** A lock that nobody touched for so long is of a process that died. */
const staleMs = 10_000;
/** Each edit takes milliseconds: whoever has to wait longer waits for something else. */
const tries = 80;
const betweenMs = 25;

/**
 * Opens the way to write a file. Several people may write it at once, each in a process of their own: reading, changing
 * and writing are one step under a lock, so that nothing of another is lost. The file is replaced by rename.
 */
export async function openForEdit(path: string): Promise<EditFile> {
  const { lockSync } = await import('./lockfile.js');
  return (change) => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      const release = takeLock(path, lockSync);
      try {
        const next = change(readIfThere(path));
        if (next !== undefined) writeFileAtOnce(path, next, 0o644);
      } finally {
        release();
      }
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      throw new UserError(`${path} cannot be written (${code}); is its folder yours to write?`);
    }
  };
}

function takeLock(path: string, lockSync: typeof import('./lockfile.js').lockSync): () => void {
  for (let left = tries; ; left--) {
    try {
      return lockSync(path, { realpath: false, stale: staleMs, onCompromised: () => {} });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      if (left <= 1) {
        throw new UserError(
          `another evalrun holds ${path}; try again, or delete ${path}.lock if none is running`,
        );
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenMs);
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

import { open } from 'node:fs/promises';
import type { UserError } from '../base/errors.js';
import type { JournalPosition, RunEvent } from './events.js';
import { journalError } from './journal-error.js';

/** The writing end of a journal: one event a line, only ever appended. The holder of the lock has the only one. */
export interface Journal {
  readonly file: string;
  /** Bytes of all events given to `append` so far, written or not. */
  readonly size: number;
  /**
   * Queues one event and says where it will stand. Events reach the file in the order of the calls, each as soon as
   * the one before it is written. Throws once writing has failed.
   */
  append(event: RunEvent): JournalPosition;
  /** Resolves when all that was appended before the call is in the file. Rejects once writing has failed. */
  settled(): Promise<void>;
  /** Resolves when little enough waits to be written: to be awaited before work that will append more. */
  drained(): Promise<void>;
  /** Writes the rest, flushes it to the disk and closes the file. */
  close(): Promise<void>;
}

const highWater = 4 * 1024 * 1024;

interface Waiter {
  /** Resolves once this many bytes are in the file. */
  bytes: number;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Opens a journal for writing. Without `continueAt` the file must not exist yet; with it, the file is cut to that
 * many bytes (a half-written last line goes) and goes on from there. `onFailure` hears at most once, when a write
 * fails (a full disk, say). Rejects with UserError where the file cannot be opened.
 */
export async function openJournal(
  file: string,
  options: { continueAt?: number; onFailure?: (error: UserError) => void } = {},
): Promise<Journal> {
  const { continueAt } = options;
  try {
    const handle = await open(file, continueAt === undefined ? 'wx' : 'r+', 0o600);
    if (continueAt !== undefined) await handle.truncate(continueAt);
    return createJournal(file, handle, continueAt ?? 0, options.onFailure);
  } catch (error) {
    throw journalError(file, 'opened', error);
  }
}

/** What a journal needs of an open file. */
export interface JournalFile {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The journal on a file that is open, `startAt` bytes of which are written. See `openJournal`. */
export function createJournal(
  file: string,
  handle: JournalFile,
  startAt: number,
  onFailure: ((error: UserError) => void) | undefined,
): Journal {
  let size = startAt;
  let written = startAt;
  let queue: string[] = [];
  let isPumping = false;
  let failure: UserError | undefined;
  let waiters: Waiter[] = [];

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (queue.length > 0) {
        // What comes in the same tick is written with it: the end of a trial is half a dozen events.
        await new Promise((resolve) => setImmediate(resolve));
        const batch = Buffer.from(queue.join(''), 'utf8');
        queue = [];
        for (let done = 0; done < batch.length; ) {
          const { bytesWritten } = await handle.write(batch, done, batch.length - done, written);
          done += bytesWritten;
          written += bytesWritten;
        }
        const reached = waiters.filter((waiter) => waiter.bytes <= written);
        waiters = waiters.filter((waiter) => waiter.bytes > written);
        for (const waiter of reached) waiter.resolve();
      }
    } catch (error) {
      fail(error);
    } finally {
      isPumping = false;
    }
  }

  function fail(cause: unknown): void {
    failure = journalError(file, 'written', cause, {
      after: 'what it holds is kept, and --resume goes on from there',
      exitCode: 3,
    });
    queue = [];
    for (const waiter of waiters) waiter.reject(failure);
    waiters = [];
    onFailure?.(failure);
  }

  function waitFor(bytes: number): Promise<void> {
    if (failure) return Promise.reject(failure);
    if (bytes <= written) return Promise.resolve();
    return new Promise((resolve, reject) => waiters.push({ bytes, resolve, reject }));
  }

  return {
    file,
    get size() {
      return size;
    },
    append(event) {
      if (failure) throw failure;
      const line = `${JSON.stringify(event)}\n`;
      const position = { offset: size, length: Buffer.byteLength(line, 'utf8') };
      size += position.length;
      queue.push(line);
      void pump();
      return position;
    },
    settled: () => waitFor(size),
    drained: () => waitFor(size - highWater),
    async close() {
      try {
        await waitFor(size);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

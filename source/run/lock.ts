import { access, constants, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { UserError } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import { journalError } from './journal-error.js';

/** The right to write one journal. */
export interface JournalLock {
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  host: string;
  /** When that process started, in the kernel's ticks since boot; tells it from a later one with its number. */
  startTicks: string | undefined;
}

function lockFile(journal: string): string {
  return `${journal}.lock`;
}

/**
 * Takes the lock beside a journal, a file that names its holder. A lock whose holder is dead is taken over at once.
 * Throws UserError when a living process holds it, or one on another machine, of which nothing can be known, and where
 * the lock cannot be written.
 */
export async function lockJournal(journal: string): Promise<JournalLock> {
  try {
    return await takeLock(journal);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw journalError(journal, 'locked', error);
  }
}

async function takeLock(journal: string): Promise<JournalLock> {
  // What holds up for a moment is tried again for seconds; this will not change.
  await access(path.dirname(journal), constants.W_OK);
  const { lock: guard } = await import('../base/lockfile.js');
  // Looking at the old lock and writing the new one must be one step, else two processes could both find the same
  // dead holder. The guard is held for that step alone, so that its own rule (a guard untouched for five seconds is
  // stale) never has to stand the test of a long run.
  const leave = await guard(journal, {
    lockfilePath: `${lockFile(journal)}.guard`,
    realpath: false,
    stale: 5000,
    retries: { retries: 40, minTimeout: 20, maxTimeout: 250 },
    onCompromised: () => {},
  });
  try {
    const holder = await readHolder(journal);
    if (holder && (await isAlive(holder))) throw heldError(journal, holder);
    const self: Holder = { pid: process.pid, host: hostname(), startTicks: await startTicks(process.pid) };
    await writeFile(lockFile(journal), JSON.stringify(self), { mode: 0o600 });
  } finally {
    await leave();
  }
  return { release: () => rm(lockFile(journal), { force: true }) };
}

/** Whether a living process writes this journal now. */
export async function isBeingWritten(journal: string): Promise<boolean> {
  const holder = await readHolder(journal);
  return holder !== undefined && (await isAlive(holder));
}

/** Whether the process that holds a lock is gone: it was killed, and its run goes on where somebody resumes it. */
export async function isLeftBehind(journal: string): Promise<boolean> {
  const isThere = await access(lockFile(journal)).then(
    () => true,
    () => false,
  );
  return isThere && !(await isBeingWritten(journal));
}

async function readHolder(journal: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(lockFile(journal), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw journalError(journal, 'looked at', error);
  }
  // A lock that was cut off by a crash names nobody who could still be alive.
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && typeof value.pid === 'number' && typeof value.host === 'string') {
      const ticks = typeof value.startTicks === 'string' ? value.startTicks : undefined;
      return { pid: value.pid, host: value.host, startTicks: ticks };
    }
  } catch {
    return undefined;
  }
  return undefined;
}

async function isAlive(holder: Holder): Promise<boolean> {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: there is such a process, of somebody else.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const ticks = await startTicks(holder.pid);
  if (ticks === 'dead') return false;
  return holder.startTicks === undefined || ticks === undefined || ticks === holder.startTicks;
}

/**
 * Field 22 of /proc/PID/stat; undefined where there is no such file. `dead`: the process has ended and only waits for its
 * parent to take note, which in a container may never happen.
 */
async function startTicks(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, and may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'dead' : fields[19];
  } catch {
    return undefined;
  }
}

function heldError(journal: string, holder: Holder): UserError {
  const elsewhere = holder.host !== hostname();
  const who = elsewhere ? `process ${holder.pid} on ${holder.host}` : `process ${holder.pid}`;
  const advice = elsewhere
    ? `if that process is gone, delete ${lockFile(journal)}`
    : 'wait for it to end, or end it';
  return new UserError(`another evalrun (${who}) is writing ${journal}; ${advice}`);
}

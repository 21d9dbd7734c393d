import type { Clock } from '../../base/clock.js';
import { onProcessExit } from './exit-hook.js';

/** How a program ended. `error`: it could not be started. */
export interface Exit {
  code: number | undefined;
  signal: string | undefined;
  error: string | undefined;
}

export interface ChildOptions {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  clock: Clock;
  /** Milliseconds between the end of its input and SIGTERM, and between SIGTERM and SIGKILL. */
  graceMs: { exit: number; kill: number };
  onStdout: (chunk: Uint8Array) => void;
  onStderr: (chunk: Uint8Array) => void;
  /** Done when the program is gone, also by the exit of this process: then only synchronous work counts. */
  cleanUp: { later: () => Promise<void>; now: () => void };
}

/** A program that runs, with all that it starts. */
export interface Child {
  /** Text for its standard input. What a program that has ended would have read is dropped. */
  write(text: string): void;
  /** Resolves when it has ended or could not be started, at the latest. Never rejects. */
  exited: Promise<Exit>;
  /** Resolves when it has ended and both its outputs have been read to their end. Never rejects. */
  drained: Promise<void>;
  /**
   * Ends it: `gently` closes its input first and gives it time to exit by itself. Then SIGTERM, then SIGKILL, to
   * the whole process group. Resolves when nothing of it is left. A later call that is less gentle hastens it.
   */
  stop(how: 'gently' | 'now'): Promise<void>;
}

/** Milliseconds for the last lines of a program that has ended, should something else hold its outputs open. */
const lastWordsMs = 500;

/** Starts a program, without a shell. A program that cannot be started has exited with an error. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, cwd, env, clock, graceMs, cleanUp } = options;
  const [program = '', ...args] = command;
  const { execa } = await import('execa');
  // A group of its own, so that what it starts ends with it. Windows has none: there the program alone is ended.
  const hasGroup = process.platform !== 'win32';
  const subprocess = execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    detached: hasGroup,
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = subprocess;

  let hasExited = false;
  const exited = new Promise<Exit>((resolve) => {
    subprocess.once('exit', (code, signal) => {
      resolve({ code: code ?? undefined, signal: signal ?? undefined, error: undefined });
    });
    subprocess.then(
      ({ exitCode, signal, code, failed }) => {
        const couldStart = exitCode !== undefined || signal !== undefined || !failed;
        resolve({ code: exitCode, signal, error: couldStart ? undefined : (code ?? 'unknown error') });
      },
      (error: unknown) => resolve({ code: undefined, signal: undefined, error: String(error) }),
    );
  }).then((exit) => {
    hasExited = true;
    return exit;
  });

  // It may end before it has read its input; how it ended is what matters.
  stdin.on('error', () => {});
  stdout.on('data', options.onStdout);
  stderr.on('data', options.onStderr);
  const closed = Promise.all(
    [stdout, stderr].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))),
  );
  const drained = exited.then(() => waitFor(closed, lastWordsMs));

  function signalAll(signal: NodeJS.Signals): void {
    try {
      if (!hasGroup) subprocess.kill(signal);
      else if (subprocess.pid !== undefined) process.kill(-subprocess.pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  }
  const forget = onProcessExit(() => {
    signalAll('SIGKILL');
    cleanUp.now();
  });

  /** Waits for something, at most `ms`; `hurry` ends the wait. */
  async function waitFor(awaited: Promise<unknown>, ms: number, hurry?: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const signal = hurry ? AbortSignal.any([hurry, enough.signal]) : enough.signal;
    const waited = clock.wait(ms, signal).catch(() => {});
    await Promise.race([awaited, waited]);
    enough.abort();
  }

  let stopping: Promise<void> | undefined;
  const hurry = new AbortController();

  async function stopAll(how: 'gently' | 'now'): Promise<void> {
    stdin.end();
    if (how === 'gently') await waitFor(exited, graceMs.exit, hurry.signal);
    if (!hasExited) {
      signalAll('SIGTERM');
      await waitFor(exited, graceMs.kill);
    }
    // Also after the program itself is gone: what it started may ignore a closed pipe.
    signalAll('SIGKILL');
    await drained;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    forget();
    await cleanUp.later();
  }

  return {
    write: (text) => {
      if (stdin.writable) stdin.write(text);
    },
    exited,
    drained,
    stop(how) {
      if (how === 'now') hurry.abort();
      stopping ??= stopAll(how);
      return stopping;
    },
  };
}

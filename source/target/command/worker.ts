import type { Clock } from '../../base/clock.js';
import type { Json, JsonObject } from '../../base/json.js';
import type { Secrets } from '../../project/known-secrets.js';
import { excerpt } from '../product/excerpt.js';
import type { SessionLog } from '../product/session-log.js';
import { type SilenceWatch, watchSilence } from '../product/silence.js';
import { TargetError } from '../types.js';
import { type Child, type Exit, startChild } from './child-process.js';
import { createLineReader } from './line-reader.js';
import { type ProtocolMessage, readMessage } from './messages.js';
import { promptVariables, writePromptFile } from './prompt-file.js';

export interface WorkerOptions {
  command: readonly string[];
  cwd: string;
  /** Its whole environment but for the prompt. */
  env: Record<string, string>;
  /** Text of the prompt that it is started with. */
  prompt: string | undefined;
  clock: Clock;
  secrets: Secrets;
  graceMs: { exit: number; kill: number };
  /** Bytes of one line on its standard output. */
  largestLine: number;
  /** Takes its standard error until another log is attached. */
  log: SessionLog;
}

export interface RequestOptions {
  /** Milliseconds without a line after which it counts as dead. */
  silenceMs: number;
  onDelta?: (delta: string) => void;
  signal?: AbortSignal;
}

/** A program that speaks the protocol. It has one request at a time; after a failure it can only be stopped. */
export interface Worker {
  readonly prompt: string | undefined;
  /** Whether it can be asked again. */
  isUsable(): boolean;
  /** Standard error goes to this log from now on. */
  attach(log: SessionLog): void;
  /** Throws TargetError, and the signal's reason when aborted: the program is ended then. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<Json>;
  stop(how: 'gently' | 'now'): Promise<void>;
  /** Resolves when nothing of it is left: no process, no file. Never rejects. */
  ended: Promise<void>;
}

interface Pending {
  id: number;
  method: string;
  watch: SilenceWatch;
  onDelta: ((delta: string) => void) | undefined;
  deltaLength: number;
  resolve: (result: Json) => void;
  reject: (reason: unknown) => void;
}

const quotedLines = 5;
/** Bytes of a line on standard error; what is longer is cut. */
const largestStderrLine = 16 * 1024;

/** Starts the program; that it cannot be started shows at the first request. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { command, clock, secrets, prompt, largestLine } = options;
  const name = excerpt(command.join(' '), secrets, 120);
  const promptFile = prompt === undefined ? undefined : await writePromptFile(prompt);
  let { log } = options;
  let pending: Pending | undefined;
  let failure: TargetError | undefined;
  let lastId = 0;

  const stdout = createLineReader({
    maxBytes: largestLine,
    onLine: (line) => takeLine(line),
    onTooLong: () => fail(`wrote a line of more than ${largestLine} bytes`),
  });
  const stderr = createLineReader({ maxBytes: largestStderrLine, onLine: (line) => log.add(line) });

  const child = await startChild({
    ...options,
    env: {
      ...options.env,
      ...(promptFile && prompt !== undefined ? promptVariables(prompt, promptFile.path) : {}),
    },
    onStdout: (chunk) => {
      if (failure === undefined) stdout.write(chunk);
    },
    onStderr: (chunk) => stderr.write(chunk),
    cleanUp: {
      later: async () => promptFile?.remove(),
      now: () => promptFile?.removeNow(),
    },
  });
  const ended = watchExit(child);

  async function watchExit({ exited, drained, stop }: Child): Promise<void> {
    const exit = await exited;
    await drained;
    stdout.end();
    stderr.end();
    fail(describeExit(exit));
    await stop('now');
  }

  /** Ends what is pending with an error that names the program, and the program. */
  function fail(what: string): void {
    if (failure !== undefined) return;
    const during = pending === undefined ? '' : ` while ${pending.method} was awaited`;
    const lines = log
      .lines()
      .filter(isTelling)
      .slice(-quotedLines)
      .map((line) => excerpt(line, secrets));
    const said = lines.length === 0 ? '' : `; the last lines of its stderr: ${lines.join(' / ')}`;
    failure = new TargetError('other', `${name} ${what}${during}${said}`);
    settle()?.reject(failure);
    void child.stop('now');
  }

  function settle(): Pending | undefined {
    const settled = pending;
    pending = undefined;
    settled?.watch.stop();
    return settled;
  }

  function takeLine(line: string): void {
    if (line.trim() === '' || failure !== undefined) return;
    const message = readMessage(line);
    if ('mistake' in message) fail(`wrote a line ${message.mistake}: ${excerpt(line, secrets)}`);
    else if (pending === undefined) fail(`wrote a line that nobody asked for: ${excerpt(line, secrets)}`);
    else if (message.id !== pending.id) fail(`answered request ${message.id}, but ${pending.id} was asked`);
    else takeMessage(message, pending);
  }

  function takeMessage(message: ProtocolMessage, request: Pending): void {
    if (message.kind === 'delta') {
      request.watch.alive();
      request.deltaLength += message.delta.length;
      if (request.deltaLength > largestLine) fail(`streamed more than ${largestLine} characters`);
      else request.onDelta?.(message.delta);
      return;
    }
    settle();
    if (message.kind === 'result') {
      request.resolve(message.result);
      return;
    }
    const { kind, message: text, retryAfterMs } = message.error;
    request.reject(
      new TargetError(kind, `${name}: ${request.method}: ${excerpt(text, secrets, 400)}`, retryAfterMs),
    );
  }

  return {
    prompt,
    ended,
    isUsable: () => failure === undefined,
    attach: (next) => {
      log = next;
    },
    async request(method, params, { silenceMs, onDelta, signal }) {
      signal?.throwIfAborted();
      if (pending !== undefined) fail(`was to be asked for ${method}`);
      if (failure !== undefined) throw failure;
      const onAbort = () => {
        failure ??= new TargetError('other', `${name} was ended`);
        settle()?.reject(signal?.reason);
        void child.stop('now');
      };
      try {
        return await new Promise<Json>((resolve, reject) => {
          const watch = watchSilence(clock, silenceMs, () =>
            fail(`said nothing for ${silenceMs / 1000} seconds`),
          );
          lastId++;
          pending = { id: lastId, method, watch, onDelta, deltaLength: 0, resolve, reject };
          signal?.addEventListener('abort', onAbort, { once: true });
          // One request at a time: what waits to be read by the program is never more than this line.
          child.write(`${JSON.stringify({ id: lastId, method, params })}\n`);
        });
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    stop(how) {
      failure ??= new TargetError('other', `${name} was ended`);
      settle()?.reject(failure);
      void child.stop(how);
      // Not before the last lines are in the log.
      return ended;
    },
  };
}

/** Frames of a stack stand between an error and the end, and nobody looks for them in a message. */
function isTelling(line: string): boolean {
  return line.trim() !== '' && !/^\s+at .|^Node\.js v\d/.test(line);
}

function describeExit({ code, signal, error }: Exit): string {
  if (error === 'ENOENT') return 'could not be started: there is no such program (ENOENT)';
  if (error === 'EACCES') return 'could not be started: it may not be executed (EACCES)';
  if (error !== undefined) return `could not be started (${error})`;
  return signal === undefined ? `exited with code ${code}` : `was ended by ${signal}`;
}

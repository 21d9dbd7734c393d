import { createRequire } from 'node:module';
import { messageOf } from '../../base/errors.js';
import { workerSource } from './worker.js';

/** What a module has thrown. */
export interface Thrown {
  /** Name and message of an error, anything else as a text. */
  text: string;
  stack?: string | undefined;
  /** What it says of itself, where it has a `kind`. */
  report?: object | undefined;
}

/** A function of the module, by the number of the session that it is called for. */
export type ThreadRequest = { session: number } & (
  | { method: 'open'; params: object }
  | { method: 'send'; message: string }
  | { method: 'close' }
);

/** What came of a call. `result`: a JSON text, not set for none. */
export type ThreadAnswer =
  | { result: string | undefined }
  | { thrown: Thrown }
  /** The result is none that JSON can hold. */
  | { unwritable: string }
  /** There is no thread any more. */
  | { ended: string };

/** What the module exports, names with the type of each; or why it cannot be loaded. */
export type Loading = { exports: Record<string, string> } | { problem: string };

/** Who hears what a thread does beside its answers. `session`: where it is known of which conversation it is. */
export interface ThreadListener {
  said(text: string, session: number | undefined): void;
  /** An error that nothing waited for: in a timer, or a rejection that nobody handles. */
  late(thrown: Thrown, session: number | undefined): void;
  ended(why: string): void;
}

/** Hears a piece of a reply; not set where what came is no text, and then of this type. */
type OnDelta = (delta: string | undefined, type: string) => void;

/** A thread that holds one module and all the sessions with it. */
export interface ProductThread {
  /** Set when it has ended, by itself or not: it answers nothing more. */
  readonly whyEnded: string | undefined;
  readonly loading: Promise<Loading>;
  /** Calls a function. The signal is passed on; once it is aborted the answer is no more waited for. */
  call(request: ThreadRequest, signal: AbortSignal, onDelta: OnDelta): Promise<ThreadAnswer>;
  /** Resolves when it shows that it is not blocked. */
  ping(): Promise<void>;
  stop(why: string): Promise<void>;
}

type Message =
  | { loaded: Record<string, string> }
  | { problem: string }
  | { pong: true }
  | { said: string; session: number | undefined }
  | { late: Thrown; session: number | undefined }
  | { call: number; delta: string | undefined; type: string }
  | ({ call: number } & ThreadAnswer);

/** Megabytes; past it the thread ends, and not the process. */
const mostMemory = 4096;

/**
 * Starts a thread for the module in a file, absolute. In ours its code could end the process, print into reports and
 * hold up every trial while it computes.
 */
export async function startProductThread(file: string, listener: ThreadListener): Promise<ProductThread> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { file, jiti: createRequire(import.meta.url).resolve('jiti') },
    // Flags of this process are for its own sources.
    execArgv: [],
    // What gets past the streams that the thread has put in their place.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory },
  });
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (data) => listener.said(String(data), undefined));

  const waiting = new Map<number, { onDelta: OnDelta; settle: (answer: ThreadAnswer) => void }>();
  const pings: (() => void)[] = [];
  let calls = 0;
  let whyEnded: string | undefined;
  let isLoading = true;
  let tellLoaded: (outcome: Loading) => void = () => {};
  const loading = new Promise<Loading>((resolve) => {
    tellLoaded = resolve;
  });

  /** Between calls it holds nobody up. */
  function hold(): void {
    if (isLoading || waiting.size > 0) worker.ref();
    else worker.unref();
  }

  function loaded(outcome: Loading): void {
    isLoading = false;
    tellLoaded(outcome);
    hold();
  }

  function end(why: string): void {
    if (whyEnded !== undefined) return;
    whyEnded = why;
    loaded({ problem: why });
    for (const { settle } of [...waiting.values()]) settle({ ended: why });
    listener.ended(why);
  }

  worker.on('message', (message: Message) => {
    if (whyEnded !== undefined) return;
    if ('loaded' in message) return loaded({ exports: message.loaded });
    if ('problem' in message) return loaded(message);
    if ('said' in message) return listener.said(message.said, message.session);
    if ('late' in message) return listener.late(message.late, message.session);
    if ('pong' in message) {
      for (const heard of pings.splice(0)) heard();
      return;
    }
    const call = waiting.get(message.call);
    if ('delta' in message) call?.onDelta(message.delta, message.type);
    else call?.settle(message);
  });
  worker.on('error', (error) => end(`broke: ${error.name}: ${error.message}`));
  worker.on('exit', (code) => end(`ended (exit code ${code})`));

  return {
    get whyEnded() {
      return whyEnded;
    },
    loading,
    async call(request, signal, onDelta) {
      if (whyEnded !== undefined) return { ended: whyEnded };
      const call = ++calls;
      let onAbort = () => {};
      const answer = await new Promise<ThreadAnswer>((settle) => {
        waiting.set(call, { onDelta, settle });
        hold();
        worker.postMessage({ ...request, call });
        onAbort = () => {
          const { reason } = signal;
          const message = messageOf(reason);
          worker.postMessage({ abort: call, reason: message });
          settle({ ended: message });
        };
        signal.addEventListener('abort', onAbort, { once: true });
      });
      signal.removeEventListener('abort', onAbort);
      waiting.delete(call);
      hold();
      return answer;
    },
    ping() {
      return new Promise((heard) => {
        pings.push(heard);
        worker.postMessage({ ping: true });
      });
    },
    async stop(why) {
      end(why);
      await worker.terminate();
    },
  };
}

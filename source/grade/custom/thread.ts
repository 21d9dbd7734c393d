import { createRequire } from 'node:module';
import { oneLine } from '../quote.js';
import { messageOf } from '../suite-file.js';
import type { CustomReply } from './limit.js';
import { workerSource } from './worker.js';

/** A thread that holds one module, and answers one question at a time. */
export interface CheckThread {
  /** It has ended, by itself or not: it answers nothing more. */
  readonly hasEnded: boolean;
  /** Keeps the process alive until it is answered. */
  ask(input: string): Promise<CustomReply>;
  stop(): Promise<void>;
}

/** Starts a thread for the module in a file, absolute. Whether that can be loaded is told by the first answer. */
export async function startThread(file: string): Promise<CheckThread> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { file, jiti: createRequire(import.meta.url).resolve('jiti') },
    // Flags of this process are for its own sources.
    execArgv: [],
    // What it prints must not end up on the screen of a run.
    stdout: true,
    stderr: true,
    // Past it the thread ends, and not the process.
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let hasEnded = false;
  let settle: ((reply: CustomReply) => void) | undefined;
  const end = (problem: string) => {
    hasEnded = true;
    settle?.({ problem });
  };
  worker.on('message', (reply: CustomReply) => settle?.(reply));
  worker.on('error', (error) => end(`it broke: ${oneLine(messageOf(error))}`));
  worker.on('exit', (code) => end(`it ended its thread (exit code ${code})`));
  // Between two questions it holds nobody up.
  worker.unref();
  return {
    get hasEnded() {
      return hasEnded;
    },
    async ask(input) {
      worker.ref();
      const reply = await new Promise<CustomReply>((resolve) => {
        settle = resolve;
        worker.postMessage(input);
      });
      settle = undefined;
      worker.unref();
      return reply;
    },
    async stop() {
      hasEnded = true;
      await worker.terminate();
    },
  };
}

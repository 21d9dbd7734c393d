import { createRequire } from 'node:module';
import type { Worker } from 'node:worker_threads';
import { oneLine } from '../quote.js';
import { messageOf } from '../suite-file.js';
import { type CustomReply, type TimeLimit, withinLimit } from './limit.js';
import { workerSource } from './worker.js';

/** Threads of one module that wait for the next trial; a run of many trials at once may use more. */
const mostIdle = 4;

/** By file. A module is loaded once a thread, so an edit during a run changes nothing of it. */
const idle = new Map<string, Worker[]>();

/**
 * Asks the function of a module (absolute path; TypeScript through jiti, JavaScript as it is). It runs in a thread of
 * its own, because code in ours could neither be stopped when it runs in circles nor be kept from ending the process.
 */
export async function askModule(file: string, input: string, limit: TimeLimit): Promise<CustomReply> {
  limit.signal?.throwIfAborted();
  const worker = takeIdle(file) ?? (await startWorker(file));
  worker.ref();
  let hasEnded = false;
  const replied = new Promise<CustomReply>((resolve) => {
    worker.once('message', (reply: CustomReply) => resolve(reply));
    worker.once('error', (error) => {
      hasEnded = true;
      resolve({ problem: `it broke: ${oneLine(messageOf(error))}` });
    });
    worker.once('exit', (code) => {
      hasEnded = true;
      resolve({ problem: `it ended its thread (exit code ${code})` });
    });
    worker.postMessage(input);
  });
  const reply = await withinLimit(limit, replied, async () => {
    hasEnded = true;
    await worker.terminate();
  });
  worker.removeAllListeners();
  if (hasEnded) worker.on('error', () => {});
  else giveBack(file, worker);
  return reply;
}

function takeIdle(file: string): Worker | undefined {
  const worker = idle.get(file)?.pop();
  worker?.removeAllListeners();
  return worker;
}

/** A thread that breaks while it waits, by something that it left running, is forgotten. */
function giveBack(file: string, worker: Worker): void {
  const waiting = idle.get(file) ?? [];
  idle.set(file, waiting);
  const forget = () => {
    const at = waiting.indexOf(worker);
    if (at >= 0) waiting.splice(at, 1);
  };
  worker.on('error', forget);
  worker.on('exit', forget);
  worker.unref();
  waiting.push(worker);
  if (waiting.length > mostIdle) waiting.shift()?.terminate();
}

async function startWorker(file: string): Promise<Worker> {
  const { Worker: Thread } = await import('node:worker_threads');
  const jiti = createRequire(import.meta.url).resolve('jiti');
  const worker = new Thread(workerSource, {
    eval: true,
    workerData: { file, jiti },
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
  return worker;
}

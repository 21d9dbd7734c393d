import { type CustomReply, type TimeLimit, withinLimit } from './limit.js';
import { type CheckThread, startThread } from './thread.js';

/** Threads of one module that wait for the next trial; a run of many trials at once may use more. */
const mostIdle = 4;

/** By file. A module is loaded once a thread, so an edit during a run changes nothing of it. */
const idle = new Map<string, CheckThread[]>();

/**
 * Asks the function of a module (absolute path; TypeScript through jiti, JavaScript as it is). It runs in a thread of
 * its own, because code in ours could neither be stopped when it runs in circles nor be kept from ending the process.
 */
export async function askModule(file: string, input: string, limit: TimeLimit): Promise<CustomReply> {
  limit.signal?.throwIfAborted();
  const waiting = idle.get(file) ?? [];
  idle.set(file, waiting);
  const thread = takeWorking(waiting) ?? (await startThread(file));
  const reply = await withinLimit(limit, thread.ask(input), () => thread.stop());
  if (!thread.hasEnded) waiting.push(thread);
  if (waiting.length > mostIdle) await waiting.shift()?.stop();
  return reply;
}

/** One that has broken while it waited, by something that it left running, is passed over. */
function takeWorking(waiting: CheckThread[]): CheckThread | undefined {
  for (let thread = waiting.pop(); thread; thread = waiting.pop()) if (!thread.hasEnded) return thread;
  return undefined;
}

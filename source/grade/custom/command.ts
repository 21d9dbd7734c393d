import { startChild } from '../../target/command/child-process.js';
import { quote } from '../quote.js';
import { type CustomReply, type TimeLimit, withinLimit } from './limit.js';

/** Bytes of an answer; a verdict with its reason is far shorter. */
const mostOutput = 1_000_000;
/** Bytes of the last of what it wrote to its error output. */
const keptErrors = 2000;
/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 500;

export interface CommandCall {
  /** Program and arguments; there is no shell. */
  command: readonly string[];
  /** Absolute. */
  folder: string;
  env: Record<string, string | undefined>;
}

/**
 * Starts a program, gives it the input on its standard input and takes its whole standard output for the answer.
 * When it has answered, runs out of time or the trial is aborted, all that it started is ended with it.
 */
export async function askCommand(call: CommandCall, input: string, limit: TimeLimit): Promise<CustomReply> {
  const { ms, clock, signal } = limit;
  signal?.throwIfAborted();
  const output = createTail(mostOutput + 1);
  const errors = createTail(keptErrors);
  const child = await startChild({
    command: call.command,
    cwd: call.folder,
    env: definedOf(call.env),
    clock,
    // It is given its whole time to end by itself: its input is closed at once.
    graceMs: { exit: ms + graceMs, kill: graceMs },
    onStdout: output.add,
    onStderr: errors.add,
    cleanUp: { later: async () => {}, now: () => {} },
  });
  child.write(input);
  const ended = child.stop('gently');
  const reply = Promise.all([child.exited, ended]).then(([exit]): CustomReply => {
    const last = errors.text().trim().split('\n').at(-1) ?? '';
    const said = last === '' ? '' : `; it said ${quote(last, 120)}`;
    if (exit.error !== undefined) return { problem: `it could not be started (${exit.error})` };
    if (exit.signal !== undefined) return { problem: `it was ended by ${exit.signal}${said}` };
    if (exit.code !== 0) return { problem: `it ended with exit code ${exit.code}${said}` };
    if (output.length() > mostOutput) return { problem: 'its answer is longer than a megabyte' };
    return { answer: output.text() };
  });
  return withinLimit(limit, reply, () => child.stop('now'));
}

/** The last bytes of a stream. */
function createTail(most: number): { add(chunk: Uint8Array): void; text(): string; length(): number } {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= most * 2) return;
      const kept = Buffer.concat(chunks).subarray(-most);
      chunks = [kept];
      length = kept.length;
    },
    text: () => Buffer.concat(chunks).subarray(-most).toString('utf8'),
    length: () => length,
  };
}

function definedOf(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

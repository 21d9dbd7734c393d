import { format } from 'node:util';

const mostLines = 200;

/**
 * Keeps what anything else in the process prints (warnings of Node, a stray console call in a user's module) off
 * the screen until the app has ended. The returned function gives the streams back and prints what was held, the
 * last 200 pieces of it, to `stderr`.
 */
export function holdOutput(stderr: NodeJS.WriteStream): () => void {
  const held: string[] = [];
  const hold = (text: string) => {
    held.push(text);
    if (held.length > mostLines) held.shift();
  };
  const write = stderr.write;
  stderr.write = ((text: string | Uint8Array, ...rest: unknown[]) => {
    hold(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    const done = rest.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  }) as typeof stderr.write;

  const names = ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const;
  const originals = names.map((name) => [name, console[name]] as const);
  for (const name of names) console[name] = (...args: unknown[]) => hold(`${format(...args)}\n`);

  let isHolding = true;
  return () => {
    if (!isHolding) return;
    isHolding = false;
    stderr.write = write;
    for (const [name, original] of originals) console[name] = original;
    for (const text of held) stderr.write(text);
  };
}

// What the small programs of these tests share: reads requests, and answers those that a handler takes.
import { createInterface } from 'node:readline';

export function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** `handlers`: method → function from params and id to a result; undefined: the handler has answered, or will not. */
export function serve(handlers) {
  const usual = { open: () => ({ session: 's1' }), close: () => ({}) };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = { ...usual, ...handlers }[method](params, id);
    if (result !== undefined) say({ id, result });
  });
}

import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createOutput, writeLines } from '../../source/commands/shared/output.js';

it('listens to a stream that takes no more once, however much is written, and no longer than that', async () => {
  const taken: (() => void)[] = [];
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => taken.push(done) });
  const { write } = createOutput(stream as unknown as NodeJS.WriteStream);
  const written = Array.from({ length: 20 }, (_, at) => write(`line ${at}\n`));
  expect(stream.listenerCount('error')).toBe(1);
  const goOn = () => {
    for (const done of taken.splice(0)) done();
    if (stream.writableLength > 0) setImmediate(goOn);
  };
  goOn();
  await Promise.all(written);
  expect(stream.listenerCount('error')).toBe(0);
  const after = write('one more\n');
  goOn();
  await after;
});

it('breaks lines of a terminal between words, and never a path, so that it can be copied', async () => {
  let text = '';
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    }),
    { isTTY: true, columns: 40 },
  ) as unknown as NodeJS.WriteStream;
  const path = '/home/somebody/.local/state/evalrun/20261130-205510-zb4h/journal.jsonl';
  await writeLines(stream, [`journal  ${path}`, `says     ${'many words '.repeat(6).trim()}`]);
  const [first, ...rest] = text.trimEnd().split('\n');
  expect(first).toBe(`journal  ${path}`);
  expect(rest.length).toBeGreaterThan(1);
  for (const line of rest) expect(line.length).toBeLessThanOrEqual(40);
});

import { expect, it } from 'vitest';
import { createWaits } from '../../source/commands/shared/wait.js';
import { createIo } from './io.js';

it('what takes long is told in a line where there is no terminal, and once', async () => {
  const told: string[] = [];
  let finish: (result: string) => void = () => {};
  const work = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const write = (text: string) => {
    told.push(text);
    finish('done');
  };
  const io = Object.assign(createIo('.').io, { stderr: { write } });
  const waits = createWaits({}, io, { tellsInLines: true });
  expect(await waits.during('counting\u001b[31m', work)).toBe('done');
  expect(told).toEqual(['counting␛[31m …\n']);
});

it('what is there at once, or fails at once, is not told of', async () => {
  const { io, printed } = createIo('.');
  const waits = createWaits({}, io, { tellsInLines: true });
  expect(await waits.during('counting', Promise.resolve(3))).toBe(3);
  const failing = Promise.reject(new Error('it cannot be counted'));
  await expect(waits.during('counting', failing)).rejects.toThrow('it cannot be counted');
  expect(printed()).toBe('');
});

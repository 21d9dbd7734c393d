import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../source/base/make-folder.js';

it('a folder is made with those above it, also when all are there', async () => {
  const top = await mkdtemp(path.join(tmpdir(), 'evalrun-folder-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const folder = path.join(top, 'a/b/c');
  for (let time = 0; time < 2; time++) await makeFolder(folder, 0o700);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(path.dirname(folder))).mode & 0o777).toBe(0o700);
  await Promise.all([1, 2, 3].map((name) => makeFolder(path.join(top, `x/y/${name}`))));
});

it.skipIf(process.platform !== 'linux')(
  'a folder that cannot be made is an error, and no search without end',
  async () => {
    await expect(makeFolder('/proc/nope/runs/suite')).rejects.toThrow('ENOENT');
  },
);

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readDocuments } from '../../source/base/document.js';
import { readSuiteFile } from '../../source/grade/suite-file.js';

async function folderOf() {
  const folder = await mkdtemp(join(tmpdir(), 'evalrun-odd-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function mistakeOf(folder: string, name: string): Promise<string | undefined> {
  return (await readDocuments(join(folder, name), name)).problems[0]?.message;
}

it('a folder in the place of a file is named as one', async () => {
  const folder = await folderOf();
  await mkdir(join(folder, 'a.yaml'));
  expect(await mistakeOf(folder, 'a.yaml')).toBe('this is a folder; a file was expected');
});

it('a file that is larger than anybody writes is not read', async () => {
  const folder = await folderOf();
  await writeFile(join(folder, 'a.json'), '');
  await truncate(join(folder, 'a.json'), 2 * 1024 ** 3);
  expect(await mistakeOf(folder, 'a.json')).toBe('the file has 2048 MiB; at most 64 are read');
  expect(() => readSuiteFile(folder, 'a.json')).toThrow(
    '"a.json": the file has 2048 MiB; at most 64 are read',
  );
});

it.skipIf(process.platform === 'win32')('devices and pipes are refused, also behind a link', async () => {
  const folder = await folderOf();
  await symlink('/dev/zero', join(folder, 'zero.yaml'));
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
  const refused = 'this is no regular file but a pipe, a socket or a device';
  expect(await mistakeOf(folder, 'zero.yaml')).toBe(refused);
  expect(await mistakeOf(folder, 'pipe.yaml')).toBe(refused);
  expect(() => readSuiteFile(folder, 'pipe.yaml')).toThrow(refused);
});

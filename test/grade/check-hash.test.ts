import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkHash } from '../../source/grade/check-hash.js';
import type { CheckSpec } from '../../source/suite/types.js';

const spec: CheckSpec = {
  id: 'no-refund',
  type: 'pattern_absent',
  args: { pattern: 'refund' },
  place: { file: 's.yaml', line: 1, column: 1 },
};

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'evalrun-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

test('a default that is written out asks the same', () => {
  expect(checkHash({ ...spec, absolute: true, on: 'replies' })).toBe(checkHash(spec));
  expect(checkHash({ ...spec, id: 'other' })).toBe(checkHash(spec));
});

test('what changes the question changes the hash', () => {
  const others: CheckSpec[] = [
    { ...spec, absolute: false },
    { ...spec, on: 'last' },
    { ...spec, axis: 'money' },
    { ...spec, args: { pattern: 'refunds' } },
    { ...spec, type: 'pattern_present' },
  ];
  expect(new Set([spec, ...others].map((one) => checkHash(one))).size).toBe(6);
});

test('the text of a file that a check names belongs to it', async () => {
  const words: CheckSpec = { ...spec, type: 'keywords_absent', args: { file: 'words.txt' } };
  const custom: CheckSpec = { ...spec, type: 'custom', args: { command: ['node', 'check.mjs'] } };
  const one = await folderWith({ 'words.txt': 'refund\n', 'check.mjs': 'a' });
  const same = await folderWith({ 'words.txt': 'refund\n', 'check.mjs': 'a' });
  const other = await folderWith({ 'words.txt': 'money back\n', 'check.mjs': 'b' });
  for (const check of [words, custom]) {
    expect(checkHash(check, same)).toBe(checkHash(check, one));
    expect(checkHash(check, other)).not.toBe(checkHash(check, one));
  }
});

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findMissingPackage } from '../../source/base/missing-package.js';

/** What node says when a program imports this, in a folder with these files. */
async function errorOf(imported: string, files: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'evalrun-test-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const program = `import(${JSON.stringify(imported)}).catch((e) => console.log(JSON.stringify([e.code, e.message])));`;
  for (const [name, text] of Object.entries({ ...files, 'dist/evalrun.mjs': program })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const started = join(root, 'dist/evalrun.mjs');
  const [code, message] = JSON.parse(spawnSync(process.execPath, [started], { encoding: 'utf8' }).stdout);
  return { error: Object.assign(new Error(message), { code }), program: pathToFileURL(started).href };
}

test('a package that is not installed is named, with what to run', async () => {
  const { error, program } = await errorOf('@scope/gone/part');
  expect(findMissingPackage(error, program)).toMatch(
    /^a package is missing: "@scope\/gone" .+; run npm ci in \S+$/,
  );
});

test('and so is one of which only a part is there', async () => {
  const half = {
    'node_modules/half/package.json': '{"name": "half", "type": "module", "main": "./index.js"}',
  };
  const { error, program } = await errorOf('half', half);
  expect(findMissingPackage(error, program)).toContain('"half"');
  const inner = {
    'node_modules/whole/index.js': 'require("gone")',
    'node_modules/whole/package.json': '{"main": "index.js"}',
  };
  const nested = await errorOf('whole', inner);
  expect(findMissingPackage(nested.error, nested.program)).toContain('"gone"');
});

test('a file of ours that is missing, a package of a product, and any other error are something else', async () => {
  const { error, program } = await errorOf('./cli.js');
  expect(findMissingPackage(error, program)).toBeUndefined();
  const other = await errorOf('gone');
  expect(findMissingPackage(other.error, program)).toBeUndefined();
  expect(findMissingPackage(new Error("Cannot find package 'x'"), program)).toBeUndefined();
});

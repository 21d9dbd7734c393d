import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, 'node_modules/.cache/evalrun-build');
const stamp = path.join(cache, 'stamp');
const entry = path.join(root, 'dist/evalrun.js');

function newestIn(folder: string): number {
  let newest = 0;
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (item.isFile()) newest = Math.max(newest, statSync(path.join(item.parentPath, item.name)).mtimeMs);
  }
  return newest;
}

function isStale(): boolean {
  if (!existsSync(entry) || !existsSync(stamp)) return true;
  const newest = Math.max(
    newestIn(path.join(root, 'source')),
    statSync(path.join(root, 'build.mjs')).mtimeMs,
  );
  return newest >= statSync(stamp).mtimeMs;
}

/**
 * Builds the program once before the tests that start it, unless what stands in dist/ is newer than every source
 * file. A type error is printed and does not stop the tests: the emitted program is what they test, and
 * `npm run typecheck` is where types fail.
 */
export default function buildProgram(): void {
  if (!isStale()) return;
  mkdirSync(cache, { recursive: true });
  rmSync(stamp, { force: true });
  const started = new Date();
  const result = spawnSync(process.execPath, ['build.mjs'], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0)
    throw new Error(`test/build.ts: the build failed\n${result.stdout}${result.stderr}`);
  if (!existsSync(entry)) throw new Error('test/build.ts: the build wrote no dist/evalrun.js');
  writeFileSync(stamp, `${started.toISOString()}\n`);
}

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('a process that something else ends, before a verdict was said, is no pass', () => {
  const ender = 'setInterval(() => process.listenerCount("uncaughtException") > 0 && process.exit(0), 0)';
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${ender}`, path.join(root, 'dist/evalrun.js'), 'check'],
    { cwd: root, encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
});

it('the version is said with exit code 0', () => {
  const { status } = spawnSync(process.execPath, [path.join(root, 'dist/evalrun.js'), '--version']);
  expect(status).toBe(0);
});

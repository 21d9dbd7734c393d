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

it('a mistake of ours is told with exit code 3, and no key of the environment with it', () => {
  const faulty =
    'const timer = setInterval(() => { if (process.listenerCount("uncaughtException") === 0) return; clearInterval(timer); throw new Error("cannot sign in with " + process.env.AGENT_TOKEN); }, 0)';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${faulty}`, path.join(root, 'dist/evalrun.js'), 'check'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, AGENT_TOKEN: 'marked-key-1' } },
  );
  expect(status).toBe(3);
  expect(stderr).toMatch(/^evalrun: a mistake in evalrun itself, please report it\n/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what stands for a secret is the name of its variable
  expect(stderr).toContain('cannot sign in with ${AGENT_TOKEN}');
  expect(stderr).not.toContain('marked-key-1');
});

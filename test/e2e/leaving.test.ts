import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startApp, startUnderShell, type TerminalApp } from './driver.js';

const wide = { columns: 160 };

const evalrun = (args: string) => `"$NODE" "$EVALRUN" ${args}`;

/** The terminal as a shell wants it: main screen, cursor shown, cooked mode. */
function expectRestored(app: TerminalApp): void {
  expect(app.isAlternate()).toBe(false);
  expect(app.bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(app.bytes.lastIndexOf('\x1b[?25l'));
  expect(app.bytes.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(app.bytes.lastIndexOf('\x1b[?2004h'));
  expect(app.screen()).toMatch(/(?<!-)\bicanon\b/);
}

describe('leaving the app', () => {
  it('finishes what is in flight after the first Ctrl+C, and keeps the screens open', async () => {
    const app = startUnderShell(evalrun('run slow --concurrency 2'), wide);
    await app.waitFor('2 in flight');
    app.press('ctrl+c');
    await app.waitFor(/Ctrl\+C again aborts/);
    await app.waitFor('stopped');
    expect(app.screen()).toMatch(/wait-1 +● {5}/);
    app.press('q');
    await app.waitFor('shell-is-back');
    expect(app.screen()).toContain('exit=130');
    expectRestored(app);
  });

  it('aborts at the second Ctrl+C', async () => {
    const app = startUnderShell(evalrun('run slow --concurrency 2'), wide);
    await app.waitFor('2 in flight');
    app.press('ctrl+c', 'ctrl+c');
    await app.waitFor('shell-is-back');
    expect(app.screen()).toContain('exit=130');
    expectRestored(app);
  });

  it('asks before it leaves a run that is going', async () => {
    const app = startUnderShell(evalrun('run slow --concurrency 2'), wide);
    await app.waitFor('2 in flight');
    app.press('q');
    await app.waitFor('leave the run?');
    app.press('n');
    await app.waitUntilGone('leave the run?');
    app.press('q');
    await app.waitFor('leave the run?');
    app.press('y');
    await app.waitFor('shell-is-back');
    expect(app.screen()).toContain('exit=130');
    expectRestored(app);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'restores the terminal on %s, and the run can be resumed',
    async (signal) => {
      const app = startUnderShell(evalrun('run slow --concurrency 2'), wide);
      await app.waitFor('2 in flight');
      const pid = execFileSync('pgrep', ['-P', String(app.pid)], { encoding: 'utf8' });
      process.kill(Number(pid), signal);
      await app.waitFor('shell-is-back');
      expect(app.screen()).toContain('exit=130');
      expect(app.screen()).toMatch(/go on with: .*--resume/);
      expectRestored(app);
    },
  );

  it('ends when its window is closed', async () => {
    const app = startApp(['run', 'slow', '--concurrency', '1']);
    await app.waitFor('1 in flight');
    const { pid } = app;
    app.hangUp();
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });

  it('leaves the alternate screen before it tells of a mistake of its own', async () => {
    const fixture = path.join(import.meta.dirname, 'broken-app.ts');
    const tsx = path.join(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs');
    const tsconfig = path.join(import.meta.dirname, '../../tsconfig.json');
    for (const kind of ['throw', 'reject']) {
      const app = startUnderShell(`"$NODE" ${tsx} --tsconfig ${tsconfig} ${fixture} ${kind}`, wide);
      await app.waitFor('shell-is-back');
      expect(app.screen()).toContain(`a mistake that ${kind}s`);
      expect(app.screen()).toContain('exit=1');
      expectRestored(app);
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from './driver.js';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const program = path.join(root, 'dist/evalrun.js');

/** The shipped project with no labels, and one run of some of its scenarios. */
function projectWithRun() {
  const home = mkdtempSync(path.join(tmpdir(), 'evalrun-e2e-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = path.join(home, 'project');
  for (const name of ['suites', 'prompts', 'simulated', 'judges', '.evalrc.json'])
    cpSync(path.join(root, name), path.join(project, name), { recursive: true });
  const labels = path.join(project, 'judges/default.labels.yaml');
  rmSync(labels);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    EVALRUN_LOGS: path.join(home, 'logs'),
    EVALRUN_SIMULATED_LATENCY: '0',
  };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { cwd: project, env, encoding: 'utf8' });
  run(
    'run',
    'support-agent',
    '--scenario',
    'name-change-basic-economy-*',
    '--seed',
    '7',
    '--repeat',
    '1',
    '--plain',
  );
  return { home, labels, run };
}

describe('evalrun review in a terminal', () => {
  it('labels a run, says how far the judge agrees, and goes on where it was left', async () => {
    const { home, labels, run } = projectWithRun();
    const env = { USER: 'ada', CI: 'false' };
    const app = startApp(['review'], { home, columns: 100, rows: 30, env });
    await app.waitFor('hidden until you have said yours');
    expect(app.screen()).toContain('1 of 4');
    app.press('5');
    await app.waitFor(/judge +\d of 5/);
    app.press('enter');
    await app.waitFor('2 of 4');
    app.press('n');
    await app.waitFor('note ');
    app.press('too stern', 'enter', '1');
    await app.waitFor(/you +1 of 5: fail/);
    app.press('q');
    const { code } = await app.exit;
    expect(code).toBe(0);
    expect(app.isAlternate()).toBe(false);
    expect(app.screen()).toContain('2 labelled in judges/default.labels.yaml, 2 left');
    expect(app.screen()).toMatch(/agrees +\d of 2/);
    const text = readFileSync(labels, 'utf8');
    expect(text.match(/^by: ada$/gm)).toHaveLength(2);
    expect(text).toContain('note: too stern');

    const list = run('review', '--plain').stdout;
    expect(list).toContain('2 verdicts of run');
    expect(list).toContain('2 verdicts have a label');
    const again = startApp(['review'], { home, columns: 100, rows: 30, env });
    await again.waitFor('1 of 2');
    again.press('ctrl+c');
    expect((await again.exit).code).toBe(0);
    expect(readFileSync(labels, 'utf8')).toBe(text);
  });

  it('lists what is to be reviewed without what the judge said of it', () => {
    const { run } = projectWithRun();
    const { stdout } = run('review', '--json');
    const found = JSON.parse(stdout);
    expect(found.cases).toHaveLength(4);
    expect(found.cases[0]).toMatchObject({
      check: { type: 'judge' },
      from: { suite: 'support-agent', trial: 1 },
    });
    expect(stdout).not.toMatch(/"judged"|"reason"/);
  });
});

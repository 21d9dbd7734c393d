import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startApp, type TerminalApp } from './driver.js';

const flaky = 'shows-what-cannot-be-seen';
const env = { CI: 'false', EVALRUN_SIMULATED_LATENCY: '0' };

/** A project of Ada's in git with three runs, one trial each, of which the second one came out otherwise. */
async function flakyProject(): Promise<string> {
  const run = (seed: number, home?: string) =>
    startApp(['run', 'tiny', '--no-baseline', '--seed', String(seed), '--repeat', '1', '--plain'], {
      env,
      ...(home !== undefined && { home }),
    });
  const first = run(4);
  await first.exit;
  const { home } = first;
  for (const seed of [5, 8]) await run(seed, home).exit;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path.join(home, 'project') });
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  return home;
}

async function quarantine(app: TerminalApp, reason: string): Promise<void> {
  app.press('x');
  await app.waitFor(`quarantine ${flaky}:`);
  app.press('c');
  await app.waitFor('quarantine, why?');
  app.press(reason, 'enter');
  await app.waitFor('who owns it? Ada');
  app.press('enter');
  await app.waitFor(/last day\? \d{4}-\d\d-\d\d/);
  app.press('enter');
  await app.waitFor('u takes it back');
}

describe('the triage', () => {
  it('quarantines a flake with a reason, takes that back, does it again, and releases it', async () => {
    const home = await flakyProject();
    const file = path.join(home, 'project/suites/tiny/quarantine.yaml');
    const app = startApp(['triage', 'tiny'], { home, env, columns: 120 });
    await app.waitFor(/▸ shows-what.* is-plain +✖●✖ +2 .*quarantine/);

    await quarantine(app, 'the model is unsure');
    await app.waitFor('1 of 3 quarantined');
    expect(readFileSync(file, 'utf8')).toMatch(/owner: Ada\n {2}reason: the model is unsure\n/);
    app.press('u');
    await app.waitFor('taken back: quarantined until');
    await app.waitFor('0 of 3 quarantined');
    expect(existsSync(file)).toBe(false);

    await quarantine(app, 'it is unsure still');
    app.press('r');
    await app.waitFor(`release ${flaky} / is-plain?`);
    app.press('y');
    await app.waitFor('released, from the next run on');
    expect(readFileSync(file, 'utf8')).not.toContain('unsure');

    app.press('enter');
    await app.waitFor('1 place differs');
    expect(app.screen()).toMatch(/● pass .*✖ fail/);
    expect(app.screen()).toMatch(/There is nothing odd here\. .*Odd: /);
    app.press('q');
    await app.waitFor('clean runs');
    app.press('q');
    expect((await app.exit).code).toBe(0);
    expect(app.isAlternate()).toBe(false);
    expect(app.screen()).toContain('suggested: quarantine, for 2 flips with nothing changed');
  });

  it('hands the terminal to the editor and takes it back, runs the scenario, and counts that run', async () => {
    const home = await flakyProject();
    const editor = `sh -c 'echo "editing $*"; stty -a | grep -ow "[-]*icanon"; read answer; echo "read $answer"' sh`;
    const app = startApp(['triage', 'tiny'], { home, env: { ...env, EDITOR: editor }, columns: 120 });
    await app.waitFor('3 clean runs');
    app.press('E');
    await app.waitFor(/editing \+\d+ .*suites\/tiny\/scenarios.yaml/);
    await app.waitFor(/^icanon/m);
    expect(app.isAlternate()).toBe(false);
    expect(app.bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(app.bytes.lastIndexOf('\x1b[?25l'));
    app.press('xq', 'enter');
    await app.waitFor(`run ${flaky} again?`);
    expect(app.isAlternate()).toBe(true);
    expect(app.bytes).toContain('read xq');
    app.press('y');
    await app.waitFor(/completed/);
    expect(app.screen()).toMatch(/▸ shows-what-cannot-be-seen .*(PASS|WARN|FAIL)/);
    app.press('q');
    await app.waitFor('4 clean runs');
    app.press('q');
    expect((await app.exit).code).toBe(0);
  });

  it('leaves Ctrl+C to the editor, and says what became of it', async () => {
    const home = await flakyProject();
    const editor = `sh -c 'echo "editing"; read answer' sh`;
    const app = startApp(['triage', 'tiny'], { home, env: { ...env, EDITOR: editor } });
    await app.waitFor('3 clean runs');
    app.press('E');
    await app.waitFor('editing');
    app.press('ctrl+c');
    await app.waitFor(/ended with (SIGINT|exit code 130)/);
    expect(app.isAlternate()).toBe(true);
    app.press('q');
    expect((await app.exit).code).toBe(0);
  });
});

it('the triage takes a suite by its path, as a shell completes it', async () => {
  const app = startApp(['triage', 'suites/tiny/'], { env });
  await app.waitFor('no clean run yet');
  app.press('q');
  expect((await app.exit).code).toBe(0);
});

it('a scenario is quarantined from the grid of a run, which stays what it was', async () => {
  const home = await flakyProject();
  const app = startApp(['show', 'last'], { home, env, columns: 120 });
  await app.waitFor('0 error');
  await app.grid.select(flaky);
  app.press('x');
  await app.waitFor('c is-plain  s all checks  t triage');
  app.press('s');
  await app.waitFor('quarantine, why?');
  app.press('flips', 'enter');
  await app.waitFor('who owns it? Ada');
  app.press('enter', 'enter');
  await app.waitFor('next run: quarantined, flips');
  expect(app.grid.selected()).toContain('FAIL');
  expect(app.screen()).toMatch(/1 fail.* next run: \+1 quarantined/);
  app.press('u');
  await app.waitFor('taken back');
  await app.waitUntilGone('next run: quarantined');
  app.press('x');
  await app.waitFor('t triage');
  app.press('t');
  await app.waitFor('3 clean runs');
  app.press('q');
  await app.waitUntilGone('3 clean runs');
  app.press('q');
  expect((await app.exit).code).toBe(1);
});

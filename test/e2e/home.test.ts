import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newHome, startApp, type TerminalApp } from './driver.js';

const onScreen = { CI: 'false' };

/** Moves the marker down to a row. */
async function select(app: TerminalApp, text: string): Promise<void> {
  const selected = () => app.lines().find((line) => line.startsWith('▸')) ?? '';
  app.press('g');
  await app.waitFor(/▸ greetings/);
  while (!selected().includes(text)) {
    const before = selected();
    app.press('down');
    await app.waitUntilGone(before);
  }
}

it('home makes the usual run of a suite; left halfway, it is gone on with from there', async () => {
  const app = startApp([], { env: onScreen });
  await app.waitFor('nothing was run yet');
  await select(app, 'slow');
  await app.waitFor('run slow --candidate');
  app.press('r');
  await app.waitFor(/slow .*v2 vs v1/);
  app.press('escape');
  await app.waitFor('leave the run?');
  app.press('y');
  await app.waitFor('1 unfinished');

  await select(app, 'v2 on simulated:slow');
  // Where the command has no room on one line it goes on below.
  await app.waitFor(/--resume\s+\d{8}-/);
  app.press('enter');
  await app.waitFor(/\d\/12 .*in flight|12\/12/);
  await app.waitFor('12/12');
  app.press('escape');
  await app.waitFor(/slow +PASS +now/);
  expect(app.screen()).not.toContain('unfinished');
  app.press('q');
  expect((await app.exit).code).toBe(0);
  expect(app.isAlternate()).toBe(false);
  const words = app.bytes.slice(app.bytes.lastIndexOf('\x1b[?1049l'));
  expect(words.match(/reopen with/g)).toHaveLength(1);
  expect(words).not.toContain('INTERRUPTED');
  expect(readdirSync(path.join(app.home, 'logs/slow'))).toHaveLength(1);
});

it('home goes on with a bisect that was stopped', async () => {
  const home = newHome();
  const prompt = (name: string, text: string) =>
    writeFileSync(path.join(home, `project/prompts/tiny/${name}.md`), `${text}\n`);
  prompt('v3', 'You answer for a shop.\n\nKeep it short.\n\nRefunds are made within 30 days.');
  prompt('v4', 'You answer for a little shop.\n\nKeep it very short.\n\nBe generous with refunds.');
  const line = 'bisect tiny --good v3 --bad v4 --check refuses-late-refund/names-window'.split(' ');
  const first = startApp([...line, '--seed', '7'], { home, env: onScreen });
  await first.waitFor('Enter begins');
  first.press('enter');
  await first.waitFor('they separate');
  first.press('q');
  await first.exit;

  const app = startApp([], { home, env: onScreen });
  await app.waitFor(/bisect v3 → v4/);
  await select(app, 'tiny');
  // Whom it asks is known once the files of its suite are read.
  await app.waitFor('run tiny --candidate');
  app.press('u');
  await app.waitFor('they separate');
  app.press('q');
  await app.waitFor(/home +tiny/);
  await app.waitFor('the bisect goes on with');
  app.press('q');
  await app.exit;
  expect(app.screen()).toContain('NOT FINISHED: 4 of at most');
  expect(app.screen()).toMatch(/bisect --resume\s+\d{8}-/);
});

it('what a scenario came to that was run again from the triage over home is told at the end', async () => {
  const env = { ...onScreen, EDITOR: 'true', EVALRUN_SIMULATED_LATENCY: '0' };
  const first = startApp(['run', 'tiny', '--no-baseline', '--seed', '7', '--plain'], { env });
  await first.exit;
  const app = startApp([], { home: first.home, env });
  await app.waitFor(/tiny +\w+ +now/);
  await select(app, 'tiny');
  app.press('x');
  await app.waitFor('1 clean run');
  app.press('a', '/', 'greets', 'enter', 'E');
  await app.waitFor('run greets-back again?');
  app.press('y');
  await app.waitFor('completed');
  app.press('q');
  await app.waitFor('6/6 passed');
  // The filter is taken back first.
  app.press('escape');
  await app.waitFor('2 clean runs');
  app.press('q');
  await app.waitFor(/home +tiny/);
  app.press('q');
  await app.exit;
  const words = app.bytes.slice(app.bytes.lastIndexOf('\x1b[?1049l'));
  expect(words).toContain('1 scenario x 3 trials');
  expect(words.match(/reopen with/g)).toHaveLength(1);
});

it('from home the history opens, two runs are marked and held against each other', async () => {
  const plain = ['run', 'tiny', '--no-baseline', '--seed', '7', '--plain'];
  const first = startApp(plain);
  await first.exit;
  const { home } = first;
  await startApp([...plain, '--candidate'], { home }).exit;

  const app = startApp([], { home, env: onScreen });
  await app.waitFor(/tiny +FAIL +now/);
  await select(app, 'tiny');
  app.press('h');
  await app.waitFor('2 clean runs');
  app.press(' ', 'down', ' ', 'c');
  await app.waitFor(/refuses-late-refund .* 3\/3 .* 0\/3/);
  app.press('escape');
  await app.waitFor('2 clean runs');
  // Marks are taken back first.
  app.press('escape', 'escape');
  await app.waitFor(/home +tiny/);
  app.press('c');
  await app.waitFor('refuses-late-refund');
  app.press('escape');
  await app.waitFor(/home +tiny/);
  app.press('h');
  await app.waitFor('2 clean runs');
  const baselines = path.join(home, 'project/baselines/tiny');
  app.press('p');
  await app.waitFor('not saved: a check fails in run ');
  app.press('down', 'p');
  await app.waitFor('simulated%3Atiny.yaml, a new file?');
  await app.waitFor(/new +\d+ checks of/);
  expect(existsSync(baselines)).toBe(false);
  app.press('y');
  await app.waitFor('saved baselines/tiny/simulated%3Atiny.yaml');
  expect(readdirSync(baselines)).toEqual(['simulated%3Atiny.yaml']);
  app.press('up', 'D');
  await app.waitFor('there is no undo');
  app.press('y');
  await app.waitFor('1 clean run');
  await app.waitFor('deleted: ');
  expect(readdirSync(path.join(home, 'logs/tiny'))).toHaveLength(1);
  app.press('escape');
  await app.waitFor(/tiny +PASS +now/);
  app.press('q');
  expect((await app.exit).code).toBe(0);
});

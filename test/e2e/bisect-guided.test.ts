import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { addPrompts, guiltyHunk, hunkCount, narrowedText, slowDown } from '../commands/bisect-project.js';
import { newHome, startApp, type TerminalApp } from './driver.js';

/** The fixture project with two prompts between which hunks lie, and answers that take their time. */
function bisectHome(): string {
  const home = newHome();
  const project = path.join(home, 'project');
  addPrompts(project);
  slowDown(project, 250);
  return home;
}

const found = `FOUND: hunk ${guiltyHunk} of ${hunkCount}`;

/** Moves the marker to a hunk, wherever it is. */
async function select(app: TerminalApp, hunk: number): Promise<void> {
  app.press('g');
  await app.waitFor(/▸ +(?:what|v3)/);
  for (let step = 0; !new RegExp(`▸ +${hunk} `).test(app.screen()); step++) {
    if (step > 12) throw new Error(`hunk ${hunk} is not in the list:\n${app.screen()}`);
    const before = app.lines().find((line) => line.includes('▸'));
    app.press('down');
    await app.waitUntilGone(before ?? '');
  }
}

/** Runs the step of a hunk until its word is asked for. */
async function runStep(app: TerminalApp, hunk: number): Promise<void> {
  await select(app, hunk);
  app.press('enter');
  await app.waitFor(new RegExp(`hunk ${hunk}: it (?:passes|fails)`));
}

it('a guided bisect is driven by keys through an override, an undo, a resize, a kill and a resume', async () => {
  const home = bisectHome();
  const line = 'bisect tiny --good v3 --bad v4 --check refuses-late-refund/names-window'.split(' ');
  const app = startApp([...line, '--seed', '7', '--concurrency', '2'], { home, columns: 100, rows: 30 });
  await app.waitFor('Enter begins');
  expect(app.screen()).toContain('what it will cost');
  app.press('enter');
  await app.waitFor('v3 passes 2/2, v4 0/2: they separate');

  await select(app, 1);
  app.press('o', 'i');
  await app.waitFor(/ 1 .* yours: inn/);

  await runStep(app, 2);
  expect(app.screen()).toContain('hunk 2: it fails without it too');
  app.press('a');
  await app.waitFor(/ 2 .* cleared +✖✖/);
  app.press('u');
  await app.waitFor('taken back: the word on hunk 2; what it cost stays spent');
  await app.waitFor('hunk 2: it fails without it too; a takes that');
  app.press('u');
  await app.waitFor('taken back: the step on hunk 2 (2 trials); what it cost stays spent');
  await app.waitFor(/6 of \d+ trials/);
  expect(app.screen()).not.toMatch(/ 2 .* cleared/);

  app.resize(60, 15);
  await app.waitFor(/state +trials/);
  app.press('tab');
  await app.waitFor('reverted:');
  app.press('escape');
  app.resize(200, 60);
  await app.waitFor(/state .*│ hunk \d of 5/);

  await select(app, 3);
  app.press('enter');
  // Trials are in flight.
  await app.waitFor(/ 3 .* testing +[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  app.signal('SIGKILL');
  expect((await app.exit).signal).toBe(9);

  const again = startApp(['bisect', '--resume', 'last'], { home, columns: 100, rows: 50 });
  // What was in flight is run again, and what was said is known still.
  await again.waitFor('hunk 3: it fails without it too');
  expect(again.screen()).toMatch(/ 1 .* yours: inn/);
  expect(again.screen()).not.toMatch(/ 2 .* cleared/);
  again.press('a');
  await again.waitFor(/ 3 .* cleared/);
  await runStep(again, guiltyHunk);
  expect(again.screen()).toContain(`hunk ${guiltyHunk}: it passes again without it`);
  again.press('t');
  await again.waitFor('Only within 30 days, sorry.');
  again.press('escape', 'a');
  // Sure enough to confirm at once, or after another step or two.
  await again.waitFor(/FOUND|Enter reverts/);
  for (let step = 0; step < 2 && !again.screen().includes('FOUND'); step++) {
    again.press('enter');
    await again.waitFor(/hunk \d: it fails/);
    again.press('a');
    await again.waitFor(/FOUND|Enter reverts/);
  }
  await again.waitFor(found);
  expect(again.screen()).toMatch(/confirmed in turns: v4 without 4 passes 2\/2, v4 0\/2/);
  again.press('w', 'y');
  await again.waitFor(/written: .*v5\.md/);
  again.press('q');
  expect((await again.exit).code).toBe(0);
  expect(again.isAlternate()).toBe(false);
  expect(again.screen()).toContain(found);
  const written = path.join(home, 'project/prompts/tiny/v5.md');
  expect(readFileSync(written, 'utf8')).toBe(narrowedText);

  const shown = startApp(['show', 'last'], { home, columns: 120, rows: 30 });
  await shown.waitFor(found);
  shown.press('a');
  await shown.waitFor('it is only shown here; it goes on with');
  await select(shown, guiltyHunk);
  shown.press('t');
  await shown.waitFor('Only within 30 days, sorry.');
  shown.press('escape', 'q');
  expect((await shown.exit).code).toBe(0);
}, 120_000);

it('a red run is bisected from its grid, in the same app, and led back to', async () => {
  const home = bisectHome();
  const prompts = ['--candidate', 'prompts/tiny/v4.md', '--baseline', 'prompts/tiny/v3.md'];
  const app = startApp(['run', 'tiny', ...prompts, '--seed', '7'], { home, columns: 120, rows: 30 });
  // Before its suspects are run again a run has ended for a moment, and has no verdict.
  await app.waitFor(/FAIL +completed/);
  app.press('n');
  await app.waitFor('▸ refuses-late-refund');
  app.press('b');
  await app.waitFor('which words did it? bisect refuses-late-refund');
  app.press('y');
  await app.waitFor('Enter begins');
  expect(app.screen()).toContain('v3 → v4   refuses-late-refund');
  app.press('enter');
  await app.waitFor('v3 passes 2/2, v4 0/2: they separate');
  app.press('q');
  await app.waitFor(/the bisect goes on with --resume \d{8}-/);
  await app.waitFor('▸ refuses-late-refund');
  // Asked for again it goes on where it was, and measures nothing twice.
  app.press('b');
  await app.waitFor('which words did it? bisect refuses-late-refund');
  app.press('y');
  await app.waitFor('v3 passes 2/2, v4 0/2: they separate');
  expect(app.screen()).toContain(' 4 of 200 trials');
  app.press('q');
  await app.waitFor(/the bisect goes on with --resume \d{8}-/);
  app.press('q');
  expect((await app.exit).code).toBe(1);
}, 60_000);

it('a bisect that nobody began is not kept', async () => {
  const home = bisectHome();
  const line = ['bisect', 'tiny', '--good', 'v3', '--bad', 'v4', '--scenario', 'refuses-late-refund'];
  const app = startApp(line, { home, columns: 100, rows: 30 });
  await app.waitFor('Enter begins');
  app.press('q');
  expect((await app.exit).code).toBe(130);
  expect(app.screen()).toContain('nothing was tried, and nothing is kept');
  const runs = path.join(home, 'logs', 'tiny');
  expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
}, 60_000);

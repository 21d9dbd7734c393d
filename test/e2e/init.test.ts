import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from './driver.js';

/** A home with a project of these files. */
function homeWith(files: Record<string, string>): string {
  const home = mkdtempSync(path.join(tmpdir(), 'evalrun-e2e-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, 'project'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, 'project', file)), { recursive: true });
    writeFileSync(path.join(home, 'project', file), text);
  }
  return home;
}

const env = { EVALRUN_SIMULATED_LATENCY: '0' };

describe('evalrun init in a terminal', () => {
  it('asks, writes what was agreed to, and shows a green grid', async () => {
    const home = homeWith({
      'prompts/desk/v1.md': 'You are the front desk of a hotel, and you help its guests.\n',
    });
    const app = startApp(['init'], { home, columns: 100, rows: 30, env });
    await app.waitFor('What is tested?');
    await app.waitFor('which one? [1]');
    app.press('9', 'enter');
    await app.waitFor('a number from 1 to 4');
    app.press('enter');
    await app.waitFor(/1 {2}prompts\/desk\/v1\.md/);
    app.press('enter');
    await app.waitFor('Name of the suite? [desk]');
    app.press('Front Desk', 'enter');
    await app.waitFor('as in front-desk');
    app.press('front-desk', 'enter');
    await app.waitFor(/Write these into .+\? \[Y\/n\]/);
    expect(readdirSync(path.join(home, 'project'))).toEqual(['prompts']);
    app.press('enter');
    await app.waitFor(/3 pass/);
    expect(app.isAlternate()).toBe(true);
    for (const scenario of ['keeps-its-instructions', 'remembers-the-name', 'says-hello'])
      expect(app.screen()).toMatch(new RegExp(`${scenario} .*● ● ● +PASS`));
    app.press('q');
    expect((await app.exit).code).toBe(0);
    expect(app.isAlternate()).toBe(false);
    expect(app.screen()).toContain('PASS: all 3 scenarios pass');
    expect(app.screen()).toContain('next:');
  });

  it.each([
    ['the first question', ['What is tested?']],
    ['the last one', ['What is tested?', 'Name of the suite?', 'Write these into']],
  ])('leaves nothing behind after ctrl+c at %s', async (_where, questions) => {
    const home = homeWith({});
    const app = startApp(['init'], { home, columns: 100, rows: 30, env });
    for (const [index, question] of questions.entries()) {
      if (index > 0) app.press('enter');
      await app.waitFor(question);
    }
    app.press('ctrl+c');
    await app.waitFor('evalrun: nothing was written');
    expect((await app.exit).code).toBe(130);
    expect(readdirSync(path.join(home, 'project'))).toEqual([]);
  });

  it('asks again where an answer names nothing', async () => {
    const home = homeWith({ 'agent.mjs': 'export {};\n' });
    const app = startApp(['init', '--target', 'module', '--no-simulated'], {
      home,
      columns: 100,
      rows: 30,
      env,
    });
    await app.waitFor('Which file is it');
    app.press('agnet.mjs', 'enter');
    await app.waitFor('there is no file agnet.mjs');
    app.press('enter');
    await app.waitFor(/Which file is it[\s\S]+Which file is it/);
    app.press('agent.mjs', 'enter');
    await app.waitFor('Name of the suite? [project]');
    app.press('enter');
    await app.waitFor('Write these into');
    app.press('n', 'enter');
    expect((await app.exit).code).toBe(130);
    expect(readdirSync(path.join(home, 'project'))).toEqual(['agent.mjs']);
  });
});

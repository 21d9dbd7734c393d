import { describe, expect, it } from 'vitest';
import { startApp } from './driver.js';

const run = ['run', 'tiny', '--candidate', '--no-baseline', '--seed', '7'];

describe('a run in the terminal', () => {
  it('compares its candidate with what is deployed, and shows what changed', async () => {
    const app = startApp(['run', 'tiny', '--candidate', '--seed', '7']);
    // Run again before it went red, on both sides.
    await app.waitFor(/refuses-late-refund +✖✖✖ \+6 +●●● \+6 +FAIL +▼ regression/);
    await app.waitFor(/greets-back +● ● ● +● ● ● +PASS +=/);
    app.press('c');
    await app.waitFor('names-window');
    app.press('enter');
    await app.waitFor('its way.');
    app.press('escape', 'escape', 'q');
    expect((await app.exit).code).toBe(1);
  });

  it('is watched, and its failing trial is found, opened and read', async () => {
    const app = startApp(run);
    await app.waitFor('completed');
    expect(app.isAlternate()).toBe(true);
    expect(app.screen()).toMatch(/greets-back +● ● ● +PASS/);
    expect(app.screen()).toMatch(/refuses-late-refund +✖ ✖ ✖ +FAIL/);
    app.press('n');
    await app.waitFor(/▸ refuses-late-refund/);
    await app.grid.open();
    await app.waitFor('Of course, the money is on its way.');
    expect(app.screen()).toContain('refuses-late-refund · trial 1 of 3 · FAIL');
    expect(app.screen()).toContain('✖ names-window');
    app.press('escape');
    await app.waitFor('▸ refuses-late-refund');
    app.press('q');
    expect(await app.exit).toEqual({ code: 1, signal: 0 });
  });

  it('leaves a plain summary in the scrollback, and the line that reopens it', async () => {
    // Wide enough for the line to stand on one line, wherever the program stands.
    const app = startApp(run, { columns: 200 });
    await app.waitFor('completed');
    app.press('q');
    await app.exit;
    expect(app.isAlternate()).toBe(false);
    expect(app.screen()).toContain('FAIL');
    const reopen = /reopen with: .* (show \S+)/.exec(app.screen())?.[1] ?? '';
    expect(reopen).toMatch(/^show \S+/);

    const again = startApp(reopen.split(' '), { home: app.home });
    await again.waitFor(/refuses-late-refund +✖ ✖ ✖ +FAIL/);
    await again.waitFor('completed');
    await (await again.grid.select('refuses-late-refund')).open();
    await again.waitFor('Of course, the money is on its way.');
    again.press('escape', 'p');
    await again.waitFor('this run is over: it is only shown here');
    again.press('q');
    expect((await again.exit).code).toBe(1);
  });

  it('shows replies as they stream', async () => {
    const app = startApp(['run', 'slow'], { env: { EVALRUN_SIMULATED_LATENCY: '5' } });
    await app.waitFor(/wait-1 .* turn 1: "Hello,/);
    await app.waitFor(/6\/6 {2}100 %/);
    app.press('q');
    expect((await app.exit).code).toBe(0);
  });

  it('adds trials to a run that has finished, and finishes again', async () => {
    const app = startApp(run);
    await app.waitFor('completed');
    app.press('r');
    await app.waitFor('10/10');
    await app.waitFor(/greets-back +● ● ● ● +PASS/);
    app.press('a', '2', 'enter');
    await app.waitFor(/greets-back +●●●●●● +PASS/);
    await app.waitFor('completed');
    app.press('q');
    expect((await app.exit).code).toBe(1);
  });

  it('shows what a model says to the terminal, and does not obey it', async () => {
    const app = startApp(['run', 'tiny', '--seed', '7', '--repeat', '6']);
    await app.waitFor('completed');
    app.press('n');
    await app.waitFor('nothing fails; this one warns');
    await app.grid.open();
    await app.waitFor('Odd: ␛[31mred␛[0m, ⟨U+202E⟩esrever⟨U+202C⟩');
    expect(app.bytes).not.toContain('\u202e');
    app.press('escape', 'q');
    await app.exit;
  });

  it('follows the size of the terminal', async () => {
    const app = startApp(run, { columns: 120, rows: 40 });
    await app.waitFor('completed');
    for (const [columns, rows] of [
      [60, 15],
      [200, 60],
      [80, 24],
    ] as const) {
      app.resize(columns, rows);
      await app.waitFor(new RegExp(`^(?:.*\n){${rows - 2}}.*\\? help\n$`));
    }
    app.resize(50, 10);
    await app.waitFor('50x10 is too small: needs 60x15');
    app.press('q');
    await app.exit;
    expect(app.bytes).not.toContain('\x1b[3J');
  });

  it('survives keys that kill Ink, and the mouse', async () => {
    const app = startApp(run);
    await app.waitFor('completed');
    app.press('ctrl+f1', '\x1b[<64;10;5M', '\x1b[M !!', 'n');
    await app.waitFor(/▸ refuses-late-refund/);
    app.press('q');
    expect((await app.exit).code).toBe(1);
  });

  it('shows several suites, and switches between them', async () => {
    const app = startApp(['run', 'greetings', 'tiny', '--seed', '7']);
    await app.waitFor('suite 1/2');
    app.press('tab');
    await app.waitFor('suite 2/2');
    await app.waitFor('refuses-late-refund');
    await app.waitFor('completed');
    app.press('q');
    await app.exit;
  });
});

describe('without a person at a terminal', () => {
  it('prints plain lines in CI, with no escape sequence', async () => {
    const app = startApp(run, { env: { CI: '1' } });
    expect((await app.exit).code).toBe(1);
    expect(app.bytes).not.toContain('\x1b');
    expect(app.screen()).toContain('FAIL');
  });

  it('draws nothing but ASCII where the locale has nothing else, and no colour where none is wanted', async () => {
    const app = startApp(run, { env: { LANG: 'C', NO_COLOR: '1' } });
    await app.waitFor('completed');
    const drawn = app.bytes;
    expect(drawn).toMatch(/^[\x1b\r\n\x20-\x7e]*$/);
    expect(drawn).not.toMatch(/\x1b\[[34][0-7]m/);
    app.press('q');
    await app.exit;
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, startApp } from './driver.js';

describe('evalrun doctor in a terminal', () => {
  it('shows what it waits for with a spinner, and leaves findings alone behind', async () => {
    // A simulated model that takes its time before the first word.
    const app = startApp(['doctor', 'slow'], {
      columns: 100,
      rows: 30,
      env: { EVALRUN_SIMULATED_LATENCY: '5' },
    });
    await app.waitFor(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] asking simulated:slow/);
    await app.waitFor(/ok {4}terminal {2}100x30; screens need 60x15/);
    await app.waitFor(/\d+ ok, \d+ to look at, 0 to mend/);
    const { code } = await app.exit;
    expect(code).toBe(0);
    expect(app.screen()).not.toContain('asking');
    expect(app.screen()).toMatch(/^ok {4}model {5}simulated:slow answers from its file/m);
    expect(app.isAlternate()).toBe(false);
    // The cursor is there again.
    expect(app.bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(app.bytes.lastIndexOf('\x1b[?25l'));
  });

  it('draws what it waits for in the theme of the person', async () => {
    const home = newHome();
    mkdirSync(path.join(home, 'config/evalrun'), { recursive: true });
    writeFileSync(path.join(home, 'config/evalrun/settings.json'), '{"theme": "none"}');
    const app = startApp(['doctor', 'slow'], { home, env: { EVALRUN_SIMULATED_LATENCY: '5' } });
    await app.waitFor(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] asking simulated:slow/);
    await app.exit;
    expect(app.bytes).not.toContain('\x1b[36m');
  });

  it('ends at ctrl+c while it waits, and gives the cursor back', async () => {
    const app = startApp(['doctor', 'slow'], { env: { EVALRUN_SIMULATED_LATENCY: '40' } });
    await app.waitFor('asking simulated:slow');
    app.press('ctrl+c');
    const { code, signal } = await app.exit;
    expect(signal === 2 || code === 130).toBe(true);
    expect(app.bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(app.bytes.lastIndexOf('\x1b[?25l'));
  });

  it('tells of a terminal that is too small', async () => {
    const app = startApp(['doctor', '--offline'], { columns: 59, rows: 30 });
    await app.waitFor('59x30 is too small');
    expect((await app.exit).code).toBe(0);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import { begun, holdBisect } from '../../bisected-run.js';
import { keys } from '../../model-fixture.js';

const sizes = [
  [60, 15],
  [80, 24],
  [109, 20],
  [110, 19],
  [200, 60],
] as const;

/** No wider and no taller than the terminal, which keeps its last line. */
function expectToFit(lines: readonly string[], columns: number, rows: number): void {
  expect(lines.length).toBeLessThanOrEqual(rows - 1);
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
}

/** Words that a prompt may hold: wide, joined, invisible, and what a terminal would obey. */
const hostile = fc.array(
  fc.constantFrom(
    '返金をお願いします',
    '👩‍👩‍👧‍👦',
    '\x1b[31mred',
    '\x1b]0;title\x07',
    '\u202eevil',
    'e\u0301\u0301\u0301',
    '\t',
    '\u200b',
    '::error::',
    'a'.repeat(90),
    '🇩🇪',
    'word',
  ),
  { minLength: 1, maxLength: 8 },
);
const words = hostile.map((parts) => parts.join(' '));

describe('every frame of a bisect', () => {
  it.each(sizes)('fits %i columns and %i rows, in all of its states', async (columns, rows) => {
    const { app, play } = await holdBisect({}, { columns, rows });
    const look = () => expectToFit(app.lines(), columns, rows);
    look();
    app.press(keys.enter);
    look();
    await play(2);
    for (const key of ['o', keys.escape, 'b', keys.escape, 'n', keys.escape, keys.tab, 'p', keys.escape]) {
      app.press(key);
      look();
    }
    for (const key of ['c', keys.escape, '?', keys.escape, 'j', 'j', keys.enter]) {
      app.press(key);
      look();
    }
    await play(2);
    look();
    app.press('t');
    look();
    app.press(keys.escape, 'a', 'A');
    await play(2);
    expect(app.screen()).toContain('FOUND');
    look();
    app.press('w');
    look();
  });

  it('fits whatever stands in the hunks, and obeys nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...sizes),
        fc.array(fc.constantFrom('j', 'k', keys.tab, 'p', keys.escape, keys.pageDown, 'o', '?'), {
          maxLength: 8,
        }),
        async (changes, [columns, rows], pressed) => {
          const text = (of: (change: string) => string) =>
            changes.map((change, at) => `${of(change)}\nstays ${at}\n`).join('');
          const { app } = await begun(
            { good: text(() => 'old'), bad: text((change) => change) },
            { columns, rows },
          );
          for (const key of ['', ...pressed]) {
            app.press(key);
            const lines = app.lines();
            expectToFit(lines, columns, rows);
            expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f\u202e\u200b]/);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('shows one pane at a time where there is room for one', async () => {
    const { app } = await begun({}, { columns: 60, rows: 15 });
    expect(app.screen()).toContain('state');
    expect(app.screen()).not.toContain('Rule 1 is bad');
    app.press(keys.tab);
    expect(app.screen()).toContain('+ Rule 1 is bad.');
    expect(app.screen()).toContain('fails without it 0/0, with it 2/2');
    expect(app.screen()).not.toContain('state');
    app.press(keys.escape);
    expect(app.screen()).toContain('state');
  });

  it('shows what it will cost, and what was found, by itself where there is room for one pane', async () => {
    const { app, play } = await holdBisect({}, { columns: 60, rows: 16 });
    expect(app.screen()).toContain('about 20 trials');
    app.press(keys.enter);
    await play(2);
    expect(app.screen()).toContain('state');
    app.press('A');
    await play(2);
    expect(app.screen()).toContain('FOUND: hunk 3 of 4');
    app.press(keys.escape);
    expect(app.screen()).toContain('▸   what was found');
  });

  it('shows the list above the hunk at 80x24, and beside it at 200x60', async () => {
    const small = await begun({}, { columns: 80, rows: 24 });
    expect(small.app.screen()).toMatch(/state[\s\S]*─{70}[\s\S]*\+ Rule 1 is bad\./);
    const large = await begun({}, { columns: 200, rows: 60 });
    expect(large.app.screen()).toMatch(/state .*│ hunk 1 of 4/);
  });

  it('follows a resize in the midst of a step', async () => {
    const { app, play } = await begun({}, { columns: 200, rows: 60 });
    app.press(keys.enter);
    app.model.resize({ columns: 60, rows: 15 });
    await play(2);
    const lines = app.lines();
    expect(lines.length).toBeLessThanOrEqual(14);
    expect(app.screen()).toContain('your turn');
    app.model.resize({ columns: 40, rows: 10 });
    expect(app.screen()).toContain('too small');
  });
});

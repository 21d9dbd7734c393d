import { describe, expect, it } from 'vitest';
import { createFakeRun, fakeScenario } from './fake-run.js';
import { type HeldApp, holdApp, keys } from './model-fixture.js';

const text =
  'paused: 3 in flight finish, no new trial starts; it goes on with p, and with evalrun run --resume last';

function held(columns: number, rows = 24): HeldApp {
  const fake = createFakeRun({ scenarios: ['one', 'two'].map((id) => fakeScenario(id)) });
  for (const id of ['one', 'two']) fake.trial(fake.key(id, 1), 'pass');
  return holdApp([fake.run], { columns, rows });
}

/** What is said, read across lines. */
function read(app: HeldApp): string {
  return app.screen().replace(/\s+/g, ' ');
}

describe('what the app has to say', () => {
  it.each([60, 70, 80, 109, 110, 130, 200])(
    'is read whole on the grid in %d columns, and nothing jumps',
    (columns) => {
      const app = held(columns);
      const before = app.lines();
      app.model.say(text);
      expect(read(app)).toContain(text);
      const after = app.lines();
      expect(after).toHaveLength(before.length);
      // Only the foot gives way to it.
      const foot = columns < 110 ? 3 : 2;
      expect(after.slice(0, -foot)).toEqual(before.slice(0, -foot));
      for (const line of after) expect(line.length).toBeLessThan(columns);
      app.press(keys.down, keys.up);
      expect(app.lines()).toEqual(before);
    },
  );

  it('stands in the last line alone where it fits there', () => {
    const app = held(60);
    const before = app.lines();
    app.model.say('going on');
    expect(app.lines().slice(0, -1)).toEqual(before.slice(0, -1));
    expect(app.lines().at(-1)).toBe(' going on');
  });

  it.each([
    ['the help', '?'],
    ['a trial', keys.enter],
  ])('is read whole on other screens: %s', async (_name, key) => {
    const app = held(60);
    app.press(key);
    await app.settle();
    const { length } = app.lines();
    app.model.say(text);
    expect(read(app)).toContain(text);
    expect(app.lines()).toHaveLength(length);
  });

  it('ends in a sign that there is more where no lines are left for it', () => {
    const app = held(60);
    app.model.say(Array.from({ length: 60 }, (_, index) => `word${index}`).join(' '));
    expect(app.lines().at(-1)).toMatch(/…$/);
    expect(app.screen()).toContain('word0 word1');
  });
});

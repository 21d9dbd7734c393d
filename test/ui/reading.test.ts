import { describe, expect, it } from 'vitest';
import type { AppRun } from '../../source/ui/types.js';
import { createFakeRun, fakeScenario } from './fake-run.js';
import { holdApp, keys } from './model-fixture.js';

/** A run of the past that has ended, of which `messages` are read at once and the rest when `readOn` is called. */
function slowRun(messages: number) {
  const fake = createFakeRun({ scenarios: ['one', 'two'].map((id) => fakeScenario(id)), isPast: true });
  for (const scenario of ['one', 'two'])
    for (const repeat of [1, 2, 3]) fake.trial(fake.key(scenario, repeat), 'pass');
  fake.end();
  let compared = 0;
  let readOn = () => {};
  const run: AppRun = {
    ...fake.run,
    feed(listener) {
      const held: Parameters<typeof listener>[0][] = [];
      void fake.run.feed((message) => held.push(message));
      for (const message of held.slice(0, messages)) listener(message);
      return new Promise((resolve) => {
        readOn = () => {
          for (const message of held.slice(messages)) listener(message);
          resolve();
        };
      });
    },
    compare() {
      compared++;
      return undefined;
    },
  };
  return { run, readOn: () => readOn(), compared: () => compared };
}

/** The start of the run, one whole trial, and the start of the second. */
const someOfIt = 1 + 4 + 1;

describe('a run of the past that is still being read', () => {
  it.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])(
    'says so, how far it is, and nothing of how it stands, at %d columns and %d rows',
    async (columns, rows) => {
      const { run, readOn } = slowRun(someOfIt);
      const held = holdApp([run], { columns, rows });
      expect(held.screen()).toContain('support-agent   reading … 1 of 6 trials');
      expect(held.screen()).not.toMatch(/unfinished|running|in flight|one|[●⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
      readOn();
      await held.settle();
      expect(held.screen()).toMatch(/completed/);
      expect(held.screen()).toMatch(/● *● *●/);
      expect(held.screen()).not.toContain('reading');
    },
  );

  it('is not compared before all of it is there', async () => {
    const { run, readOn, compared } = slowRun(someOfIt);
    const held = holdApp([run]);
    held.model.resize({ columns: 100, rows: 30 });
    expect(compared()).toBe(0);
    readOn();
    await held.settle();
    expect(compared()).toBe(1);
  });

  it('opens no trial, and can be left', () => {
    const { run } = slowRun(someOfIt);
    const held = holdApp([run]);
    held.press(keys.enter);
    expect(held.model.trial).toBeUndefined();
    expect(held.screen()).toContain('there is no scenario yet');
    held.press('q');
    expect(held.left).toEqual([{ how: 'quit' }]);
  });
});

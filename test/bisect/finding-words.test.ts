import { expect, it } from 'vitest';
import { createDriver } from '../../source/bisect/driver.js';
import { liveEntries } from '../../source/bisect/session.js';
import { propose } from '../../source/bisect/strategy.js';
import { createFakeRun, guilty, play } from './fake-run.js';
import { plannedBisect, rulesPrompt } from './planned.js';

it('what is believed without a word of a person is what would be believed had nobody said it', async () => {
  const fake = createFakeRun(plannedBisect({ strategy: 'guided', skipsCure: true }));
  const driver = createDriver(fake.options({ isAttended: true }));
  void driver.start();
  await play(fake, guilty(0));
  driver.goOn(0);
  await play(fake, guilty(0));
  driver.decide({ kind: 'override', hunk: 0, says: 'guilty' });
  await play(fake, guilty(0));
  const session = fake.record.session();
  const entries = liveEntries(session).filter(({ kind }) => kind !== 'override');
  const { belief } = propose({ ...session, entries });
  expect(belief?.leader.hunks).toEqual([0]);
  const percent = Math.floor(100 * (belief?.leader.belief ?? 0));
  // Below that nobody would see the pairs that need it, in which reverting it cures as well.
  expect(percent).toBeGreaterThan(90);
  expect(fake.record.found()?.reasons).toContainEqual(
    expect.stringMatching(
      new RegExp(`^leans on a person's word, hunk 1 is guilty: without it believed ${percent}(\\.\\d)? %$`),
    ),
  );
});

it('a narrowed prompt is called by all that it is without, what hangs on the guilty hunk too', async () => {
  const section = '## Refunds\n- Ask for the number.\n- Be honest about it.\n';
  const [good, bad] = [rulesPrompt(4, 'good'), `${rulesPrompt(4, 'bad')}${section}`];
  const fake = createFakeRun(plannedBisect({ good, bad, split: 'line', skipsCure: true }));
  void createDriver(fake.options()).start();
  await play(fake, guilty(4));
  expect(fake.record.found()?.finding).toMatchObject({ kind: 'hunks', hunks: [4] });
  expect(fake.record.found()?.reasons).toContainEqual(expect.stringMatching(/^v2 without 5-7 passes \d/));
});

it('of the only hunk of a change it is not said twice how often the good prompt passes', async () => {
  const fake = createFakeRun(plannedBisect({ good: 'Be brief.\n', bad: 'Be warm.\n', skipsCure: true }));
  void createDriver(fake.options()).start();
  await play(fake, guilty(0));
  expect(fake.record.found()?.finding).toMatchObject({ kind: 'hunks', hunks: [0] });
  expect(fake.record.found()?.reasons).toEqual([
    expect.stringMatching(/^v1 passes (\d+)\/\1, v2 0\/\d+$/),
    expect.stringMatching(/^\d+ trials of 200 spent$/),
  ]);
});

import { expect, it } from 'vitest';
import { createDriver } from '../../../../source/bisect/driver.js';
import type { BisectDesk } from '../../../../source/ui/bisect-desk.js';
import { endLines } from '../../../../source/ui/screens/bisect/ending.js';
import { standingOf } from '../../../../source/ui/screens/bisect/rows.js';
import { createFakeRun, fail, pass, play } from '../../../bisect/fake-run.js';
import { tallyOf } from '../../../bisect/finished.js';
import { plannedBisect } from '../../../bisect/planned.js';

it('the end of a bisect counts all that its run took, although it was found before all of that was read', async () => {
  const fake = createFakeRun(plannedBisect({ strategy: 'guided' }));
  const { record, events } = fake;
  const driver = createDriver(fake.options({ isAttended: true }));
  void driver.start();
  const say = (candidate: string) => (candidate[0] === '1' ? fail : pass);
  await play(fake, say);
  driver.goOn(0);
  await play(fake, say);
  driver.decide({ kind: 'accept', hunk: 0 });
  await play(fake, say);
  const desk: BisectDesk = {
    record,
    status: driver.status,
    proposal: driver.proposal,
    subscribe: driver.subscribe,
    plan: () => undefined,
    resume: '',
  };
  const standing = standingOf(desk, undefined);
  const last = (count?: number) => endLines(standing, tallyOf(fake, count)).at(-1)?.text;
  const suite = events.findIndex(
    (event) => event.type === 'plan-extended' && event.bisect?.purpose.kind === 'suite',
  );
  expect(last(suite)).toContain('18 conversations');
  expect(last()).toContain('20 conversations');

  // What was taken back before is told of beside it.
  driver.decide({ kind: 'undo', steps: 1 });
  driver.goOn();
  await play(fake, say);
  const texts = endLines(standingOf(desk, undefined), tallyOf(fake)).map(({ text }) => text.trim());
  expect(texts.find((text) => text.includes('taken back'))).toMatch(
    /^\d+ trials were taken back: v2 without 1 (\d+)\/\1, v2 0\/2$/,
  );
});

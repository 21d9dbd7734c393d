import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import type { Watched } from '../../../../source/run/bisect-events.js';
import type { AppRun } from '../../../../source/ui/types.js';
import { holdBisect } from '../../bisected-run.js';
import { comparedRun, played } from '../../compared-run.js';
import { fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const check = 'tool_called get_order';

/** A run that went red, over whose screens bisects open. */
async function redRun({
  whyNot = undefined as string | undefined,
  problem = undefined as Error | undefined,
} = {}) {
  const fake = comparedRun({ scenarios: [fakeScenario('refund-late', [], [check])] });
  played(fake, 'refund-late', ['pass', 'pass', 'pass'], ['fail', 'fail', 'fail'], 'it was not called');
  const inner = await holdBisect();
  const opened: AppRun = { ...(inner.app.model.store.run as AppRun) };
  const asked: Watched[] = [];
  let left = 0;
  fake.run.bisectOf = {
    whyNot: () => whyNot,
    async open(_tally, watched) {
      asked.push(watched);
      if (problem) throw problem;
      return Object.assign(opened, {
        async leave() {
          left++;
        },
      });
    },
  };
  const app = holdApp([fake.run], { columns: 120 });
  return { app, fake, inner, asked, left: () => left };
}

describe('bisecting what a run shows', () => {
  it('asks, opens the bisect over the grid, and leads back to it', async () => {
    const { app, fake, asked, left } = await redRun();
    app.press('b');
    expect(app.screen()).toContain('the run is still going on: bisect when it is over');
    fake.end();
    await app.settle();
    app.press('b');
    expect(app.screen()).toContain('which words did it? bisect refund-late  y bisect  n no');
    app.press('n');
    expect(asked).toEqual([]);
    app.press('b', 'y');
    await app.settle();
    expect(asked).toEqual([{ scenario: 'refund-late' }]);
    expect(app.screen()).toContain('what it will cost');
    app.press('q');
    await app.settle();
    expect(left()).toBe(1);
    expect(app.screen()).toContain('the bisect goes on with --resume 20261130-120000-aaaa');
    expect(app.screen()).toMatch(/▸ refund-late/);
  });

  it('says on the grid what was found, where it came to its end', async () => {
    const { app, fake, inner } = await redRun();
    fake.end();
    await app.settle();
    app.press('b', 'y');
    await app.settle();
    app.press(keys.enter);
    await inner.play(2);
    app.press('A');
    await inner.play(2);
    app.model.resize(app.model.state.size);
    expect(app.screen()).toContain('FOUND');
    app.press('q');
    await app.settle();
    expect(app.screen()).toContain('FOUND: hunk 3 of 4; again: --resume 20261130-120000-aaaa');
    expect(app.screen()).toMatch(/▸ refund-late/);
  });

  it('bisects the one criterion from the changes', async () => {
    const { app, fake, asked } = await redRun();
    fake.end();
    await app.settle();
    app.press('c', 'B', 'y');
    await app.settle();
    expect(asked).toEqual([{ scenario: 'refund-late', check }]);
  });

  it('says why it cannot', async () => {
    const { app, fake, asked } = await redRun({ whyNot: 'the product is given no prompt' });
    fake.end();
    await app.settle();
    app.press('b');
    expect(app.screen()).toContain('the product is given no prompt');
    expect(asked).toEqual([]);
    const other = await redRun({ problem: new UserError('v15.md has other words now than in the run') });
    other.fake.end();
    await other.app.settle();
    other.app.press('b', 'y');
    await other.app.settle();
    expect(other.app.screen()).toContain('v15.md has other words now than in the run');
    expect(other.app.screen()).toContain('refund-late');
  });

  it('closes what is open when the person leaves altogether', async () => {
    const { app, fake, left } = await redRun();
    fake.end();
    await app.settle();
    app.press('b', 'y');
    await app.settle();
    await app.model.close();
    expect(left()).toBe(1);
  });
});

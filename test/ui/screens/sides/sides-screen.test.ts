import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import { compareEvidence } from '../../../../source/compare/compare.js';
import { evidenceOf } from '../../../../source/compare/evidence.js';
import { defaultGate } from '../../../../source/project/gate-settings.js';
import { applyMessage, createTally } from '../../../../source/tally/tally.js';
import type { RunTally } from '../../../../source/tally/types.js';
import type { BaseSource } from '../../../../source/ui/base-source.js';
import type { AppRun } from '../../../../source/ui/types.js';
import { comparedRun, played } from '../../compared-run.js';
import { createFakeRun, fakeCondition, fakeScenario } from '../../fake-run.js';
import { type HeldApp, holdApp, keys } from '../../model-fixture.js';

const check = 'tool_called get_order';

function run() {
  const fake = comparedRun({
    scenarios: ['refund-late', 'refund-gone'].map((id) => fakeScenario(id, [], [check])),
  });
  played(fake, 'refund-late', ['fail', 'pass', 'pass'], ['pass', 'fail', 'fail'], 'get_order was not called');
  played(fake, 'refund-gone', ['pass', 'pass', 'pass'], ['fail', 'fail', 'fail']);
  fake.end();
  return fake;
}

/** Reading the two trials takes a turn each. */
async function opened(held: HeldApp): Promise<HeldApp> {
  held.screen();
  await held.settle();
  held.screen();
  await held.settle();
  return held;
}

describe('two conversations side by side', () => {
  it.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])('fit %d columns and %d rows', async (columns, rows) => {
    const held = holdApp([run().run], { columns, rows });
    held.press('c', keys.enter);
    const lines = (await opened(held)).lines();
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const screen = lines.join('\n');
    expect(screen).toContain('new words of refund-late');
    expect(screen.includes('old words of refund-late')).toBe(columns >= 80);
    expect(screen).toMatch(/v14 · (trial )?2 of 3 · ● pass .*v15 · (trial )?2 of 3 · ✖ fail/);
  });

  it('mark the words that differ and no others, without colours too', async () => {
    const held = holdApp([run().run], { columns: 100 });
    held.press('c', keys.enter);
    await opened(held);
    expect(held.screen()).toMatch(/agent▌old words of refund-late +│ agent▌new words of refund-late/);
    expect(held.screen()).toMatch(/user {2}message to refund-late +│ user {2}message to refund-late/);
    expect(held.screen()).toContain('1 place differs');
    const changed = held.model.sidesContents?.layout.to
      .flat()
      .filter(({ tone }) => tone === 'added')
      .map(({ text }) => text.trim())
      .filter((text) => text !== '▌');
    expect(changed).toEqual(['new']);
  });

  it('show any trial of either side', async () => {
    const held = holdApp([run().run], { columns: 120 });
    held.press('c', keys.enter);
    await opened(held);
    held.press(keys.right, '[');
    await opened(held);
    expect(held.screen()).toMatch(/v14 · trial 1 of 3 · ✖ fail .*v15 · trial 3 of 3 · ✖ fail/);
  });

  it('take turns where there is room for one only', async () => {
    const held = holdApp([run().run], { columns: 70, rows: 20 });
    held.press('c', keys.enter);
    await opened(held);
    expect(held.screen()).toContain('▸ v15');
    held.press(keys.tab);
    expect(held.screen()).toContain('old words of refund-late');
    expect(held.screen()).not.toContain('new words of refund-late');
  });

  it('open from a trial, and go back to it', async () => {
    const held = holdApp([run().run], { columns: 120 });
    held.press(keys.enter);
    await opened(held);
    held.press('d');
    await opened(held);
    expect(held.screen()).toMatch(/old words of refund-late .*new words of refund-late/);
    held.press(keys.escape);
    expect(held.screen()).toContain('▸ checks');
  });

  it('do not open without a base', async () => {
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')] });
    fake.trial(fake.key('refund-late', 1), 'fail');
    const held = holdApp([fake.run], { columns: 120 });
    held.press(keys.enter, 'd');
    expect(held.screen()).toContain('the run has no base');
  });

  it('take the conversation of a base of another time from its run, and say where that is gone', async () => {
    const old = createFakeRun({
      scenarios: [fakeScenario('refund-late', [], [check])],
      conditions: [fakeCondition('a', 'v14')],
      runId: '20251201-120000-aaaa',
    });
    for (const repeat of [1, 2, 3]) {
      old.trial(old.key('refund-late', repeat), 'pass', { reply: 'words of another time' });
    }
    let tally: RunTally | undefined;
    void old.run.feed((message) => {
      if (message.event.type === 'run-started') tally = createTally(message.event);
      else if (tally) applyMessage(tally, message);
    });
    if (!tally) throw new Error('no run');
    const source: BaseSource = { tally, condition: 'a', readTrial: old.run.readTrial };
    const before = tally;
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late', [], [check])] });
    for (const repeat of [1, 2, 3]) {
      fake.trial(fake.key('refund-late', repeat), 'fail', { reply: 'new words of refund-late' });
    }
    const shown = async (openBase: () => Promise<BaseSource>) => {
      const app: AppRun = {
        ...fake.run,
        compare: (candidate) =>
          compareEvidence(
            evidenceOf(before, 'a'),
            { ...evidenceOf(candidate, 'a'), isComplete: true },
            defaultGate,
          ),
        openCompareDesk: async () => ({
          whyNoBless: undefined,
          readClasses: async () => new Map(),
          classify: async () => undefined,
          bless: async () => '',
          openBase,
        }),
      };
      const held = holdApp([app], { columns: 120 });
      held.press('c', keys.enter);
      await opened(await opened(held));
      return held.screen();
    };
    expect(await shown(async () => source)).toContain('words of another time');
    const gone = await shown(async () => {
      throw new Error('the run 20251201-120000-aaaa is not there any more');
    });
    expect(gone).toContain('the run 20251201-120000-aaaa is not there any more');
    expect(gone).toContain('new words of refund-late');
  });
});

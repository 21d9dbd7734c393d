import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import { textWidth } from '../../../../source/base/width.js';
import { type ChangeClass, criterionId, type GivenClass } from '../../../../source/run/change-classes.js';
import type { AppRun, CompareDesk } from '../../../../source/ui/types.js';
import { comparedRun, played } from '../../compared-run.js';
import { createFakeRun, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const check = 'tool_called get_order';

function run({ isPast = false } = {}) {
  const fake = comparedRun({
    scenarios: ['refund-late', 'pricing-question', 'empty-message', '返金をお願いします'].map((id) =>
      fakeScenario(id, [], [check]),
    ),
    isPast,
  });
  played(fake, 'refund-late', ['pass', 'pass', 'pass'], ['pass', 'fail', 'fail'], 'get_order was not called');
  played(fake, 'pricing-question', ['fail', 'fail', 'fail'], ['pass', 'pass', 'pass']);
  played(fake, 'empty-message', ['pass', 'pass', 'pass'], ['pass', 'pass', 'pass']);
  played(fake, '返金をお願いします', ['pass', 'pass', 'pass'], ['fail', 'pass', 'pass'], 'こんにちは');
  fake.end();
  return fake;
}

/** A desk in memory that tells what it was asked for. */
function deskOf(options: Partial<CompareDesk> = {}) {
  const said: string[] = [];
  const desk: CompareDesk = {
    whyNoBless: undefined,
    readClasses: async () => new Map<string, GivenClass>(),
    async classify(criterion, is) {
      said.push(`${criterion.scenario} is ${is}`);
      return is && { ...criterion, class: is, by: 'Ada', at: 0 };
    },
    openBase: async () => {
      throw new UserError('the run of the baseline is not in .evalruns any more');
    },
    async bless({ scenario }, reason) {
      said.push(`bless ${scenario}: ${reason}`);
      return `${scenario} is expected to fail from now on`;
    },
    ...options,
  };
  return { desk, said };
}

const withDesk = (app: AppRun, desk: CompareDesk): AppRun => ({ ...app, openCompareDesk: async () => desk });
const marked = (lines: string[]) => lines.find((line) => line.startsWith('▸')) ?? '';

describe('the screen of changes', () => {
  it.each([
    [60, 15],
    [80, 24],
    [120, 40],
    [200, 60],
  ])('fits %d columns and %d rows, one row a criterion that changed', (columns, rows) => {
    const held = holdApp([run().run], { columns, rows });
    held.press('c');
    const lines = held.lines();
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const screen = lines.join('\n');
    expect(screen).toMatch(/v14 → v15/);
    expect(screen).toMatch(/refund.* 3\/3 .* 1\/3 .*\? suspect/);
    expect(screen).toMatch(/pricing.* 0\/3 .* 3\/3 .*▲ fixed/);
    expect(screen).toContain('nothing else changed (1 criterion)');
    expect(screen).toContain('differs: prompt v14 → v15');
    expect(lines.at(-1)).toContain('help');
  });

  it('has what a person has to look at first on top, and why in full below', () => {
    const held = holdApp([run().run], { columns: 120, rows: 30 });
    held.press('c', 'g');
    expect(marked(held.lines())).toContain('refund-late');
    expect(held.screen()).toMatch(/refund-late \/ tool_called get_order {3}3\/3 → 1\/3 {3}suspect, p 0\.\d+/);
    expect(held.screen()).toContain('get_order was not called');
  });

  it('opens on the row of the grid, moves, and goes back to it', () => {
    const held = holdApp([run().run], { columns: 100 });
    held.press('j', 'c');
    expect(marked(held.lines())).toContain('pricing-question');
    held.press('G');
    expect(marked(held.lines())).toContain('pricing-question');
    held.press('g', keys.down);
    expect(marked(held.lines())).toContain('返金');
    held.press(keys.escape);
    expect(marked(held.lines())).toContain('pricing-question');
  });

  it('says on the grid why there is nothing to compare', () => {
    const held = holdApp([createFakeRun({ scenarios: [fakeScenario('refund-late')] }).run]);
    held.press('c');
    expect(held.screen()).toContain('the run has no base');
  });

  it('shows both sides in figures, as a table that is straight whatever stands in it', () => {
    const fake = run();
    const held = holdApp([fake.run], { columns: 80, rows: 24 });
    held.press('c', 'i');
    const table = held.lines().filter((line) => /[│├┌└]/u.test(line));
    expect(new Set(table.map((line) => textWidth(line))).size).toBe(1);
    expect(held.screen()).toMatch(/│ prompt +│ v14 +│ v15 +│/);
    held.press(keys.escape);
    expect(held.screen()).toContain('nothing else changed');
  });

  it('keeps what a change is, shows it on its row, and takes it back', async () => {
    const { desk, said } = deskOf();
    const held = holdApp([withDesk(run().run, desk)], { columns: 160, rows: 30 });
    held.press('c', 'g');
    held.screen();
    await held.settle();
    held.press('c');
    expect(held.screen()).toMatch(/r regression {2}i intended change {2}b bad criterion/);
    held.press('i');
    await held.settle();
    expect(marked(held.lines())).toContain('intended change');
    expect(held.screen()).toContain('classed: intended change (Ada)');
    held.press('c', 'i');
    await held.settle();
    expect(marked(held.lines())).not.toContain('intended change');
    expect(said).toEqual(['refund-late is intended-change', 'refund-late is undefined']);
  });

  it('shows what was said of a change before', async () => {
    const given: GivenClass = {
      scenario: 'refund-late',
      check,
      class: 'bad-criterion' as ChangeClass,
      at: 0,
    };
    const { desk } = deskOf({ readClasses: async () => new Map([[criterionId(given), given]]) });
    const held = holdApp([withDesk(run().run, desk)], { columns: 160, rows: 30 });
    held.press('c', 'g');
    held.screen();
    await held.settle();
    expect(marked(held.lines())).toContain('bad criterion');
  });

  it('blesses one criterion at a time, and not without a reason', async () => {
    const { desk, said } = deskOf();
    const held = holdApp([withDesk(run().run, desk)], { columns: 120, rows: 30 });
    held.press('c', 'g');
    held.screen();
    await held.settle();
    held.press('b', keys.enter);
    expect(held.screen()).toContain('say why');
    expect(said).toEqual([]);
    held.press(...'the window is 60 days now', keys.enter);
    await held.settle();
    expect(said).toEqual(['bless refund-late: the window is 60 days now']);
    expect(held.screen()).toContain('refund-late is expected to fail from now on');
  });

  it('blesses nothing when the question is left', async () => {
    const { desk, said } = deskOf();
    const held = holdApp([withDesk(run().run, desk)], { columns: 120 });
    held.press('c');
    held.screen();
    await held.settle();
    held.press('b', 'x', keys.escape);
    expect(said).toEqual([]);
    expect(held.screen()).toContain('nothing else changed');
  });

  it('says why nothing can be blessed or kept', async () => {
    const { desk } = deskOf({ whyNoBless: 'the suite has no baseline' });
    const held = holdApp([withDesk(run().run, desk)], { columns: 120 });
    held.press('c');
    held.screen();
    await held.settle();
    held.press('b');
    expect(held.screen()).toContain('the suite has no baseline');
    const bare = holdApp([run().run], { columns: 120 });
    bare.press('c');
    bare.screen();
    await bare.settle();
    bare.press('c');
    expect(bare.screen()).toContain('what is said here would not be kept');
  });

  it('says that nothing can be compared where that is so', () => {
    const fake = run();
    const refusing: AppRun = {
      ...fake.run,
      compare(tally) {
        const comparison = fake.run.compare?.(tally);
        return comparison && { ...comparison, refused: ['the candidate is tainted'], changes: [] };
      },
    };
    const held = holdApp([refusing], { columns: 100 });
    held.press('c');
    expect(held.screen()).toMatch(/cannot be compared/);
    expect(held.screen()).toContain('the candidate is tainted');
  });
});

describe('a red scenario on the base', () => {
  it('is run there with the same fixtures, and asks afterwards what the change is', async () => {
    const { desk, said } = deskOf();
    const fake = run();
    const held = holdApp([withDesk(fake.run, desk)], { columns: 160, rows: 24 });
    held.press('g', 'o');
    expect(fake.told).toEqual(['add 3 to refund-late under b to confirm']);
    expect(held.screen()).toContain('3 × refund-late under v14, with the same fixtures');
    for (const repeat of [4, 5, 6]) fake.trial(fake.key('refund-late', repeat, 'b'), 'pass');
    held.model.resize(held.model.state.size);
    expect(held.screen()).toMatch(/v14 passes, 3 of 3 {2}r regression {2}i intended change/);
    held.press('r');
    await held.settle();
    expect(said).toEqual(['refund-late is regression']);
  });

  it('says that the base fails too where it does', () => {
    const fake = run();
    const held = holdApp([fake.run], { columns: 160 });
    held.press('g', 'o');
    for (const repeat of [4, 5, 6])
      fake.trial(fake.key('refund-late', repeat, 'b'), repeat === 4 ? 'pass' : 'fail');
    held.model.resize(held.model.state.size);
    expect(held.screen()).toContain('v14 fails too, passed 1 of 3');
  });

  it('is refused, with the reason, where it cannot be run or nothing is red', () => {
    const held = holdApp([run().run], { columns: 120 });
    held.press('j', 'j', 'o');
    expect(held.screen()).toContain('nothing is red here');
    const past = holdApp([run({ isPast: true }).run], { columns: 120 });
    past.press('o');
    expect(past.screen()).toContain('this run is over');
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')] });
    fake.trial(fake.key('refund-late', 1), 'fail');
    const bare = holdApp([fake.run], { columns: 120 });
    bare.press('o');
    expect(bare.screen()).toContain('the run has no base: --baseline names one');
  });
});

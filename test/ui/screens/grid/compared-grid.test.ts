import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import type { AppRun } from '../../../../source/ui/types.js';
import { comparedRun, played } from '../../compared-run.js';
import { createFakeRun, fakeCondition, fakeScenario } from '../../fake-run.js';
import { holdApp } from '../../model-fixture.js';

const hard = ['tool_called get_order'];

function run() {
  const fake = comparedRun({
    scenarios: [
      'refund-late',
      'pricing-question',
      'empty-message',
      'panic-on-train',
      'late-train',
      'not-begun',
    ].map((id) => fakeScenario(id, [], hard)),
  });
  played(fake, 'refund-late', ['pass', 'pass', 'pass'], ['pass', 'fail', 'fail'], 'get_order was not called');
  played(fake, 'pricing-question', ['fail', 'fail', 'fail'], ['pass', 'pass', 'pass']);
  played(fake, 'empty-message', ['pass', 'pass', 'pass'], ['pass', 'pass', 'pass']);
  played(
    fake,
    'panic-on-train',
    ['pass', 'pass', 'pass'],
    ['pass', 'fail', 'pass'],
    'distress 6, was to fall',
  );
  played(fake, 'late-train', ['pass', 'pass', 'fail'], ['pass', 'pass', 'pass']);
  return fake;
}

const row = (lines: string[], id: string) => lines.find((line) => line.slice(2).startsWith(id)) ?? '';

describe('the head of a run that has ended', () => {
  const ended = (outcome: 'completed' | 'stopped', judge: NonNullable<AppRun['judge']>) => {
    const fake = run();
    fake.end(outcome);
    return holdApp([{ ...fake.run, judge }], { columns: 60, rows: 15 });
  };

  it.each([
    ['pass', 'PASS  completed'],
    ['fail', 'FAIL  completed'],
    ['none', 'NO VERDICT  completed'],
    ['measured', 'MEASURED  completed'],
  ] as const)('has the gate\u2019s word %s', (verdict, words) => {
    expect(ended('completed', () => ({ verdict, headline: '' })).lines()[0]).toMatch(
      new RegExp(`[^A-Z ] +${words}$`),
    );
  });

  it('has none where the gate has no word, and says once that a run was stopped', () => {
    expect(ended('completed', () => undefined).lines()[0]).toMatch(/v14 +completed$/);
    expect(ended('stopped', () => ({ verdict: 'interrupted', headline: '' })).lines()[0]).toMatch(
      /v14 +stopped$/,
    );
  });

  it('has its reason below where no row is red, and n says it too', () => {
    const fake = comparedRun({ scenarios: [fakeScenario('refund-late', [], hard)] });
    played(fake, 'refund-late', ['pass', 'pass', 'pass'], ['pass', 'pass', 'pass']);
    fake.end();
    const judge = () => ({ verdict: 'fail', headline: 'FAIL: 1 quarantine has expired' }) as const;
    const green = holdApp([{ ...fake.run, judge }]);
    expect(green.lines()[0]).toContain('FAIL  completed');
    expect(green.lines().at(-2)).toMatch(/0 fail .*FAIL: 1 quarantine has expired/);
    green.press('n');
    expect(green.lines().at(-1)).toContain('no scenario fails: FAIL: 1 quarantine has expired');
  });

  it('asks the gate for it after the last trial, and no more often', () => {
    const fake = run();
    let asked = 0;
    const judge = () => {
      asked++;
      return { verdict: 'fail', headline: 'FAIL: 1 quarantine has expired' } as const;
    };
    const held = holdApp([{ ...fake.run, judge }]);
    held.screen();
    expect(held.lines()[0]).not.toContain('FAIL');
    expect(asked).toBe(0);
    fake.end();
    for (const columns of [80, 100]) {
      held.model.resize({ columns, rows: 24 });
      expect(held.lines()[0]).toContain('FAIL  completed');
    }
    expect(asked).toBe(1);
    fake.extend('late-train', 1);
    held.model.resize({ columns: 80, rows: 24 });
    expect(held.lines()[0]).not.toContain('FAIL');
  });
});

describe('a grid with a base', () => {
  it.each([60, 80, 130, 200])('says in %d columns what became of each scenario', (columns) => {
    const lines = holdApp([run().run], { columns }).lines();
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const words: [string, string][] = [
      ['refund', '? suspect'],
      ['pricing', '▲ fixed'],
      ['empty', '= same'],
      ['panic', '◣ drift'],
      ['late-train', '◤ better'],
    ];
    for (const [id, word] of words) expect(row(lines, id)).toContain(columns < 75 ? word.slice(0, 1) : word);
    expect(row(lines, 'not-begun')).not.toMatch(/same|suspect|=/);
  });

  it('has the two versions in its head, their cells side by side, and a column for the base', () => {
    const lines = holdApp([run().run], { columns: 140 }).lines();
    expect(lines[0]).toMatch(/^ support-agent {3}v15 vs v14 /);
    expect(lines[2]?.trim()).toMatch(/^v15 +v14, base$/);
    expect(lines[3]).toMatch(/verdict +baseline +rate/);
    expect(row(lines, 'refund-late')).toMatch(/● ✖ ✖ +● ● ● +FAIL/);
  });

  it('has none of it without a base', () => {
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')] });
    expect(holdApp([fake.run], { columns: 140 }).screen()).not.toContain('baseline');
  });

  it('sets the trials of a confirmation apart as they run, and says what is being confirmed', () => {
    const fake = run();
    const repeats = fake.extend('refund-late', 6, { condition: 'a', confirms: true });
    for (const repeat of repeats.slice(0, 3)) fake.trial(fake.key('refund-late', repeat), 'fail');
    fake.start(fake.key('refund-late', repeats[3] ?? 0));
    const wide = holdApp([fake.run], { columns: 200 }).lines();
    expect(row(wide, 'refund-late')).toMatch(/● ✖ ✖ ┊ ✖ ✖ ✖ [⠋-⠿] · ·/);
    expect(wide[0]).toMatch(/confirming 1 suspect$/);
    expect(row(holdApp([fake.run], { columns: 120 }).lines(), 'refund-late')).toMatch(/●✖✖┊✖✖✖[⠋-⠿]··/);
    for (const repeat of repeats.slice(3)) fake.trial(fake.key('refund-late', repeat), 'fail');
    const after = holdApp([fake.run], { columns: 200 }).lines();
    expect(row(after, 'refund-late')).toContain('▼ regression');
    expect(after[0]).not.toContain('confirming');
  });

  it('has no cells of a condition that only stands by, until something is run under it', () => {
    const conditions = [fakeCondition('a', 'v15'), { ...fakeCondition('b', 'v14'), standby: true as const }];
    const base = { kind: 'baseline', file: 'x.yaml', sha256: 'x', condition: 'b' } as const;
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late', [], hard)], conditions, base });
    for (const repeat of [1, 2, 3]) fake.trial(fake.key('refund-late', repeat), 'fail');
    const known = { ...fake.run, knownTrials: '12 trials' };
    const before = holdApp([known], { columns: 140 }).lines();
    expect(before[0]).toMatch(/v15 {3}vs baseline v14, 12 trials known/);
    expect(before[2]).toContain('scenario');
    const [first = 0] = fake.extend('refund-late', 1, { condition: 'b', confirms: true });
    fake.trial(fake.key('refund-late', first, 'b'), 'pass');
    const after = holdApp([known], { columns: 140 }).lines();
    expect(after[2]?.trim()).toMatch(/^v15 +v14, base$/);
    expect(row(after, 'refund-late')).toMatch(/✖ ✖ ✖ +● /);
  });

  it('filters by what became of a scenario or of any of its criteria, and sorts by it', () => {
    const held = holdApp([run().run], { columns: 120 });
    held.press('/', 'change:fixed,drift', '\r');
    const shown = () =>
      held
        .lines()
        .slice(4, 9)
        .map((line) => line.slice(2).split(' ')[0])
        .filter(Boolean);
    expect(shown()).toEqual(['pricing-question', 'panic-on-train']);
    held.press('\x1b', 's', 's');
    expect(held.settings.get('sort')).toBe('changed');
    expect(shown().slice(0, 5)).toEqual([
      'refund-late',
      'panic-on-train',
      'pricing-question',
      'late-train',
      'empty-message',
    ]);
  });

  it('passes over the sort by change where there is no base', () => {
    const held = holdApp([createFakeRun({ scenarios: [fakeScenario('refund-late')] }).run]);
    held.press('s', 's');
    expect(held.settings.get('sort')).toBe('flakiest');
  });

  it('compares at most twice a second while trials end, and once more at the end', () => {
    const fake = comparedRun({
      scenarios: Array.from({ length: 40 }, (_, at) => fakeScenario(`case-${at}`)),
    });
    const held = holdApp([fake.run]);
    const before = fake.comparisons();
    for (let at = 0; at < 40; at++) {
      played(fake, `case-${at}`, ['pass', 'pass', 'pass'], ['fail', 'fail', 'fail']);
      held.time.now += 25;
      held.model.resize({ columns: 120, rows: 24 });
    }
    expect(fake.comparisons() - before).toBeLessThanOrEqual(3);
    fake.end();
    held.model.resize({ columns: 120, rows: 24 });
    expect(held.screen()).toMatch(/case-9 .*(suspect|regression)/);
  });
});

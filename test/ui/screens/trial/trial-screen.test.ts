import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import type { QuarantineEntry } from '../../../../source/run/planned.js';
import type { TrialRecord } from '../../../../source/run/types.js';
import { checkItems, checkLook, worstCheck } from '../../../../source/ui/screens/trial/checks.js';
import { createTheme } from '../../../../source/ui/theme.js';
import { createFakeRun, fakeCondition, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';
import { entry } from '../../triage-fixture.js';

const checks = ['tool_called get_order', 'judge-offers-store-credit', 'pattern_absent full refund'];
const reply = 'I can make an exception and send your money back as store credit.';

function refundRun(
  options: { repeat?: number; turns?: number; conditions?: number; quarantine?: QuarantineEntry[] } = {},
) {
  const { turns = 2 } = options;
  const fake = createFakeRun({
    scenarios: [
      fakeScenario('refund-request-past-window', ['refund'], checks),
      fakeScenario('pricing-question'),
    ],
    repeat: options.repeat ?? 3,
    ...(options.quarantine && { quarantine: options.quarantine }),
    ...(options.conditions ? { conditions: [fakeCondition('a', 'v14'), fakeCondition('b', 'v15')] } : {}),
  });
  const key = fake.key('refund-request-past-window', 1);
  fake.start(key);
  for (let turn = 1; turn <= turns; turn++) {
    fake.turn(
      key,
      `message ${turn}: I want my money back.`,
      [
        {
          kind: 'tool',
          call: { name: 'get_order', args: { id: turn }, result: { days: 45 }, from: 'fixture' },
        },
        { kind: 'text', text: `answer ${turn}. ${reply}` },
      ],
      turn,
    );
  }
  fake.check(key, {
    checkId: 'tool_called get_order',
    verdict: 'pass',
    reason: 'get_order was called twice',
  });
  const start = `answer ${turns}. `.length + reply.indexOf('send');
  fake.check(key, {
    checkId: 'judge-offers-store-credit',
    verdict: 'fail',
    score: 2,
    reason: 'Promises money back although the window has closed.',
    judge: {
      model: 'simulated:judge',
      prompt: 'default@1',
      score: 2,
      reason: 'Promises money back although the window has closed.',
    },
    evidence: [{ turn: turns, part: 1, start, end: start + 'send your money back'.length }],
  });
  fake.check(key, { checkId: 'pattern_absent full refund', verdict: 'pass', reason: 'not said' });
  fake.finish(key);
  return fake;
}

async function openTrial(fake: ReturnType<typeof refundRun>, size: { columns?: number; rows?: number } = {}) {
  const app = holdApp([fake.run], { columns: 120, rows: 30, ...size });
  app.press(keys.enter);
  app.screen();
  await app.settle();
  return app;
}

describe('the trial screen', () => {
  it.each([60, 80, 120, 200])('fits %d columns', async (columns) => {
    const app = await openTrial(refundRun(), { columns });
    for (const pane of ['checks', 'reason', 'transcript']) {
      for (const line of app.lines())
        expect([pane, textWidth(line)]).toEqual([pane, Math.min(textWidth(line), columns - 1)]);
      app.press(keys.tab);
    }
  });

  it('shows what ended how, why, and what was said', async () => {
    const screen = (await openTrial(refundRun())).screen();
    expect(screen).toMatch(
      /^ refund-request-past-window · trial 1 of 3 · FAIL +tokens 4\.1k {2}cache 68 % {2}3\.2 s/,
    );
    expect(screen).toMatch(/✔ tool_called get_order/);
    expect(screen).toMatch(/▸ ✖ judge-offers-store-credit +score 2\/5/);
    expect(screen).toContain('Promises money back although the window');
    expect(screen).toContain('simulated:judge  default@1  score 2 of 5');
    expect(screen).toContain('user   message 1: I want my money back.');
    expect(screen).toContain('get_order({"id": 1}) → {"days": 45}');
    expect(screen).toContain('▔▔▔▔');
  });

  it.each([60, 120, 200])('marks what counts in no verdict at %d columns', async (columns) => {
    const scenario = 'refund-request-past-window';
    const marked = async (quarantine: QuarantineEntry[]) =>
      (await openTrial(refundRun({ quarantine }), { columns }))
        .lines()
        .filter((line) => /[✔✖] /.test(line) && line.includes('quarantined'));
    const one = await marked([entry(scenario, { check: 'judge-offers-store-credit' })]);
    expect(one).toEqual([expect.stringMatching(/^ ?▸ ✖ judge.* score 2\/5 {2}quarantined/)]);
    expect(await marked([entry(scenario)])).toHaveLength(checks.length);
    expect(await marked([])).toEqual([]);
  });

  it('dims what is quarantined, and opens on what counts', () => {
    const results = [
      { checkId: 'a', type: 'tool_called', kind: 'hard' as const, verdict: 'fail' as const, reason: '' },
      { checkId: 'b', type: 'tool_called', kind: 'hard' as const, verdict: 'warn' as const, reason: '' },
    ];
    const items = checkItems(
      fakeScenario('one', [], ['a', 'b']),
      { results } as TrialRecord,
      (check) => check === 'a',
    );
    expect(items[worstCheck(items)]?.id).toBe('b');
    const { glyphs } = createTheme({}, undefined);
    expect(items.map((item) => checkLook(item, glyphs))).toEqual([
      { mark: glyphs.checkFail, tone: 'faint', score: 'quarantined' },
      { mark: glyphs.warn, tone: 'warn', score: '' },
    ]);
  });

  it('shows the judge\u2019s reason once when it is the reason', async () => {
    const screen = (await openTrial(refundRun(), { columns: 200 })).screen();
    expect(screen.split('although the window').length).toBe(2);
  });

  it('opens on the evidence of the worst check, also far down', async () => {
    const app = await openTrial(refundRun({ turns: 20 }));
    expect(app.screen()).toContain('answer 20.');
    expect(app.screen()).not.toContain('message 1:');
    app.press(keys.up);
    expect(app.screen()).toContain('get_order was called twice');
    expect(app.screen()).toContain('message 1:');
    app.press(keys.down, 'e');
    expect(app.screen()).toContain('answer 20.');
  });

  it('says why there is no evidence to go to', async () => {
    const app = await openTrial(refundRun());
    app.press(keys.up, 'e');
    expect(app.screen()).toContain('this check points to no place in the transcript');
  });

  it('scrolls the transcript, and jumps by turn', async () => {
    const app = await openTrial(refundRun({ turns: 20 }));
    app.press('7');
    expect(app.lines()[2]).toMatch(/│ ── turn 7 ─/);
    app.press('}');
    expect(app.lines()[2]).toMatch(/│ ── turn 8 ─/);
    app.press('{', '{');
    expect(app.lines()[2]).toMatch(/│ ── turn 6 ─/);
    app.press('g');
    expect(app.lines()[2]).toMatch(/│ ── turn 1 ─/);
    app.press('{');
    expect(app.screen()).toContain('this is the first turn');
    app.press('G', '}');
    expect(app.screen()).toContain('the last turn is on screen');
  });

  it('searches the transcript', async () => {
    const app = await openTrial(refundRun({ turns: 20 }));
    app.press('/', 'message 13');
    expect(app.screen()).toContain('search message 13█  1 found');
    expect(app.screen()).toContain('message 13: I want');
    app.press(keys.enter, '/', 'store credit', keys.enter);
    expect(app.screen()).toContain('20 found: n and N go from one to the next');
    app.press('n', 'n');
    expect(app.screen()).toContain('3 of 20');
    app.press('N', 'N', 'N');
    expect(app.screen()).toContain('20 of 20');
    app.press(keys.escape);
    app.press('n');
    expect(app.screen()).toContain('nothing is searched for: / searches');
    app.press(keys.escape);
    expect(app.screen()).toContain('running');
  });

  it('shows the raw trial and goes back', async () => {
    const app = await openTrial(refundRun());
    app.press('v');
    expect(app.screen()).toMatch(/as JSON +lines 1–26 of \d+/);
    expect(app.screen()).toContain('"scenario": "refund-request-past-window"');
    app.press(keys.end);
    expect(app.lines().at(-2)).toContain('}');
    app.press('n');
    expect(app.screen()).toContain('nothing is searched for');
    app.press(keys.escape);
    expect(app.screen()).toContain('tool_called get_order');
  });

  it('searches the raw trial too', async () => {
    const app = await openTrial(refundRun({ turns: 20 }));
    app.press('v', '/', '"index": 1', keys.enter);
    expect(app.screen()).toContain('11 found: n and N go from one to the next');
    app.press('n', 'n');
    expect(app.screen()).toContain('3 of 11');
    expect(app.screen()).toMatch(/^ +"index": 11,$/m);
    app.press(keys.escape);
    expect(app.screen()).toContain('as JSON');
    app.press(keys.escape);
    expect(app.screen()).toContain('tool_called get_order');
  });

  it('says how often the check passed over all trials of the scenario', async () => {
    const fake = refundRun();
    fake.trial(fake.key('refund-request-past-window', 2), 'pass');
    fake.trial(fake.key('refund-request-past-window', 3), 'pass');
    for (const columns of [80, 120])
      expect((await openTrial(fake, { columns, rows: 40 })).screen()).toContain(
        'over all trials: 2/3, 0.18–0.96',
      );
  });

  it('says how many checks have no room, and how much of the transcript stands above', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `check-${index}`);
    const fake = createFakeRun({ scenarios: [fakeScenario('one', [], many)], repeat: 1 });
    fake.trial(fake.key('one', 1), 'pass');
    for (const [columns, rows] of [
      [60, 15],
      [80, 24],
      [120, 30],
    ] as const) {
      const app = await openTrial(fake, { columns, rows });
      expect(app.lines()[1]).toMatch(/checks \(\d+ more below\)/);
      app.press(
        keys.down,
        keys.down,
        keys.down,
        keys.down,
        keys.down,
        keys.down,
        ...Array(12).fill(keys.down),
      );
      expect(app.lines()[1]).toMatch(/checks \(\d+ above, \d+ below\)/);
    }
    const long = await openTrial(refundRun({ turns: 20 }));
    expect(long.lines()[1]).toMatch(/transcript \(\d+ above\)$/);
    long.press('1');
    expect(long.lines()[1]).toMatch(/transcript$/);
  });

  it('marks the pane that hears the keys without colour', async () => {
    for (const columns of [60, 80, 120]) {
      const app = await openTrial(refundRun(), { columns });
      expect(app.screen()).toContain('▸ checks');
      app.press(keys.tab);
      expect(app.screen()).toContain('▸ reason');
      app.press(keys.tab);
      expect(app.screen()).toContain('▸ transcript');
      expect(app.screen()).not.toContain('▸ reason');
    }
  });

  it('says at every press which of the evidence is on screen', async () => {
    const app = await openTrial(refundRun());
    for (let press = 0; press < 2; press++) {
      app.press('e');
      expect(app.lines().at(-1)).toContain('evidence 1 of 1');
    }
  });

  it('unfolds long tool answers where they stand, and folds them again', async () => {
    const fake = refundRun();
    const key = fake.key('pricing-question', 1);
    fake.start(key);
    const result = Array.from({ length: 200 }, (_, index) => index);
    fake.turn(key, 'hi', [
      { kind: 'tool', call: { name: 'get_plan', args: {}, result, from: 'fixture' } },
      { kind: 'text', text: 'that is all' },
    ]);
    fake.finish(key);
    const app = holdApp([fake.run], { columns: 120, rows: 40 });
    app.press('j', keys.enter);
    app.screen();
    await app.settle();
    expect(app.screen()).not.toContain('199]');
    app.press('o');
    expect(app.screen()).toContain('199]');
    app.press('o');
    expect(app.screen()).not.toContain('199]');
    expect(app.screen()).toContain('that is all');
  });

  it('copies what the pane shows', async () => {
    const app = await openTrial(refundRun());
    app.press('y');
    app.press(keys.tab, keys.tab, 'y');
    app.press('v', 'y');
    expect(app.copied[0]).toContain('judge-offers-store-credit: fail: Promises money back');
    expect(app.copied[1]).toContain(
      'user: message 1: I want my money back.\ntool: get_order({"id": 1}) → {"days": 45}\nagent: answer 1.',
    );
    expect(JSON.parse(app.copied[2] ?? '')).toMatchObject({ key: { repeat: 1 } });
    expect(app.screen()).toContain('copied trial.json');
  });

  it('goes from trial to trial and from scenario to scenario', async () => {
    const fake = refundRun();
    fake.trial(fake.key('refund-request-past-window', 2), 'pass');
    fake.trial(fake.key('pricing-question', 2), 'warn', { reply: 'our plans are' });
    const app = await openTrial(fake);
    app.press(keys.right);
    app.screen();
    await app.settle();
    expect(app.screen()).toContain('trial 2 of 3 · PASS');
    expect(app.screen()).toContain('reply of refund-request-past-window 2');
    app.press(']');
    app.screen();
    await app.settle();
    expect(app.screen()).toMatch(/^ pricing-question · trial 2 of 3 · WARN/);
    app.press(']');
    expect(app.screen()).toContain('this is the last scenario of the grid');
    app.press(keys.escape);
    expect(app.lines().find((line) => line.startsWith('▸'))).toContain('pricing-question');
    expect(app.model.grid.cell?.repeat).toBe(2);
  });

  it('names the condition where there are several', async () => {
    const app = await openTrial(refundRun({ conditions: 2 }));
    expect(app.lines()[0]).toContain('· v14 · trial 1 of 3');
    app.press(keys.left);
    expect(app.lines()[0]).toContain('· v15 · trial 3 of 3 · waiting');
  });

  it('says of a waiting trial that it waits', async () => {
    const app = await openTrial(refundRun());
    app.press(keys.right, keys.right);
    expect(app.screen()).toContain('waiting: this trial has not started yet');
  });

  it('says why a trial could not be run, and at which attempt', async () => {
    const fake = refundRun();
    const key = fake.key('pricing-question', 1);
    fake.start(key, 3);
    fake.emit({
      type: 'trial-errored',
      at: 0,
      trial: key,
      attempt: 3,
      kind: 'rate-limit',
      message: '429 after 3 attempts',
      final: true,
    });
    const app = holdApp([fake.run], { columns: 120 });
    app.press('j', keys.enter);
    app.screen();
    await app.settle();
    expect(app.lines()[0]).toContain('ERROR · attempt 3');
    expect(app.screen()).toContain('error, rate-limit: 429 after 3 attempts');
    expect(app.screen()).toContain('not graded: the trial could not be run');
  });

  it('shows a running trial grow, and follows its end only for who is at its end', async () => {
    const fake = refundRun();
    const key = fake.key('pricing-question', 1);
    fake.start(key);
    const app = holdApp([fake.run], { columns: 120, rows: 15 });
    app.press('j', keys.enter);
    const grow = async (turn: number) => {
      fake.turn(key, `question ${turn}`, [{ kind: 'text', text: `answer ${turn}` }], turn);
      app.model.resize(app.model.state.size);
      app.screen();
      await app.settle();
    };
    for (let turn = 1; turn <= 8; turn++) await grow(turn);
    expect(app.screen()).toContain('answer 8');
    fake.say(key, 'being said now', 9);
    app.model.resize(app.model.state.size);
    expect(app.lines().at(-2)).toContain('agent  being said now');
    app.press(keys.tab, keys.tab, keys.up, keys.up, keys.up);
    const before = app.lines()[2];
    await grow(9);
    expect(app.lines()[2]).toBe(before);
    app.press('G');
    await grow(10);
    expect(app.screen()).toContain('answer 10');
  });

  it('stacks the panes at 80x24, and shows one at a time at 60x15', async () => {
    const stacked = (await openTrial(refundRun(), { columns: 80, rows: 24 })).screen();
    expect(stacked).toContain('judge-offers-store-credit');
    expect(stacked).toContain('Promises money back');
    expect(stacked).toContain('▔▔▔▔');
    const single = await openTrial(refundRun(), { columns: 60, rows: 15 });
    expect(single.screen()).toContain('Promises money back');
    expect(single.screen()).not.toContain('agent');
    single.press(keys.tab, keys.tab);
    expect(single.screen()).not.toContain('judge-offers-store-credit');
    expect(single.screen()).toContain('▔▔▔▔');
    expect(single.lines()).toHaveLength(14);
  });

  it('tells when there is more of a reason than fits', async () => {
    const fake = refundRun();
    const key = fake.key('pricing-question', 1);
    fake.trial(key, 'fail', { reason: Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ') });
    const app = holdApp([fake.run], { columns: 60, rows: 15 });
    app.press('j', keys.enter);
    app.screen();
    await app.settle();
    expect(app.screen()).toMatch(/reason \(\d+ more\)/);
    app.press(keys.tab, keys.end);
    expect(app.screen()).toContain('word59');
  });

  it('says when the journal cannot be read', async () => {
    const fake = refundRun();
    const app = holdApp(
      [{ ...fake.run, readTrial: () => Promise.reject(new Error('journal.jsonl is gone')) }],
      { columns: 120 },
    );
    app.press(keys.enter);
    app.screen();
    await app.settle();
    expect(app.screen()).toContain('cannot read the trial: journal.jsonl is gone');
  });

  it('reads only the trial that is open', async () => {
    const fake = refundRun();
    await openTrial(fake);
    expect(fake.reads).toBe(1);
  });
});

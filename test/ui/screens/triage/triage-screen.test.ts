import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import { textWidth } from '../../../../source/base/width.js';
import type { RunSummary } from '../../../../source/run/summary.js';
import { applyMessage, createTally } from '../../../../source/tally/tally.js';
import type { RunTally } from '../../../../source/tally/types.js';
import type { DisagreeingTrial } from '../../../../source/ui/triage-desk.js';
import { hostile, unsafe } from '../../../report/support.js';
import { pastRun } from '../../../triage/support.js';
import { createFakeRun, fakeScenario } from '../../fake-run.js';
import { type HeldApp, holdApp, keys } from '../../model-fixture.js';
import { entry, type FakeTriage, fakeTriage } from '../../triage-fixture.js';

const letters = { p: 'pass', f: 'fail', w: 'warn', u: 'unknown' } as const;

/** A run a day; a letter a day for each check of `scenario/check`. */
function history(checks: Record<string, string>): RunSummary[] {
  const days = Math.max(...Object.values(checks).map(({ length }) => length));
  return Array.from({ length: days }, (_, day) =>
    pastRun(
      day,
      Object.entries(checks).flatMap(([name, verdicts]) => {
        const [scenario = '', check = ''] = name.split('/');
        const letter = verdicts[day];
        return letter ? [{ scenario, check, verdict: letters[letter as keyof typeof letters] }] : [];
      }),
    ),
  );
}

const flaky = history({
  'refund-late/offers-credit': 'ppfpfp',
  'greets-back/says-hello': 'pfpppp',
  'cancel-order/asks-first': 'ffffff',
  'empty-message/is-plain': 'pppppp',
});

async function opened(triage: FakeTriage | FakeTriage[], size = {}): Promise<HeldApp> {
  const all = [triage].flat();
  const held = holdApp([], { columns: 120, rows: 30, ...size, triage: all });
  await settled(held);
  return held;
}

/** What is read and written takes some turns. */
async function settled(held: HeldApp): Promise<void> {
  for (let turn = 0; turn < 6; turn++) {
    held.screen();
    await held.settle();
  }
}

const rowsOf = (held: HeldApp) =>
  held
    .lines()
    .filter((line) => / \/ /.test(line.slice(2)) && /[●✖▲]/.test(line))
    .map((line) => line.trim());
const selected = (held: HeldApp) => held.lines().find((line) => line.startsWith('▸')) ?? '';
const lastLine = (held: HeldApp) => held.lines().at(-1) ?? '';

describe('the triage', () => {
  it.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])('fits %d columns and %d rows, with all that is needed to decide', async (columns, rows) => {
    const held = await opened(
      fakeTriage(flaky, { day: 6, entries: [entry('greets-back', { until: '2026-02-01' })] }),
      { columns, rows },
    );
    const lines = held.lines();
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    expect(held.screen()).toContain('1 of 4 quarantined, cap 1');
    expect(selected(held)).toMatch(/^▸ refund-late.*●●✖●✖● +4 .*quarantine/);
    // What has no column is said of the selected row.
    expect(held.screen()).toMatch(/disagree in 44 % \(26 % to 50 %\)/);
    expect(held.screen()).toContain('suggested: quarantine, for 4 flips with nothing changed');
    held.press('/', ...'greets', keys.enter);
    expect(held.screen()).toMatch(/quarantined until 2026-02-01, Ada: the model is unsure/);
  });

  it('shows the most flips first, and what is broken; the rest on request', async () => {
    const held = await opened(fakeTriage(flaky, { day: 6 }));
    expect(rowsOf(held).map((line) => line.replace(/^▸ /, '').split(' / ')[0])).toEqual([
      'refund-late',
      'greets-back',
      'cancel-order',
    ]);
    expect(rowsOf(held)[2]).toMatch(/✖✖✖✖✖✖ +0 .* broken/);
    held.press('a');
    expect(held.screen()).toContain('empty-message / is-plain');
    held.press('s', 's', 's');
    expect(lastLine(held)).toContain('sorted: by name');
    expect(rowsOf(held)[0]).toMatch(/^cancel-order/);
    // What was selected stays so.
    expect(selected(held)).toContain('refund-late');
    held.press('/', ...'broken');
    expect(rowsOf(held)).toHaveLength(1);
    held.press(keys.escape);
    expect(rowsOf(held)).toHaveLength(4);
  });

  it('says what is out of sight beside the title, and tells rows of one scenario apart', async () => {
    const checks = Array.from({ length: 20 }, (_, at) => [
      `cancel-insured-other-plans/tool_called-${at}`,
      'pfpf',
    ]);
    const held = await opened(fakeTriage(history(Object.fromEntries(checks)), { day: 4 }), {
      columns: 60,
      rows: 15,
    });
    expect(held.lines()[0]).toMatch(/tiny {3}0 of 1 quarantined, cap 1 .*12 more below$/);
    expect(held.lines()[1]).toMatch(/scenario \/ check .*flips {2}to do$/);
    const names = rowsOf(held).map((line) => line.split(/ {2,}/)[0]);
    expect(new Set(names).size).toBe(8);
    held.press('G');
    expect(held.lines()[0]).toMatch(/12 above$/);
    expect(selected(held)).toMatch(/cancel.* \/ tool/);
  });

  it('dims what is quarantined, and says what has expired and what may be released', async () => {
    const runs = history({ 'a/x': 'fpfppppppppppppppp', 'b/y': 'pfpf', 'c/z': 'pfpf' });
    const held = await opened(
      fakeTriage(runs, {
        day: 18,
        entries: [entry('a', { since: '2026-01-04' }), entry('b', { check: 'y', until: '2026-01-10' })],
      }),
    );
    expect(rowsOf(held).find((line) => line.includes('a / x'))).toMatch(/release +2099-01-01 +Ada/);
    expect(rowsOf(held).find((line) => line.includes('b / y'))).toMatch(/expired +2026-01-10 +Ada/);
    expect(held.screen()).toContain('2 of 3 quarantined, OVER the cap of 1');
    const segments = (await import('../../../../source/ui/screens/triage/view.js')).triageView(held.model);
    const toneOf = (name: string) =>
      segments.find((line) => line.some(({ text }) => text.startsWith(name)))?.[1]?.tone;
    // The first one is under the marker.
    expect([toneOf('a / x'), toneOf('c / z')].sort()).toEqual(['faint', 'plain']);
  });

  it('asks why, who and until when, writes it, and takes it back', async () => {
    const triage = fakeTriage(flaky, { day: 6 });
    const held = await opened(triage);
    held.press('r');
    expect(lastLine(held)).toContain('it is not quarantined: x quarantines it');
    held.press('u');
    expect(lastLine(held)).toContain('nothing was changed here');
    held.press('x');
    expect(lastLine(held)).toContain('quarantine refund-late:  c offers-credit  s all checks  esc no');
    held.press('c');
    await settled(held);
    held.press(keys.enter);
    expect(lastLine(held)).toContain('say why it may flip');
    held.press(...'is unsure', keys.enter);
    expect(lastLine(held)).toContain('who owns it? Ada█');
    held.press(...' L.', keys.enter, keys.up, keys.enter);
    expect(lastLine(held)).toContain('last day? 2026-12-14█');
    held.press(...'x', keys.enter);
    expect(lastLine(held)).toContain('expected a day, as in 2026-12-14');
    held.press(keys.backspace, keys.backspace, '5', keys.enter);
    await settled(held);
    expect(triage.entries).toEqual([
      {
        scenario: 'refund-late',
        check: 'offers-credit',
        owner: 'Ada L.',
        reason: 'is unsure',
        since: '2026-11-30',
        until: '2026-12-15',
        evidence: [],
      },
    ]);
    expect(lastLine(held)).toContain(
      'quarantined until 2026-12-15, from the next run on; u takes it back: refund-late / offers-credit',
    );
    expect(held.screen()).toContain('1 of 4 quarantined');
    held.press('x');
    expect(lastLine(held)).toContain('it is quarantined until 2026-12-15: e extends it, r releases it');

    held.press('e');
    await settled(held);
    expect(lastLine(held)).toContain('until 2026-12-15 so far; last day? 2026-12-14█');
    held.press(keys.backspace, '9', keys.enter);
    await settled(held);
    expect(triage.entries[0]?.until).toBe('2026-12-19');
    held.press('r');
    expect(lastLine(held)).toContain('release refund-late / offers-credit?');
    held.press('n', 'r', 'y');
    await settled(held);
    expect(triage.entries).toEqual([]);
    // One after another, the last one first.
    for (const until of ['2026-12-19', '2026-12-15', undefined]) {
      held.press('u');
      await settled(held);
      expect(triage.entries[0]?.until).toBe(until);
    }
    expect(lastLine(held)).toContain('taken back: quarantined until 2026-12-15: refund-late / offers-credit');
  });

  it('says that what always fails is broken, and what the desk refuses', async () => {
    const held = await opened(
      fakeTriage(flaky, {
        day: 6,
        desk: {
          quarantine: async () => {
            throw new UserError(`the file was changed meanwhile ${hostile}`);
          },
        },
      }),
    );
    held.press('G', 'x', 's');
    await settled(held);
    expect(lastLine(held)).toContain('it fails in every run: broken, not flaky');
    held.press(...'w', keys.enter, keys.enter, keys.enter);
    await settled(held);
    // With all that is hostile in it, it is longer than the last line.
    expect(held.lines().at(-3)).toContain('not done: the file was changed meanwhile');
    expect(held.screen()).not.toMatch(unsafe);
  });

  it('says why there is nothing, and what cannot be read', async () => {
    const none = await opened(fakeTriage([]));
    expect(none.screen()).toContain('no clean run yet');
    none.press('x');
    expect(lastLine(none)).toContain('no row is selected');
    const bad = await opened(
      fakeTriage([], {
        desk: {
          read: async () => {
            throw new UserError(`suites/tiny/quarantine.yaml:3:1: ${hostile}`);
          },
        },
      }),
    );
    expect(bad.screen()).toContain('suites/tiny/quarantine.yaml:3:1');
    expect(bad.screen()).not.toMatch(unsafe);
    bad.press('x');
    expect(lastLine(bad)).toContain('mend the files first');
  });

  it.each([
    [60, 15],
    [100, 30],
  ])('says which journals are damaged, at %d columns and %d rows', async (columns, rows) => {
    const damaged = [`/logs/tiny/1/journal.jsonl:3: no event ${hostile}`];
    const held = await opened(fakeTriage(flaky, { day: 6, edit: (one) => ({ ...one, damaged }) }), {
      columns,
      rows,
    });
    expect(held.lines()).toHaveLength(rows - 1);
    expect(held.lines()[1]).toMatch(/^ \/logs\/tiny\/1\/journal.jsonl:3: no event/);
    expect(held.screen()).not.toMatch(unsafe);
    expect(selected(held)).toContain('refund-late');
  });

  it('shows names, owners and reasons as they are, and obeys none of them', async () => {
    const runs = history({ [`${hostile.replaceAll('/', '')}/${hostile.replaceAll('/', '')}`]: 'pfpf' });
    const scenario = hostile.replaceAll('/', '');
    for (const columns of [60, 80, 200]) {
      const held = await opened(
        fakeTriage(runs, { day: 4, entries: [entry(scenario, { owner: hostile, reason: hostile })] }),
        { columns, rows: 24 },
      );
      for (const key of ['', 'r', keys.escape, 'e']) {
        held.press(key);
        await settled(held);
        expect(held.screen()).not.toMatch(unsafe);
        for (const line of held.lines()) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
      }
    }
  });

  it('goes from suite to suite, and leaves', async () => {
    const held = await opened([fakeTriage(flaky, { day: 6 }), fakeTriage([], { suite: 'other' })]);
    expect(held.screen()).toContain('tab 1/2');
    held.press(keys.down, keys.tab);
    await settled(held);
    expect(held.screen()).toMatch(/other .*0 clean runs/);
    held.press(keys.escape);
    expect(lastLine(held)).toContain('nothing to go back to: q quits');
    held.press('q');
    expect(held.left).toEqual([{ how: 'quit' }]);
  });
});

/** A run of one trial that ended so, to be read. */
function read(verdict: 'pass' | 'fail', reply: string, name: string): DisagreeingTrial {
  const fake = createFakeRun({ scenarios: [fakeScenario('refund-late', [], ['offers-credit'])], repeat: 1 });
  fake.trial(fake.key('refund-late', 1), verdict, { reply });
  fake.end();
  let tally: RunTally | undefined;
  fake.run.feed((message) => {
    if (message.event.type === 'run-started') tally = createTally(message.event);
    else if (tally) applyMessage(tally, message);
  });
  if (!tally) throw new Error('no run');
  return { source: { tally, condition: 'a', readTrial: fake.run.readTrial, name }, repeat: 1 };
}

describe('two trials that disagree', () => {
  const pass = read('pass', 'You get store credit.', 'run-of-monday');
  const fail = read('fail', 'You get money back.', 'run-of-friday');
  const opens = (trials: { pass: DisagreeingTrial; fail: DisagreeingTrial }) =>
    fakeTriage(flaky, {
      day: 6,
      desk: { openTrials: async (criterion) => ({ ...criterion, ...trials }) },
    });

  it.each([
    [60, 15],
    [100, 24],
    [200, 60],
  ])('stand side by side at %d columns and %d rows', async (columns, rows) => {
    const held = await opened(opens({ pass, fail }), { columns, rows });
    held.press('t');
    await settled(held);
    for (const line of held.lines()) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    expect(held.screen()).toContain('1 place differs');
    expect(held.screen()).toMatch(/run-of-friday · (trial )?1 of 1 · ✖ fail/);
    if (columns < 80) held.press(keys.tab);
    expect(held.screen()).toMatch(/run-of-monday · (trial )?1 of 1 · ● pass/);
    if (columns >= 100) expect(held.screen()).toMatch(/You get store credit\. +│.*You get money back\./);
    held.press('c');
    expect(lastLine(held)).toContain('x on the triage quarantines it');
    held.press(keys.right);
    expect(lastLine(held)).toContain('the right side has no other trial');
    held.press('q');
    expect(selected(held)).toContain('refund-late');
  });

  it('begin at the first difference', async () => {
    const long = (last: string) =>
      `${Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n')}\n${last}`;
    const held = await opened(
      opens({ pass: read('pass', long('credit'), 'a'), fail: read('fail', long('money'), 'b') }),
      { columns: 100, rows: 24 },
    );
    held.press(keys.enter);
    await settled(held);
    expect(held.screen()).toMatch(/credit +│.*money/);
    expect(held.screen()).not.toContain('line 10 ');
    held.press('g');
    expect(held.screen()).toContain('line 10 ');
  });

  it('that are not there any more are said to be gone', async () => {
    const gone = { problem: 'the run 20260103 was deleted, and its transcripts with it' };
    const one = await opened(opens({ pass, fail: gone }));
    one.press('t');
    await settled(one);
    expect(one.screen()).toMatch(/You get store credit.*\n/);
    expect(one.screen()).toContain('the run 20260103 was deleted');
    const both = await opened(opens({ pass: gone, fail: gone }));
    both.press('t');
    await settled(both);
    expect(lastLine(both)).toContain('the run 20260103 was deleted, and its transcripts with it');
    both.press('G', 't');
    expect(lastLine(both)).toContain('its last trials all came to one verdict');
  });
});

describe('rewriting what flips', () => {
  it('opens the scenario at its line, asks whether to run it, and comes back with what is known then', async () => {
    const asked: string[] = [];
    let reads = 0;
    const triage = fakeTriage(flaky, {
      day: 6,
      edit(one) {
        reads++;
        return one;
      },
      async runAgain(scenario) {
        asked.push(scenario);
        const fake = createFakeRun({ scenarios: [fakeScenario(scenario)], repeat: 1, isPast: true });
        fake.trial(fake.key(scenario, 1), 'pass');
        fake.end();
        return fake.run;
      },
    });
    const held = await opened(triage);
    held.press('E');
    await settled(held);
    expect(held.edited).toEqual(['/project/refund-late.yaml:3']);
    expect(lastLine(held)).toContain('run refund-late again?  y run  n not now');
    held.press('n', 'E');
    await settled(held);
    held.press('y');
    await settled(held);
    expect(asked).toEqual(['refund-late']);
    const before = reads;
    const front = () => held.model.front;
    expect(front()).not.toBe(held.model);
    held.press('q');
    await settled(held);
    expect(front()).toBe(held.model);
    expect(reads).toBe(before + 1);
  });

  it('says why a run cannot be made', async () => {
    const held = await opened(fakeTriage(flaky, { day: 6 }));
    held.press('E');
    await settled(held);
    held.press('y');
    await settled(held);
    expect(lastLine(held)).toContain('not here');
  });
});

describe('the quarantine on the grid', () => {
  function grid(size = {}, triage = fakeTriage(flaky, { day: 6 })) {
    const fake = createFakeRun({
      scenarios: ['refund-late', 'greets-back'].map((id) => fakeScenario(id, [], ['offers-credit'])),
      repeat: 1,
      isPast: true,
      suite: 'tiny',
    });
    fake.trial(fake.key('refund-late', 1), 'fail', { reason: 'money back' });
    fake.trial(fake.key('greets-back', 1), 'pass');
    fake.end();
    const held = holdApp([{ ...fake.run, triage: () => triage }], { columns: 140, rows: 24, ...size });
    return { held, triage };
  }
  const row = (held: HeldApp) => held.lines().find((line) => line.includes('refund-late')) ?? '';

  it.each([60, 140])(
    'holds from the next run on at %d columns, is seen at once, and is taken back',
    async (columns) => {
      const { held, triage } = grid({ columns });
      await settled(held);
      held.press('u');
      expect(lastLine(held)).toContain('nothing was quarantined here');
      held.press('x');
      expect(lastLine(held)).toContain('c offers-credit  s all checks  t triage  esc no');
      held.press('s');
      await settled(held);
      held.press(...'unsure', keys.enter, keys.enter, keys.enter);
      await settled(held);
      expect(triage.entries).toMatchObject([{ scenario: 'refund-late', owner: 'Ada', reason: 'unsure' }]);
      expect(triage.entries[0]).not.toHaveProperty('check');
      held.press(keys.down);
      if (columns > 60) expect(row(held)).toContain('next run: quarantined, unsure');
      // What this run came to is what it was.
      expect(row(held)).toContain('FAIL');
      expect(held.screen()).toMatch(/1 pass {2}0 warn {2}1 fail.* next run: \+1/);
      held.press('u');
      await settled(held);
      expect(triage.entries).toEqual([]);
      held.press(keys.down);
      expect(row(held)).not.toContain('next run');
      expect(held.screen()).not.toContain('next run');
    },
  );

  it('opens the triage at the row, and comes back', async () => {
    const { held } = grid();
    await settled(held);
    held.press('x', 't');
    await settled(held);
    expect(selected(held)).toContain('refund-late / offers-credit');
    held.press('q');
    expect(held.screen()).toContain('1 fail');
  });

  it('asks nothing of whoever went on to another screen meanwhile', async () => {
    let answer = () => {};
    const propose = () =>
      new Promise<{ owner: string; until: string; isBroken: boolean }>((resolve) => {
        answer = () => resolve({ owner: 'Ada', until: '2026-12-14', isBroken: false });
      });
    const { held } = grid({}, fakeTriage(flaky, { day: 6, desk: { propose } }));
    await settled(held);
    held.press('x', 's');
    await settled(held);
    held.press(keys.enter);
    expect(held.screen()).toContain('trial 1 of 1');
    answer();
    await settled(held);
    expect(held.model.state.field).toBeUndefined();
    held.press(keys.escape, 'x', 's');
    await settled(held);
    answer();
    await settled(held);
    expect(lastLine(held)).toContain('quarantine, why?');
  });

  it('cannot be changed where the screens do not lead to it', async () => {
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')], repeat: 1, isPast: true });
    fake.end();
    const held = holdApp([fake.run]);
    await settled(held);
    held.press('x');
    expect(lastLine(held)).toContain('nothing can be quarantined over these screens');
  });
});

import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../../source/base/width.js';
import { groupSegments } from '../../../../source/ui/screens/grid/cells.js';
import type { GridColumns } from '../../../../source/ui/screens/grid/columns.js';
import { createTheme } from '../../../../source/ui/theme.js';
import { createFakeRun, fakeCondition, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const ids = [
  'refund-request-past-window',
  'pricing-question',
  'panic-on-the-train',
  '返金をお願いします',
  'empty-message',
];

function run(options: { repeat?: number; isPast?: boolean } = {}) {
  return createFakeRun({ scenarios: ids.map((id, index) => fakeScenario(id, [`tag-${index}`])), ...options });
}

/** A run in which each row is another case. */
function mixedRun() {
  const fake = run();
  const all = (id: string, verdicts: ('pass' | 'warn' | 'fail' | 'unknown')[], reason = '') =>
    verdicts.forEach((verdict, index) => {
      fake.trial(fake.key(id, index + 1), verdict, { reason, tokens: 1000 * (ids.indexOf(id) + 1) });
    });
  all('refund-request-past-window', ['pass', 'pass', 'pass']);
  all('pricing-question', ['fail', 'fail', 'pass'], 'get_plan was never called');
  all('panic-on-the-train', ['pass', 'warn', 'pass'], 'distress 6, was to fall');
  fake.trial(fake.key('返金をお願いします', 1), 'pass');
  fake.start(fake.key('返金をお願いします', 2));
  fake.say(fake.key('返金をお願いします', 2), 'I have cancelled HT9921 and', 2);
  fake.time.now += 30_000;
  return fake;
}

const marked = (lines: string[]) => lines.find((line) => line.startsWith('▸')) ?? '';

describe('the grid', () => {
  it.each([60, 80, 120, 200])('fills %d columns with aligned columns and never more', (columns) => {
    const lines = holdApp([mixedRun().run], { columns }).lines();
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const cells = ['● ● ●', '✖ ✖ ●', '● ▲ ●', '● ⠋ ·', '· · ·'];
    const places = cells.map((text) => {
      const line = lines.find((each) => each.includes(text)) ?? '';
      return textWidth(line.slice(0, line.indexOf(text)));
    });
    expect(places).toEqual(places.map(() => places[0]));
    const titles = lines.find((line) => line.includes('scenario')) ?? '';
    expect(titles.indexOf('1 2 3')).toBe(places[0]);
  });

  it('says in the header that there are notes on the files, and in the help which', () => {
    const fake = mixedRun();
    const notes = () => [
      'note: suites/x/suite.yaml:2:12: old/b.jsonl is not read',
      'warning: EVALRUN_\u001b[31mX sets nothing',
    ];
    const held = holdApp([{ ...fake.run, notes }]);
    expect(held.lines()[0]).toMatch(/2 notes \(\?\) {2}\S+ running *$/);
    held.press('?');
    expect(held.screen()).toContain('note: suites/x/suite.yaml:2:12: old/b.jsonl is not read');
    expect(held.screen()).toContain('warning: EVALRUN_␛[31mX sets nothing');
    expect(holdApp([mixedRun().run]).screen()).not.toContain('note');
  });

  it('says while it waits for a provider, and no longer when it does not', () => {
    const fake = mixedRun();
    let waiting = 3;
    const paces = () => [{ account: 'openai', limit: 4, inFlight: 4, waiting, pausedUntil: undefined }];
    const held = holdApp([{ ...fake.run, paces }], { columns: 120 });
    expect(held.screen()).toMatch(/10\/15 {2}67 % {3}openai: 4 at once, 3 in line/);
    waiting = 0;
    fake.trial(fake.key('empty-message', 1), 'pass');
    expect(holdApp([{ ...fake.run, paces }], { columns: 120 }).screen()).not.toContain('openai');
  });

  it('shows verdicts, totals, and why a scenario fails', () => {
    const screen = holdApp([mixedRun().run], { columns: 120 }).screen();
    expect(screen).toMatch(
      /pricing-question .* ✖ ✖ ● +FAIL .* 1\/3 {2}0\.04–0\.82 +6\.0k {2}judge: get_plan was never called/,
    );
    expect(screen).toMatch(/panic-on-the-train .* WARN/);
    expect(screen).toMatch(/返金をお願いします .* ● ⠋ · +pass/);
    expect(screen).toContain('2 pass  1 warn  1 fail  0 unknown  0 error');
    expect(screen).toContain('10/15  67 %   1 in flight');
  });

  it('shows what is being said now in a running row', () => {
    expect(holdApp([mixedRun().run], { columns: 140 }).screen()).toContain(
      'turn 2: "I have cancelled HT9921 and',
    );
  });

  it('starts a new line when what is being said fills the column', () => {
    const fake = run();
    const key = fake.key('pricing-question', 1);
    fake.start(key);
    fake.say(
      key,
      'the words of a long reply that goes on and on until it has filled the column twice over and more',
    );
    const line =
      holdApp([fake.run], { columns: 120 })
        .lines()
        .find((each) => each.includes('turn 1')) ?? '';
    expect(line).toMatch(/turn 1: "…\S.* more$/);
  });

  it('tells how long the rest will take, from the trials that ended', () => {
    const fake = run();
    for (const id of ids.slice(0, 4)) {
      fake.time.now += 5000;
      fake.trial(fake.key(id, 1), 'pass');
    }
    // 4 trials in 20 s, 11 left.
    expect(holdApp([fake.run], { columns: 120, now: fake.time.now }).screen()).toContain('55 s left');
  });

  it('shows conditions as groups of cells under their names', () => {
    const fake = createFakeRun({
      scenarios: ids.map((id) => fakeScenario(id)),
      conditions: [fakeCondition('a', 'v14'), fakeCondition('b', 'v15')],
    });
    fake.trial(fake.key('pricing-question', 1, 'a'), 'pass');
    fake.trial(fake.key('pricing-question', 2, 'b'), 'fail');
    const lines = holdApp([fake.run], { columns: 100 }).lines();
    expect(lines[0]).toContain('v14 vs v15');
    const names = lines[2] ?? '';
    const row = lines.find((line) => line.includes('pricing-question')) ?? '';
    expect(row).toMatch(/● · · {4}· ✖ ·/);
    expect(names.indexOf('v14')).toBe(row.indexOf('●'));
    expect(names.indexOf('v15')).toBe(row.indexOf('· ✖'));
  });

  it('shows many trials in a window, the selected one in it', () => {
    const fake = run({ repeat: 60 });
    const app = holdApp([fake.run], { columns: 80 });
    expect(app.screen()).toMatch(/· \+31/);
    app.press(...Array(59).fill(keys.right));
    expect(app.model.grid.cell).toEqual({ condition: 'a', repeat: 60 });
    expect(app.lines().find((line) => line.startsWith('▸'))).toMatch(/·{20,} \+31/);
  });

  it('moves the selection with arrows and letters, and stops at the ends', () => {
    const app = holdApp([mixedRun().run]);
    app.press(keys.down, 'j');
    expect(marked(app.lines())).toContain('panic-on-the-train');
    app.press('k', keys.up, keys.up);
    expect(marked(app.lines())).toContain('refund-request');
    app.press('G');
    expect(marked(app.lines())).toContain('empty-message');
    app.press('g');
    expect(marked(app.lines())).toContain('refund-request');
  });

  it('goes to failing scenarios and their failing trial, and round', () => {
    const app = holdApp([mixedRun().run]);
    app.press('n');
    expect(marked(app.lines())).toContain('pricing-question');
    app.press('n');
    expect(app.screen()).toContain('no other scenario fails');
    app.press('N');
    expect(marked(app.lines())).toContain('pricing-question');
  });

  it('opens the worst trial of a row until another one is chosen', () => {
    const fake = run();
    fake.trial(fake.key('pricing-question', 1), 'pass');
    fake.trial(fake.key('pricing-question', 2), 'pass');
    fake.trial(fake.key('pricing-question', 3), 'fail');
    const app = holdApp([fake.run], { columns: 120 });
    app.press('n', keys.enter);
    expect(app.lines()[0]).toContain('pricing-question · trial 3 of 3 · FAIL');
    app.press(keys.escape, keys.left, keys.enter);
    expect(app.lines()[0]).toContain('trial 2 of 3 · PASS');
  });

  it('says when nothing fails, and goes to what warns then', () => {
    const fake = run();
    const app = holdApp([fake.run]);
    app.press('n');
    expect(app.screen()).toContain('nothing fails so far');
    fake.trial(fake.key('panic-on-the-train', 1), 'warn');
    app.model.resize(app.model.state.size);
    app.press('n');
    expect(marked(app.lines())).toContain('panic-on-the-train');
    expect(app.screen()).toContain('nothing fails; this one warns');
  });

  it('filters while the filter is typed, and shows everything again after escape', () => {
    const app = holdApp([mixedRun().run]);
    app.press('/', 'verdict:', 'f');
    expect(app.screen()).toContain('filter verdict:f█  1 of 5');
    expect(app.screen()).not.toContain('empty-message');
    app.press(keys.enter);
    expect(app.screen()).toContain('1 of 5 shown: verdict:f');
    app.press(keys.escape);
    expect(app.screen()).toContain('empty-message');
  });

  it('says whole which verdicts there are, also where it is narrow', () => {
    for (const columns of [60, 80]) {
      const app = holdApp([mixedRun().run], { columns });
      app.press('/', 'verdict:nonsense');
      expect(app.lines().at(-1)).toMatch(/nonsense█ {3}pass warn fail unknown error running waiting$/);
    }
  });

  it('says of help that it scrolls', () => {
    const app = holdApp([mixedRun().run]);
    app.press('?');
    expect(app.lines()[0]).toMatch(/\d+ more below$/);
    expect(app.lines().at(-1)).toContain('↑ ↓ scroll');
  });

  it('takes back what was typed, and takes a paste in one piece', () => {
    const app = holdApp([mixedRun().run]);
    app.press('/', 'abc', keys.backspace, keys.backspace, keys.backspace, '\x1b[200~tag:tag-4\n\x1b[201~');
    expect(app.screen()).toContain('filter tag:tag-4 █  1 of 5');
    expect(app.screen()).toContain('empty-message');
  });

  it('keeps the selected scenario through filters that hide it and ones that do not', () => {
    const app = holdApp([mixedRun().run]);
    app.press(keys.down, keys.down, '/', 'train', keys.enter);
    expect(marked(app.lines())).toContain('panic-on-the-train');
    app.press(keys.escape, '/', 'pricing', keys.enter);
    expect(marked(app.lines())).toContain('pricing-question');
    app.press(keys.escape);
    expect(marked(app.lines())).toContain('panic-on-the-train');
  });

  it('sorts, marks the column that it sorts by, and remembers it', () => {
    const app = holdApp([mixedRun().run], { columns: 120 });
    app.press('s');
    const order = (lines: string[]) => lines.slice(3, 8).map((line) => ids.find((id) => line.includes(id)));
    expect(order(app.lines())).toEqual([
      'pricing-question',
      'panic-on-the-train',
      'refund-request-past-window',
      '返金をお願いします',
      'empty-message',
    ]);
    expect(app.lines()[2]).toContain('verdict▾');
    expect(app.settings.get('sort')).toBe('worst');
    app.press('s', 's');
    expect(app.lines()[2]).toContain('time▾');
    app.press('s');
    expect(app.lines()[2]).toContain('tokens▾');
    app.press('s');
    expect(app.lines()[2]).not.toContain('▾');
  });

  it('starts with the sort that was used last', () => {
    expect(holdApp([mixedRun().run], { sort: 'tokens' }).screen()).toContain('tokens▾');
    expect(holdApp([mixedRun().run], { sort: 'nonsense' }).screen()).not.toContain('▾');
  });

  it('keeps the chosen scenario selected when rows re-sort under it', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    app.press('s', 'G');
    expect(marked(app.lines())).toContain('empty-message');
    for (const repeat of [1, 2, 3]) fake.trial(fake.key('empty-message', repeat), 'fail');
    app.model.resize(app.model.state.size);
    expect(marked(app.lines())).toContain('empty-message');
    expect(app.lines()[3]).toContain('empty-message');
  });

  it('opens what the person sees, also when rows have moved since', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    app.press('s', keys.down);
    expect(marked(app.lines())).toContain('panic-on-the-train');
    for (const repeat of [1, 2, 3]) fake.trial(fake.key('empty-message', repeat), 'fail');
    app.press(keys.enter);
    expect(app.screen()).toMatch(/^ panic-on-the-train · trial 2 of 3 · WARN/);
  });

  it('pauses and goes on', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    app.press('p');
    expect(fake.told).toEqual(['pause']);
    expect(app.lines()[0]).toMatch(/paused$/);
    app.press(keys.down);
    expect(app.screen()).toContain('p go on');
    app.press('p');
    expect(fake.told).toEqual(['pause', 'resume']);
  });

  it('runs a scenario once more', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    app.press('j', 'r');
    expect(fake.told).toEqual(['add 1 to pricing-question']);
    expect(app.screen()).toContain('✖ ✖ ● ·');
  });

  it('never moves a column for added trials: they stand closer together, and then in a window', () => {
    const fake = run();
    const app = holdApp([fake.run], { columns: 120 });
    const places = () => {
      const row = app.lines().find((line) => line.includes('pricing-question')) ?? '';
      return [row.indexOf('·'), row.lastIndexOf('1/1'), app.lines()[2]];
    };
    fake.trial(fake.key('pricing-question', 1), 'fail');
    app.press(keys.down);
    const before = places().slice(1);
    for (const cells of ['✖ · · ·', '✖······', '✖·· +5']) {
      app.press('a', ...String(cells === '✖······' ? 3 : 1), keys.enter, keys.down, keys.up);
      expect(app.screen()).toContain(cells);
      expect(places().slice(1)).toEqual(before);
    }
    expect(app.lines()[0]).toContain('3 repeats, some more');
    expect(app.screen()).not.toContain('-1 more');
  });

  it('says how many rows are out of sight', () => {
    const fake = createFakeRun({
      scenarios: Array.from({ length: 40 }, (_, index) => fakeScenario(`scenario-${index}`)),
    });
    for (const columns of [60, 80, 120]) {
      const app = holdApp([fake.run], { columns });
      const height = columns < 110 ? 17 : 18;
      expect(app.screen()).toContain(`${40 - height} more below`);
      app.press(keys.pageDown, keys.down);
      expect(app.screen()).toMatch(/\d+ above, \d+ below/);
      app.press('G');
      expect(app.screen()).toContain(`${40 - height} above`);
      app.press('/', 'scenario-3', keys.enter);
      expect(app.screen()).not.toMatch(/above|below/);
    }
  });

  it('says of the selected row which check decides it, at what rate, and all of why', () => {
    const fake = run();
    const reason = 'expected no call of send_certificate, but it was called with {"amount": 50}';
    for (const repeat of [1, 2, 3])
      fake.trial(fake.key('pricing-question', repeat), repeat === 1 ? 'pass' : 'fail', { reason });
    const app = holdApp([fake.run], { columns: 140 });
    app.press('n');
    expect(app.lines().at(-2)).toContain(`judge-offers-store-credit   1/3  0.04–0.82   judge: ${reason}`);
    const narrow = holdApp([fake.run], { columns: 80 });
    narrow.press('n');
    expect(narrow.lines().at(-3)).toMatch(
      /^ judge-offers-store-credit {3}1\/3 {2}0\.04–0\.82 {3}judge: expected/,
    );
  });

  it('begins a reason that has no room with what happened', () => {
    const checks = ['tool_not_called-send_certificate'];
    const fake = createFakeRun({ scenarios: [fakeScenario('one', [], checks)], repeat: 1 });
    const reason = 'expected no call of send_certificate, saw send_certificate({"amount": 150}) in turn 4';
    fake.trial(fake.key('one', 1), 'fail', { reason });
    const rowAt = (columns: number) => marked(holdApp([fake.run], { columns }).lines());
    expect(rowAt(80)).toMatch(/FAIL .* called send_certificate\(\{"am.*…$/);
    expect(rowAt(200)).toContain(reason);
  });

  it('marks the column that it sorts by without cutting its title', () => {
    const app = holdApp([mixedRun().run], { columns: 80, sort: 'flakiest' });
    expect(app.lines()[2]).toContain('flaky▾');
  });

  it('names the keys to leave and for help at every width', () => {
    for (const columns of [60, 80, 120])
      expect(holdApp([mixedRun().run], { columns }).lines().at(-1)).toMatch(/q quit {2}\? help$/);
  });

  it('asks how many trials to add, and proposes as many as were planned', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    app.press('a');
    expect(app.screen()).toContain('add how many trials? 3');
    app.press(keys.enter);
    app.press('a', '1', '2', keys.enter);
    app.press('a', '9', '9', '9', keys.enter);
    expect(app.screen()).toContain('from 1 to 200');
    app.press(keys.escape, 'a', 'x', keys.backspace, keys.enter);
    expect(app.screen()).toContain('from 1 to 200');
    expect(fake.told).toEqual([
      'add 3 to refund-request-past-window',
      'add 12 to refund-request-past-window',
    ]);
  });

  it('switches between suites with tab, each with a selection of its own', () => {
    const second = createFakeRun({ scenarios: [fakeScenario('typo-heavy')], suite: 'message-actions' });
    const app = holdApp([mixedRun().run, second.run], { columns: 120 });
    app.press('j');
    expect(app.lines()[0]).toContain('suite 1/2');
    app.press(keys.tab);
    expect(app.lines()[0]).toMatch(/message-actions {3}suite 2\/2 .* waiting$/);
    expect(marked(app.lines())).toContain('typo-heavy');
    // It waits: there is nothing to count yet.
    expect(app.screen()).not.toMatch(/0 pass|0 tok|0 %/);
    expect(app.lines()[1]).toMatch(/0\/3$/);
    app.press('\x1b[Z');
    expect(marked(app.lines())).toContain('pricing-question');
  });

  it('shows all keys with ?, and why some can do nothing', () => {
    const app = holdApp([run({ isPast: true }).run], { rows: 60 });
    app.press('?');
    const screen = app.screen();
    expect(screen).toContain('keys of the grid');
    expect(screen).toMatch(/p +start no more trials, or go on starting them \(now: this run is/);
    app.press('q');
    expect(app.screen()).toContain('refund-request');
  });

  it('is one line shorter than the terminal, at every size', () => {
    for (const [columns, rows] of [
      [60, 15],
      [80, 24],
      [200, 60],
    ] as const) {
      const lines = holdApp([mixedRun().run], { columns, rows }).lines();
      expect(lines.length).toBe(rows - 1);
      expect(lines.at(-1)).toContain('? help');
    }
  });

  it('lays out only the rows that are on screen', () => {
    const fake = createFakeRun({
      scenarios: Array.from({ length: 5000 }, (_, index) => fakeScenario(`scenario-${index}`)),
    });
    const app = holdApp([fake.run]);
    expect(app.screen()).toContain('scenario-16');
    expect(app.screen()).not.toContain('scenario-17');
    app.press('G');
    expect(marked(app.lines())).toContain('scenario-4999');
    expect(app.screen()).not.toContain('scenario-4982');
  });

  it('says that a run is tainted', () => {
    const fake = run();
    fake.emit({ type: 'taint', at: fake.time.now, kind: 'auth', message: 'no key' });
    const screen = holdApp([fake.run]).screen();
    expect(screen).toContain('tainted  ⠋ running');
    expect(screen).toContain('0 error   tainted, auth: no key');
  });

  it('tells of stopping until the run has stopped, and not longer', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run], { columns: 120 });
    app.press(keys.ctrlC);
    expect(app.screen()).toContain('stopping: 1 in flight finish');
    expect(app.lines()[0]).toMatch(/stopping$/);
    fake.end('stopped');
    app.model.resize(app.model.state.size);
    expect(app.screen()).not.toContain('Ctrl+C again');
    expect(app.screen()).toContain('stopped: what was not run can be resumed later');
    app.press('r');
    expect(fake.told).toEqual(['stop', 'add 1 to refund-request-past-window']);
  });

  it('shows a quarantined scenario dimmed, in brackets, with a count of its own, and passes it over', () => {
    const entry = {
      scenario: 'refund-request-past-window',
      owner: 'Ada',
      reason: 'flips',
      since: '2023-11-01',
      until: '2023-12-01',
      evidence: [],
    };
    const fake = createFakeRun({ scenarios: ids.map((id) => fakeScenario(id)), quarantine: [entry] });
    for (const repeat of [1, 2, 3])
      fake.trial(fake.key(entry.scenario, repeat), 'fail', { reason: 'promises money back' });
    for (const repeat of [1, 2, 3]) fake.trial(fake.key('empty-message', repeat), 'pass');
    fake.end();
    const app = holdApp([fake.run], { columns: 120 });
    expect(app.screen()).toMatch(
      /refund-request-past-window .* ✖ ✖ ✖ +\(fail\) .* quarantined: judge: promises/,
    );
    expect(app.screen()).toContain('1 pass  0 warn  0 fail  0 unknown  0 error  1 quarantined');
    app.press('n');
    expect(app.screen()).toContain('nothing fails so far');
    const row = app.model.stores[0]?.tally?.rowById.get(entry.scenario);
    const columns = { group: 5, shown: 3, pitch: 2 } as GridColumns;
    const theme = createTheme({ LANG: 'C.UTF-8' }, undefined);
    const tones = row?.groups.flatMap((group) =>
      groupSegments(group, columns, -1, theme, 0, row.isQuarantined).map(({ tone }) => tone),
    );
    expect(tones).toContain('faint');
    expect(tones).not.toContain('fail');
    app.press('/', 'quarantined', keys.enter);
    expect(app.screen()).not.toContain('empty-message');
  });

  it('gives rows of a killed run back to waiting', () => {
    const fake = mixedRun();
    const app = holdApp([fake.run]);
    fake.end('stopped');
    app.model.resize(app.model.state.size);
    expect(app.lines()[0]).toMatch(/stopped$/);
    expect(app.screen()).toMatch(/返金をお願いします .* ● · · +pass/);
  });
});

import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import { textWidth } from '../../../../source/base/width.js';
import type { BaselineChangeProposal } from '../../../../source/compare/baseline-proposal.js';
import { type HistoryRun, type SuiteRuns, suiteRunsOf } from '../../../../source/report/history.js';
import type { RunSummary } from '../../../../source/run/summary.js';
import { App } from '../../../../source/ui/app.js';
import type { AppRun, PastRuns } from '../../../../source/ui/types.js';
import { runSummary } from '../../../report/history-support.js';
import { hostile, unsafe } from '../../../report/support.js';
import { comparedRun, played } from '../../compared-run.js';
import { createFakeRun, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

/** Runs of v14, then of v15, the last one of a part of the suite; and two on another model. */
function someRuns(): SuiteRuns[] {
  const other = { conditions: [{ id: 'a', promptName: 'v14', model: 'simulated:other' }] };
  return suiteRunsOf([
    ...[96, 97, 95, 98].map((passed, day) => runSummary(day, passed, { ...v14, label: `label-${day}` })),
    ...[90, 88].map((passed, at) => runSummary(4 + at, passed, v15)),
    runSummary(6, 40, { ...v15, isFiltered: true, label: 'only-some' }),
    ...[70, 80].map((passed, at) => runSummary(10 + at, passed, other)),
  ]);
}

const v14 = { conditions: [{ id: 'a', promptName: 'v14', model: 'simulated:tiny' }] };
const v15 = {
  hash: 'h15',
  conditions: [{ id: 'a', promptName: 'v15', model: 'simulated:tiny' }],
  decision: { verdict: 'fail', exitCode: 1, headline: 'FAIL' },
};

function pastRun(): AppRun {
  const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')], repeat: 1, isPast: true });
  fake.trial(fake.key('refund-late', 1), 'fail', { reason: 'because' });
  fake.end();
  return fake.run;
}

/** Two sides of which one criterion fell. */
function heldRun(): AppRun {
  const fake = comparedRun({ scenarios: [fakeScenario('pricing-question')], isPast: true });
  played(fake, 'pricing-question', ['pass', 'pass', 'pass'], ['fail', 'fail', 'fail']);
  fake.end();
  return fake.run;
}

/** Of a baseline that is there already, with nothing that gives way. */
function proposal(asked: string[], more: Partial<BaselineChangeProposal> = {}): BaselineChangeProposal {
  return {
    kind: 'change',
    file: 'baselines/tiny/simulated%3Atiny.yaml',
    isNew: false,
    replaced: 0,
    lines: ['run x: v15, simulated:tiny, 100 trials', 'counted      12 checks', `note: ${hostile}`],
    message: 'Baseline of tiny',
    async isInGit() {
      asked.push('is it in git');
      return true;
    },
    async write() {
      asked.push('write');
    },
    ...more,
  };
}

function openHistory(size = {}, past: Partial<PastRuns> = {}) {
  const asked: string[] = [];
  const day = ({ runId }: Pick<HistoryRun, 'runId'>) => runId.slice(6, 8);
  const app = holdApp([], {
    columns: 100,
    rows: 30,
    ...size,
    pastRuns: {
      series: someRuns(),
      empty: 'There is no run to show yet.',
      program: 'evalrun',
      async open(run) {
        asked.push(`open ${day(run)}`);
        return pastRun();
      },
      async compare(base, candidate) {
        asked.push(`compare ${day(base)} ${day(candidate)}`);
        return heldRun();
      },
      async remove(run) {
        asked.push(`remove ${day(run)}`);
      },
      async propose(run) {
        asked.push(`propose ${day(run)} ${run.conditionId}`);
        return proposal(asked);
      },
      ...past,
    },
  });
  return { app, asked, list: () => app.lines().filter((line) => /^.{4}2026-/.test(line)) };
}

const selected = (lines: string[]) => lines.find((line) => line.startsWith('▸')) ?? '';
/** Where a sign stands in the lines of the plot: the column. */
const columnOf = (lines: string[], sign: string) =>
  lines
    .filter((line) => /[┤│]/.test(line))
    .map((line) => line.indexOf(sign))
    .find((at) => at >= 0);

describe('the history', () => {
  it.each([
    [60, 15],
    [80, 24],
    [120, 40],
    [200, 60],
  ])('fits %d columns and %d rows with plot, drift and runs', (columns, rows) => {
    const { app } = openHistory({ columns, rows });
    const lines = app.lines();
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const screen = lines.join('\n');
    expect(screen).toMatch(/tiny.*simulated:tiny.*tab 1\/2/);
    expect(screen).toMatch(/[⡀-⣿]/);
    expect(screen).toContain('drift: not known yet');
    expect(screen).toMatch(/01-07 .*FAIL +40\.0 %/);
    expect(lines.at(-1)).toContain('help');
    expect(lines.find((line) => line.includes('verdict'))).not.toContain('…');
  });

  it('lists the newest runs first with label, condition and verdict, and marks where the condition changed', () => {
    const { app, list } = openHistory();
    expect(list().map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      '▸  2026-01-07 12:00  FAIL  40.0 %  40/100  v15  part of the suite  only-some',
      '  2026-01-06 12:00  FAIL  88.0 %  88/100  v15',
      '  2026-01-05 12:00  FAIL  90.0 %  90/100  ^ v15',
      '  2026-01-04 12:00  PASS  98.0 %  98/100  v14  label-3',
      '  2026-01-03 12:00  PASS  95.0 %  95/100  v14  label-2',
      '  2026-01-02 12:00  PASS  97.0 %  97/100  v14  label-1',
      '  2026-01-01 12:00  PASS  96.0 %  96/100  v14  label-0',
    ]);
    expect(app.screen()).toContain('6 clean runs, 1 not clean');
    app.press('j', 'j');
    expect(app.screen()).toContain('the condition changed: v14 → v15');
    app.press('j');
    expect(app.screen()).not.toContain('the condition changed:');
  });

  it('marks the selected run in the plot, but for one that is not in it', () => {
    const { app } = openHistory();
    expect(columnOf(app.lines(), '●')).toBeUndefined();
    expect(app.screen()).toContain('not in the plot: part of the suite');
    app.press('G');
    const first = columnOf(app.lines(), '●') ?? Number.NaN;
    app.press(keys.right);
    expect(selected(app.lines())).toContain('2026-01-02');
    expect(columnOf(app.lines(), '●')).toBeGreaterThan(first);
    app.press(keys.left, keys.left);
    expect(selected(app.lines())).toContain('2026-01-01');
    expect(columnOf(app.lines(), '●')).toBe(first);
  });

  it('calls a slow fall out in words, and shows where it began', () => {
    const scores = [...Array.from({ length: 20 }, (_, at) => 95 + (at % 3)), 93, 92, 91, 90, 89, 88];
    const { app } = openHistory(
      {},
      { series: suiteRunsOf(scores.map((passed, day) => runSummary(day, passed))) },
    );
    expect(app.screen()).toMatch(/DRIFT: falling by \d\.\d % since run 20260121-120000-aaaa/);
    expect(app.lines().find((line) => /^.{4}2026-01-21/.test(line))).toContain('the fall began here');
  });

  it('keeps the selected run in view when the terminal becomes lower', () => {
    const { app } = openHistory();
    app.press('G');
    app.model.resize({ columns: 60, rows: 15 });
    expect(selected(app.lines())).toContain('01-01 12:00');
  });

  it('keeps the clean runs of one condition, and gives all back', () => {
    const { app, list } = openHistory();
    app.press('o');
    expect(app.screen()).toContain('only this v15: 2 clean runs');
    expect(list().map((line) => line.slice(4, 14))).toEqual(['2026-01-06', '2026-01-05']);
    expect(selected(app.lines())).toContain('2026-01-06');
    expect(app.screen()).toContain('and there are 2');
    app.press(keys.escape);
    expect(list()).toHaveLength(7);
    expect(selected(app.lines())).toContain('2026-01-06');
  });

  it('goes on to the next model with Tab, and remembers what was selected', () => {
    const { app } = openHistory();
    app.press('j', 'j', keys.tab);
    expect(app.lines()[0]).toMatch(/simulated:other.*2 clean runs.*tab 2\/2/);
    expect(selected(app.lines())).toMatch(/2026-01-12.* 80\.0 %/);
    app.press(keys.tab);
    expect(selected(app.lines())).toContain('2026-01-05');
  });

  it('opens a run in the grid and its trial, and leads back to where one was', async () => {
    const { app, asked } = openHistory();
    app.press('j', keys.enter);
    expect(app.screen()).toContain('opening …');
    await app.settle();
    expect(asked).toEqual(['open 06']);
    expect(app.screen()).toMatch(/refund-late .*FAIL/);
    expect(app.lines().at(-1)).toContain('q back');
    app.press(keys.enter);
    await app.settle();
    expect(app.screen()).toContain('trial 1 of 1');
    app.press(keys.escape, keys.escape);
    expect(selected(app.lines())).toContain('2026-01-06');
    expect(app.screen()).not.toContain('opening');
    expect(app.left).toEqual([]);
    app.press('q');
    expect(app.left).toEqual([{ how: 'quit' }]);
  });

  it('leaves from within a run with Ctrl+C', async () => {
    const { app } = openHistory();
    app.press(keys.enter);
    await app.settle();
    app.press(keys.ctrlC);
    expect(app.left).toEqual([{ how: 'quit' }]);
  });

  it('compares two marked runs, the earlier as the base whichever was marked first', async () => {
    const { app, asked } = openHistory();
    app.press('=');
    expect(app.screen()).toContain('space marks the runs to compare');
    app.press('j', ' ', '=');
    expect(app.screen()).toContain('select another run to compare it with the marked one');
    app.press('j', 'j', ' ', 'j', ' ');
    expect(app.screen()).toContain('two are marked: space on one of them takes it back');
    app.press('=');
    await app.settle();
    expect(asked).toEqual(['compare 04 06']);
    expect(app.screen()).toMatch(/changes {3}v14 → v15/);
    expect(app.screen()).toMatch(/pricing-question .* 3\/3 .* 0\/3 /);
    app.press(keys.escape);
    expect(app.lines()[0]).toContain('history');
    app.press(keys.escape, 'c');
    expect(app.screen()).toContain('space marks the runs to compare');
  });

  it('compares the marked run with the selected one', async () => {
    const { app, asked } = openHistory();
    app.press('G', ' ', 'k', 'c');
    await app.settle();
    expect(asked).toEqual(['compare 01 02']);
  });

  it('says why a run cannot be opened, and stays', async () => {
    const { app } = openHistory({}, { open: () => Promise.reject(new UserError('that run is gone')) });
    app.press(keys.enter);
    await app.settle();
    expect(app.lines().at(-1)).toContain('that run is gone');
    expect(app.lines()[0]).toContain('history');
  });

  it('comes back from a run whose journal cannot be read, and says why', async () => {
    const broken = { ...pastRun(), feed: () => Promise.reject(new UserError('the journal is damaged')) };
    const { app } = openHistory({}, { open: async () => broken });
    app.press(keys.enter);
    await app.settle();
    await app.settle();
    expect(app.lines().at(-1)).toContain('the journal is damaged');
    expect(app.lines()[0]).toContain('history');
  });

  it('opens of two runs that were asked for the later one', async () => {
    const opening: ((run: AppRun) => void)[] = [];
    const { app } = openHistory({}, { open: () => new Promise((resolve) => opening.push(resolve)) });
    app.press(keys.enter, 'j', keys.enter);
    opening[1]?.({ ...pastRun(), title: 'the later one' });
    await app.settle();
    opening[0]?.({ ...pastRun(), title: 'the earlier one' });
    await app.settle();
    expect(app.lines()[0]).toContain('the later one');
    app.press(keys.escape);
    expect(app.lines()[0]).toContain('history');
  });

  it('says what to do where there is no run, and where none is clean', () => {
    const { app } = openHistory({}, { series: [] });
    expect(app.screen()).toContain('There is no run to show yet.');
    app.press(keys.enter);
    expect(app.lines().at(-1)).toContain('there is no run yet');
    const partial = suiteRunsOf([runSummary(0, 90, { isFiltered: true })]);
    const { app: other } = openHistory({}, { series: partial });
    expect(other.screen()).toContain('none of these runs is clean');
    other.press('o');
    expect(other.screen()).toContain('no clean run has this condition');
  });

  it('deletes a run after a question that says that there is no undo, and keeps one that is refused', async () => {
    const { app, asked, list } = openHistory();
    app.press('j', 'D');
    expect(app.screen()).toContain('for good? there is no undo  y delete  n no');
    app.press('n');
    expect(list()).toHaveLength(7);
    app.press('D', 'y');
    await app.settle();
    expect(asked).toEqual(['remove 06']);
    expect(list()).toHaveLength(6);
    expect(selected(app.lines())).toContain('2026-01-05');
    expect(app.screen()).toContain('5 clean runs, 1 not clean');
    const remove = async () => {
      throw new UserError('another evalrun is writing it');
    };
    const held = openHistory({}, { remove });
    held.app.press('D', 'y');
    await held.app.settle();
    expect(held.app.screen()).toContain('not deleted: another evalrun is writing it');
    expect(held.list()).toHaveLength(7);
  });

  it('promotes a run to the baseline after a question that shows what changes', async () => {
    const { app, asked, list } = openHistory({ rows: 24 });
    app.press('j', 'p');
    await app.settle();
    expect(app.screen()).toContain('add the run to baselines/tiny/simulated%3Atiny.yaml?  y save  n no');
    expect(app.screen()).toContain(
      ' run x: v15, simulated:tiny, 100 trials\n counted      12 checks\n note: ',
    );
    expect(app.lines().join('')).not.toMatch(unsafe);
    expect(app.lines()).toHaveLength(23);
    expect(selected(app.lines())).toContain('2026-01-06');
    app.press('n');
    expect(asked).toEqual(['propose 06 a']);
    expect(app.screen()).not.toContain('12 checks');
    app.press('p');
    await app.settle();
    app.press('y');
    await app.settle();
    // Once it is written git no longer knows the file as it stands.
    expect(asked.slice(2)).toEqual(['is it in git', 'write']);
    expect(app.screen()).toContain('saved baselines/tiny/simulated%3Atiny.yaml; git has the way back');
    expect(list()).toHaveLength(7);
  });

  it.each<[more: Partial<BaselineChangeProposal>, question: string, told: string]>([
    [{ isNew: true }, 'write FILE, a new file?', 'saved FILE, a new file: deleting it is the way back'],
    [{ replaced: 2 }, 'replace what was counted of 2 checks in FILE?', 'saved FILE; git has the way back'],
    [{ isInGit: async () => false }, 'add the run to FILE?', 'saved FILE; git does not have it as it was'],
  ])('asks what is true of the file and says how it is had back: %o', async (more, question, told) => {
    const file = 'baselines/b.yaml';
    const { app } = openHistory({}, { propose: async () => proposal([], { file, ...more }) });
    app.press('p');
    await app.settle();
    expect(app.screen()).toContain(question.replace('FILE', file));
    app.press('y');
    await app.settle();
    expect(app.screen()).toContain(told.replace('FILE', file));
  });

  it.each([
    [60, 15],
    [80, 24],
  ])('counts the lines of a proposal that %d columns and %d rows have no room for', async (columns, rows) => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index} ${'long '.repeat(30)}`);
    const { app } = openHistory({ columns, rows }, { propose: async () => proposal([], { lines }) });
    app.press('p');
    await app.settle();
    const drawn = app.lines();
    expect(drawn).toHaveLength(rows - 1);
    for (const line of drawn) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    const told = drawn.filter((line) => line.startsWith(' line ')).length;
    expect(told).toBeGreaterThan(0);
    expect(app.screen()).toContain(`… and ${40 - told} more lines`);
    expect(selected(drawn)).toContain('01-07');
  });

  it('says why a run is not promoted, with the command that says it in full', async () => {
    const refused = async (): Promise<never> => {
      throw new UserError(`2 checks fail in run x, ${'which is long, '.repeat(9)}so:\n  one\n  two`);
    };
    const { app, asked } = openHistory({}, { propose: refused });
    app.press('p');
    await app.settle();
    const line = app.lines().at(-1) ?? '';
    expect(line).toMatch(/not saved: 2 checks fail in run x, .*…; see evalrun baseline save 2026\S+$/);
    app.press('p');
    await app.settle();
    app.press('y');
    expect(asked).toEqual([]);
    const narrow = openHistory({ columns: 60 }, { propose: refused });
    narrow.app.press('p');
    await narrow.app.settle();
    expect(narrow.app.lines().at(-1)).toMatch(/^ not saved: 2 checks fail in run x, which is long, .*…$/);

    const write = async () => {
      throw new UserError('it was changed meanwhile');
    };
    const held = openHistory({}, { propose: async () => proposal([], { write }) });
    held.app.press('p');
    await held.app.settle();
    held.app.press('y');
    await held.app.settle();
    expect(held.app.screen()).toContain('not saved: it was changed meanwhile; see evalrun baseline save');

    const line2 = 'run x is counted in baselines/b.yaml already; nothing changes';
    const counted = openHistory({}, { propose: async () => ({ kind: 'counted', line: line2 }) });
    counted.app.press('p');
    await counted.app.settle();
    expect(counted.app.screen()).toContain(line2);
  });

  it('names the condition of a run that tried several, and asks nothing of whoever went on', async () => {
    const both = ['v14', 'v15'].map((promptName, at) => ({
      id: 'ab'[at] as string,
      promptName,
      model: 'simulated:tiny',
    }));
    const propose = async (): Promise<never> => {
      throw new UserError('no');
    };
    const [one] = suiteRunsOf([runSummary(0, 96, { conditions: both })]);
    const [run] = one?.runs ?? [];
    if (!one || !run) throw new Error('the summary has no scores');
    const twice = { ...one, runs: [run, { ...run, conditionId: 'b' }] };
    const { app } = openHistory({}, { propose, series: [twice] });
    app.press('p');
    await app.settle();
    expect(app.screen()).toMatch(/not saved: no; see evalrun baseline save \S+ --condition b/);

    const late = openHistory();
    late.app.press('p', 'j');
    await late.app.settle();
    expect(late.app.screen()).not.toContain('add the run to');
  });

  it('draws nothing that a terminal would obey', () => {
    const conditions: RunSummary['conditions'] = [{ id: 'a', promptName: hostile, model: hostile }];
    const more = { suite: hostile, label: hostile, conditions, taints: [{ kind: hostile, message: '' }] };
    const { app } = openHistory({}, { series: suiteRunsOf([runSummary(0, 90, more)]) });
    expect(app.screen()).not.toMatch(unsafe);
  });

  it('has its keys in the help, with what the signs mean', () => {
    const { app } = openHistory({ rows: 60 });
    app.press('?');
    expect(app.screen()).toContain('keys of the history');
    expect(app.screen()).toContain('one run back in the plot');
    expect(app.screen()).toMatch(/● the selected run +○ a marked one/);
  });

  it('is drawn by Ink as keys come, over to a run and back', async () => {
    const { app } = openHistory();
    const { lastFrame, unmount } = render(
      <App
        model={app.model}
        onError={(error) => {
          throw error;
        }}
      />,
    );
    app.press(keys.enter);
    await expect.poll(lastFrame).toContain('refund-late');
    app.press(keys.escape);
    await expect.poll(lastFrame).toContain('6 clean runs');
    unmount();
  });
});

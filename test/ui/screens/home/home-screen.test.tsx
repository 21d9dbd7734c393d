import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../source/base/errors.js';
import { textWidth } from '../../../../source/base/width.js';
import { historyOf, suiteRunsOf } from '../../../../source/report/history.js';
import { type HomeFacts, type HomeSuite, homeSuites } from '../../../../source/report/home.js';
import type { RunSummary } from '../../../../source/run/summary.js';
import { App } from '../../../../source/ui/app.js';
import type { AppRun, HomeDesk } from '../../../../source/ui/types.js';
import { runSummary } from '../../../report/history-support.js';
import { hostile, unsafe } from '../../../report/support.js';
import { createFakeRun, type FakeRun, fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const now = Date.UTC(2026, 0, 10, 12);

const summaries = [
  ...[90, 85, 80].map((passed, day) => runSummary(day, passed)),
  runSummary(3, 40, { decision: { verdict: 'fail', exitCode: 1, headline: 'FAIL' } }),
];

function suites(of: readonly RunSummary[] = summaries, names = ['support', 'tiny']): HomeSuite[] {
  const entries = of.map((summary) => ({
    runId: summary.runId,
    suite: summary.suite,
    folder: '',
    journal: '',
    summary,
    started: undefined,
    isRunning: false,
  }));
  return homeSuites(names, entries, historyOf(of), new Map()).map((suite) => ({
    ...suite,
    usual: { isCandidate: true, asks: suite.suite === 'support' ? ['openai:gpt-4o-mini'] : [] },
  }));
}

const someFacts = (): HomeFacts => ({
  suites: suites(),
  unfinished: [
    {
      runId: '20260109-120000-bbbb',
      suite: 'tiny',
      kind: 'run',
      at: now - 3_600_000,
      what: 'v2 on simulated:tiny',
      label: 'nightly',
      done: 12,
      total: 153,
    },
    {
      runId: '20260108-120000-cccc',
      suite: 'support',
      kind: 'bisect',
      at: now - 2e8,
      what: 'bisect v1 → v2',
    },
  ],
  matters: [
    {
      suite: 'tiny',
      kind: 'expired',
      word: 'EXPIRED',
      text: 'the quarantine of 1 check has ended: late / window',
    },
    { suite: 'tiny', kind: 'drift', word: 'DRIFT', text: 'DRIFT: falling' },
  ],
});

function liveRun(): FakeRun {
  const fake = createFakeRun({ scenarios: [fakeScenario('refund-late')], repeat: 1 });
  fake.start(fake.key('refund-late', 1));
  return fake;
}

function openHome(size = {}, facts: HomeFacts | undefined = someFacts(), more: Partial<HomeDesk> = {}) {
  const asked: string[] = [];
  const state: { facts: HomeFacts | undefined } = { facts };
  const listeners = new Set<() => void>();
  const made: FakeRun[] = [];
  const give = async (what: string): Promise<AppRun> => {
    asked.push(what);
    const fake = liveRun();
    made.push(fake);
    return fake.run;
  };
  const home: HomeDesk = {
    project: 'shop',
    program: 'evalrun',
    lastSuite: 'tiny',
    facts: () => state.facts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pastRuns: {
      series: suiteRunsOf(summaries),
      empty: 'nothing',
      program: 'evalrun',
      remove: async () => {},
      propose: async ({ runId }) => ({ kind: 'counted', line: `${runId} is counted` }),
      open: ({ runId }) => give(`open ${runId}`),
      compare: (base, candidate) => give(`compare ${base.runId} ${candidate.runId}`),
    },
    triage: (suite) => ({
      suite,
      open: () => new Promise(() => asked.push(`triage ${suite}`)),
      runAgain: () => give('again'),
    }),
    refresh: () => asked.push('refresh'),
    start: (suite) => give(`start ${suite}`),
    resume: ({ runId }) => give(`resume ${runId}`),
    ...more,
  };
  const app = holdApp([], { columns: 100, rows: 30, now, home, ...size });
  return { app, asked, made, state, listeners };
}

const selected = (lines: string[]) => lines.find((line) => line.startsWith('▸')) ?? '';

describe('home', () => {
  it.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])(
    'fits %d columns and %d rows with suites, what is unfinished and what is to be seen to',
    (columns, rows) => {
      const { app } = openHome({ columns, rows });
      const lines = app.lines();
      expect(lines).toHaveLength(rows - 1);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
      expect(lines[0]).toMatch(/home {3}shop.*2 suites/);
      expect(app.screen()).toMatch(/support +never/);
      expect(app.screen()).toMatch(/▸ tiny +FAIL +6 d +█.*▁ +0$/m);
      expect(app.screen()).toMatch(/tiny .*v2 on simulated.* 12\/153 +1 h/);
      expect(app.screen()).toContain('r: evalrun run tiny --candidate');
      expect(lines.at(-1)).toMatch(/q quit {2}\? help$/);
      app.press('G');
      expect(selected(app.lines())).toContain('DRIFT');
    },
  );

  it('opens on the suite that was run last', () => {
    expect(selected(openHome().app.lines())).toContain('tiny');
    expect(selected(openHome({}, someFacts(), { lastSuite: undefined }).app.lines())).toContain('support');
  });

  it('makes the usual run at once where it costs nothing, and leads back from it', async () => {
    const { app, asked } = openHome();
    app.press('r');
    await app.settle();
    expect(asked).toEqual(['start tiny']);
    expect(app.screen()).toContain('refund-late');
    app.press(keys.escape);
    expect(app.screen()).toContain('leave the run?');
    app.press('n');
    expect(app.screen()).toContain('refund-late');
    app.press('q', 'y');
    expect(app.screen()).toMatch(/home {3}shop/);
    expect(app.screen()).toContain('can be gone on with');
    expect(app.left).toEqual([]);
  });

  it('asks before a live model is asked, and takes no for an answer', async () => {
    const { app, asked } = openHome();
    app.press('k', 'r');
    expect(app.screen()).toContain('run support? it asks openai:gpt-4o-mini  y run  n no');
    app.press('n');
    await app.settle();
    expect(asked).toEqual([]);
    app.press('r', 'y');
    await app.settle();
    expect(asked).toEqual(['start support']);
  });

  it('goes on with the run that is selected, else with the newest of the suite; asks where that costs', async () => {
    const { app, asked } = openHome();
    app.press('u');
    await app.settle();
    app.press('q', 'y', 'j', 'j', keys.enter);
    expect(app.screen()).toContain('go on with 20260108-120000-cccc? it asks openai:gpt-4o-mini');
    app.press('y');
    await app.settle();
    expect(asked).toEqual(['resume 20260109-120000-bbbb', 'resume 20260108-120000-cccc']);
  });

  it('asks about a run of a suite of which nobody knows whom it asks', () => {
    const facts = someFacts();
    for (const suite of facts.suites) delete suite.usual;
    const { app, asked } = openHome({}, facts);
    app.press('u');
    expect(app.screen()).toContain('it asks its models');
    app.press(keys.escape, 'r');
    expect(app.screen()).toContain('the files of the suite are still being read');
    expect(asked).toEqual([]);
  });

  it('opens the last run, and holds the last two against each other', async () => {
    const { app, asked } = openHome();
    app.press(keys.enter);
    await app.settle();
    app.press('q', 'y', 'c');
    await app.settle();
    const ids = [2, 3].map((day) => runSummary(day, 0).runId);
    expect(asked).toEqual([`open ${ids[1]}`, `compare ${ids.join(' ')}`]);
  });

  it('has the history over it, on the scores of the suite, and comes back', () => {
    const { app } = openHome();
    app.press('h');
    expect(app.screen()).toMatch(/history {3}tiny/);
    expect(app.lines().at(-1)).toContain('q back');
    app.press(keys.escape);
    expect(app.screen()).toMatch(/home {3}shop/);
    app.press('G', keys.enter);
    expect(app.screen()).toMatch(/history {3}tiny/);
    app.press('q');
    expect(app.screen()).toMatch(/home {3}shop/);
    app.press('q');
    expect(app.left).toEqual([{ how: 'quit' }]);
  });

  it('shows another suite in the history where the only run of the last one was deleted', async () => {
    const other = runSummary(5, 90, { suite: 'other' });
    let left = [...summaries, other];
    const nothing = async (): Promise<never> => {
      throw new UserError('not here');
    };
    const pastRuns = {
      get series() {
        return suiteRunsOf(left);
      },
      empty: 'nothing is left',
      program: 'evalrun',
      open: nothing,
      compare: nothing,
      propose: nothing,
      async remove() {
        left = summaries;
      },
    };
    const { app } = openHome({}, someFacts(), { pastRuns });
    app.press('h', keys.tab);
    expect(app.screen()).toMatch(/history {3}other .*tab 2\/2/);
    app.press('D', 'y');
    await app.settle();
    expect(app.screen()).toContain(`deleted: ${other.runId}`);
    expect(app.screen()).toMatch(/history {3}tiny/);
    expect(app.screen()).not.toContain('nothing is left');
    app.press('j');
    expect(selected(app.lines())).toContain('2026-01-03');
  });

  it('has the triage of the suite over it, also from what is to be seen to, and reads anew after it', () => {
    const { app, asked } = openHome();
    app.press('k', 'x');
    app.screen();
    app.press(keys.escape);
    expect(app.screen()).toMatch(/home {3}shop/);
    app.press('G', 'k', keys.enter);
    expect(app.screen()).toContain('tiny');
    app.press('q');
    expect(app.screen()).toMatch(/home {3}shop/);
    expect(asked).toEqual(['triage support', 'refresh', 'triage tiny', 'refresh']);
  });

  it('says why something cannot be done', async () => {
    const facts = someFacts();
    const [support] = facts.suites;
    if (support)
      support.usual = { isCandidate: false, asks: [], problem: 'suites/support/suite.yaml: no target' };
    const { app, asked } = openHome({}, { ...facts, unfinished: [] });
    app.press('k', 'r');
    expect(app.screen()).toContain('cannot be run: suites/support/suite.yaml: no target');
    app.press(keys.enter);
    expect(app.screen()).toContain('the suite has no run that is over');
    app.press('c');
    expect(app.screen()).toContain('it takes two clean runs of the suite');
    app.press('u');
    expect(app.screen()).toContain('nothing was left unfinished');
    await app.settle();
    expect(asked).toEqual([]);
  });

  it('says why a run could not be made, and stays', async () => {
    const start = async () => {
      throw new UserError('the key OPENAI_API_KEY is not set');
    };
    const { app } = openHome({}, someFacts(), { start });
    app.press('r');
    await app.settle();
    expect(app.screen()).toContain('the key OPENAI_API_KEY is not set');
    expect(app.screen()).toMatch(/home {3}shop/);
  });

  it('says what to do first: where there is no suite, and where nothing was run', () => {
    const none = openHome({}, { suites: [], unfinished: [], matters: [] }).app;
    expect(none.screen()).toContain('evalrun init writes a first one');
    none.press('r');
    expect(none.screen()).toContain('there is no suite yet');
    const idle = openHome({}, { suites: suites([]), unfinished: [], matters: [] }).app;
    expect(idle.screen()).toContain('nothing was run yet: r makes the first run');
  });

  it('fills in what is read later, and keeps the selection', () => {
    const { app, state, listeners } = openHome();
    const whole = someFacts();
    state.facts = undefined;
    app.model.resize(app.model.state.size);
    expect(app.screen()).toContain('the runs are being read');
    state.facts = { ...whole, unfinished: [], matters: [] };
    app.model.resize(app.model.state.size);
    app.press('k');
    state.facts = { ...whole, suites: [...suites([], ['airline']), ...whole.suites] };
    app.model.resize(app.model.state.size);
    expect(selected(app.lines())).toContain('support');
    expect(app.screen()).toContain('EXPIRED');
    expect(listeners.size).toBe(1);
  });

  it.each([
    [60, 15],
    [80, 24],
    [200, 60],
  ])('draws nothing at %dx%d that a terminal would obey', (columns, rows) => {
    const conditions: RunSummary['conditions'] = [{ id: 'a', promptName: hostile, model: hostile }];
    const of = [runSummary(0, 90, { suite: hostile, conditions, label: hostile })];
    const [suite] = suites(of, [hostile]);
    const facts: HomeFacts = {
      suites: suite ? [{ ...suite, usual: { isCandidate: false, asks: [hostile], problem: hostile } }] : [],
      unfinished: [{ runId: 'r', suite: hostile, kind: 'run', at: 0, what: hostile, label: hostile }],
      matters: [{ suite: hostile, kind: 'mistake', word: 'MISTAKE', text: 'seen' }],
    };
    const { app } = openHome({ columns, rows }, facts, { project: hostile });
    for (const key of ['r', 'j', 'u', 'n', 'j', keys.enter]) {
      app.press(key);
      expect(app.screen()).not.toMatch(unsafe);
      for (const line of app.lines()) expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
    }
  });

  it('is drawn by Ink as keys come, over to a run and back', async () => {
    const { app, made } = openHome();
    const { lastFrame, unmount } = render(
      <App
        model={app.model}
        onError={(error) => {
          throw error;
        }}
      />,
    );
    app.press('r');
    await expect.poll(lastFrame).toContain('refund-late');
    app.press('q', 'y');
    await expect.poll(lastFrame).toContain('home   shop');
    expect(made).toHaveLength(1);
    unmount();
  });
});

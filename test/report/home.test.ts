import { describe, expect, it } from 'vitest';
import { formatAge } from '../../source/report/format.js';
import { historyOf } from '../../source/report/history.js';
import { homeSuites, unfinishedRuns } from '../../source/report/home.js';
import {
  driftMatters,
  judgeMatter,
  oldRunMatters,
  sortedMatters,
  triageMatters,
} from '../../source/report/home-matters.js';
import { sparkLine } from '../../source/report/spark.js';
import type { RunEntry } from '../../source/run/runs.js';
import type { RunSummary } from '../../source/run/summary.js';
import type { TriageRow } from '../../source/triage/suggest.js';
import { plannedCondition, plannedScenario, runStarted } from '../tally/support.js';
import { runSummary } from './history-support.js';

const place = (runId: string, suite = 'tiny') => ({ runId, suite, folder: `/l/${runId}`, journal: '' });
const over = (summary: RunSummary): RunEntry => ({
  ...place(summary.runId, summary.suite),
  summary,
  started: undefined,
  isRunning: false,
});
const interrupted = {
  state: 'interrupted',
  decision: { verdict: 'interrupted', exitCode: 130, headline: '' },
} as const;
const bisect = { good: 'v1', bad: 'v2', hunks: 4, watched: [{ scenario: 'late' }] };

function suitesOf(summaries: RunSummary[], names = ['tiny']) {
  return homeSuites(names, summaries.map(over), historyOf(summaries), new Map());
}

describe('a suite on home', () => {
  it('has the newest run that is over, whatever was left unfinished, bisected or graded again since', () => {
    const usage = { input: 100, output: 20, cacheRead: 90, cacheWrite: 0 };
    const [suite] = suitesOf([
      runSummary(0, 90),
      runSummary(1, 80, {
        decision: { verdict: 'fail', exitCode: 1, headline: 'FAIL' },
        tokens: { agent: usage, judge: usage, user: usage },
      }),
      runSummary(2, 10, interrupted),
      runSummary(3, 10, { purpose: 'bisect', bisect }),
      runSummary(4, 10, { regradeOf: 'another' }),
    ]);
    expect(suite?.last).toMatchObject({
      verdict: 'fail',
      promptName: 'v1',
      model: 'simulated:tiny',
      tokens: 360,
    });
    expect(suite?.last?.runId).toBe(runSummary(1, 0).runId);
  });

  it('is there where it was never run, and takes nothing from another suite', () => {
    expect(suitesOf([runSummary(0, 90, { suite: 'other' })])).toEqual([{ suite: 'tiny' }]);
  });

  it('shows the scores of the model that was run last', () => {
    const other = { conditions: [{ id: 'a', promptName: 'v1', model: 'simulated:other' }] };
    const [suite] = suitesOf([runSummary(0, 90), runSummary(1, 80), runSummary(2, 70, other)]);
    expect(suite?.series?.points.map(({ score }) => score)).toEqual([0.7]);
  });
});

describe('unfinished runs', () => {
  it('are those that were stopped or killed, newest first, and bisects that found nothing yet', () => {
    const started = { ...runStarted([plannedScenario('s')], 3, [plannedCondition('a')]), label: 'killed' };
    const killed: RunEntry = {
      ...place('20260109-120000-aaaa'),
      summary: undefined,
      started,
      isRunning: false,
    };
    const found = unfinishedRuns([
      over(runSummary(0, 90)),
      over(runSummary(1, 80, { ...interrupted, trials: { total: 9, done: 4, errors: 0 } })),
      over(runSummary(2, 80, { ...interrupted, purpose: 'bisect', bisect })),
      killed,
    ]);
    expect(found.map(({ kind, what, done, total, label }) => ({ kind, what, done, total, label }))).toEqual([
      { kind: 'run', what: expect.stringContaining(' on '), done: undefined, total: 3, label: 'killed' },
      { kind: 'bisect', what: 'bisect v1 → v2', done: undefined, total: undefined, label: undefined },
      { kind: 'run', what: 'v1 on simulated:tiny', done: 4, total: 9, label: undefined },
    ]);
  });

  it('are of a suite by its name, whatever the folder of its runs is called', () => {
    const started = { ...runStarted([plannedScenario('s')], 3, [plannedCondition('a')]), suite: 'my suite' };
    const summary = runSummary(1, 80, { ...interrupted, suite: 'my suite' });
    const folder = { suite: 'my-suite' };
    const found = unfinishedRuns([
      { ...place('20260109-120000-aaaa'), ...folder, summary: undefined, started, isRunning: false },
      { ...over(summary), ...folder },
      { ...over({ ...summary, purpose: 'bisect', bisect }), ...folder },
    ]);
    expect(found.map(({ suite }) => suite)).toEqual(['my suite', 'my suite', 'my suite']);
  });

  it('are not those that a process writes, that are tainted, that grade again, or whose journal cannot be read', () => {
    const started = runStarted([plannedScenario('s')], 3, [plannedCondition('a')]);
    const open = { summary: undefined, started };
    expect(
      unfinishedRuns([
        { ...place('a'), ...open, isRunning: true },
        { ...place('b'), summary: undefined, started: undefined, isRunning: false },
        over(runSummary(1, 80, { ...interrupted, taints: [{ kind: 'clock', message: '' }] })),
        over(runSummary(2, 80, { ...interrupted, regradeOf: 'x' })),
        over(runSummary(3, 80, { ...interrupted, bisect, taints: [{ kind: 'clock', message: '' }] })),
      ]),
    ).toEqual([]);
  });
});

describe('what is to be seen to', () => {
  const row = (check: string, suggestion: TriageRow['suggestion']): TriageRow => ({
    suite: 'tiny',
    scenario: 'late',
    check,
    results: [],
    flips: [],
    recent: 0,
    wasted: { ms: 0, tokens: 0 },
    passesInARow: 0,
    ...(suggestion && { suggestion }),
  });

  it('is a line a kind, the urgent first, with the checks by name as far as there are few', () => {
    const triage = {
      suite: 'tiny',
      at: 0,
      days: 30,
      runs: 9,
      rows: [
        ...['a', 'b', 'c', 'd'].map((check) => row(check, { kind: 'quarantine', flips: 3 })),
        row('gone', { kind: 'expired', until: '2026-01-01' }),
        row('fine', undefined),
      ],
      share: { scenarios: 0, of: 1, most: 1, isOver: false },
      problems: [],
      damaged: [],
    };
    const judge = judgeMatter('tiny', { prompt: 'default@1', model: 'openai:x' }, [
      { kind: 'uncalibrated', why: 'nobody labelled this rubric' },
    ]);
    expect(
      sortedMatters([...judge, ...triageMatters(triage)]).map(({ word, text }) => `${word}: ${text}`),
    ).toEqual([
      'EXPIRED: the quarantine of 1 check has ended: late / gone',
      'flaky: 4 checks flipped with nothing changed: late / a, late / b, late / c, …',
      'judge: default@1 on openai:x is uncalibrated on 1 of 1 rubric: nobody labelled this rubric',
    ]);
  });

  it('counts the clean runs that say nothing of flips, of suites that there are', () => {
    const runs = [
      runSummary(0, 90),
      runSummary(1, 90),
      runSummary(2, 90, { results: [] }),
      runSummary(3, 90, interrupted),
      runSummary(4, 90, { suite: 'gone' }),
    ];
    expect(oldRunMatters(['other', 'tiny'], runs)).toEqual([
      {
        suite: 'tiny',
        kind: 'old',
        word: 'old',
        text: expect.stringMatching(/^2 runs were summed up before/),
      },
    ]);
  });

  it('tells of scores that fall, until they have come back', () => {
    const steady = Array.from({ length: 20 }, (_, day) => runSummary(day, day % 2 === 0 ? 95 : 94));
    const fallen = Array.from({ length: 15 }, (_, day) => runSummary(20 + day, 80));
    expect(driftMatters(historyOf(steady))).toEqual([]);
    expect(driftMatters(historyOf([...steady, ...fallen]))).toMatchObject([
      { suite: 'tiny', kind: 'drift', text: expect.stringContaining('DRIFT: falling') },
    ]);
  });
});

describe('a spark line', () => {
  const signs = ['1', '2', '3', '4', '5'];

  it('shows a fall of ten points over its whole height, and hardly one of a single point', () => {
    expect(sparkLine([0.9, 0.8], 9, signs)).toBe('51');
    expect(sparkLine([0.9, 0.89], 9, signs)).toBe('55');
    expect(sparkLine([1, 0.5, 0], 9, signs)).toBe('531');
  });

  it('shows the newest scores where there is no room for all, and nothing of none', () => {
    expect(sparkLine([0, 0.9, 0.8], 2, signs)).toBe('51');
    expect(sparkLine([0.9], 0, signs)).toBe('');
    expect(sparkLine([], 5, signs)).toBe('');
  });
});

it('says how long ago something was in one step', () => {
  const minute = 60_000;
  const ages = [-5, 30_000, 5 * minute, 59.9 * minute, 60 * minute, 47 * 60 * minute, 800 * 24 * 60 * minute];
  expect(ages.map(formatAge)).toEqual(['now', 'now', '5 min', '59 min', '1 h', '1 d', '2 y']);
});

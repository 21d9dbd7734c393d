import { cusum, cusumReference } from '../base/cusum.js';
import type { ConditionScore, RunSummary } from '../run/summary.js';

/** What one run of a suite scored on a model, under one condition. */
export interface HistoryRun extends Pick<ConditionScore, 'passed' | 'of' | 'axes' | 'meanJudged'> {
  runId: string;
  /** Of the condition in that run: a run may try several. */
  conditionId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Trials that passed of all graded ones, 0 to 1. */
  score: number;
  promptName: string;
  /** Hash of the condition. */
  condition: string;
  /** Hash of what was asked. */
  criteria: string;
  label?: string;
  /** The gate's word on the whole run. */
  verdict: string;
  /** Why the run counts for nothing; not set for a clean one. Not made safe to print. */
  unclean?: string;
}

/** What one clean run of a suite scored on a model. */
export interface HistoryPoint extends Omit<HistoryRun, 'unclean'> {
  /** What is not as it was in the run before. */
  changed: ('condition' | 'criteria')[];
}

/** All runs of one suite on one model that graded a trial, oldest first. */
export interface SuiteRuns {
  suite: string;
  model: string;
  liveTools: boolean;
  runs: HistoryRun[];
}

/** Clean runs of one suite on one model, oldest first. */
export interface HistorySeries extends Omit<SuiteRuns, 'runs'> {
  points: HistoryPoint[];
  drift: Drift;
}

/** Whether the scores have fallen slowly, by a test rather than by eye, since what is asked last changed. */
export type Drift =
  /** Fewer runs than it takes to know what is usual. */
  | { kind: 'too-few'; runs: number; needed: number }
  | { kind: 'none'; mean: number; sd: number }
  /** `from`: the run with which the fall began, `found`: the one that proved it. `recent`: mean since it began. */
  | {
      kind: 'fell';
      mean: number;
      sd: number;
      from: string;
      found: string;
      recent: number;
      hasRecovered: boolean;
    };

/** Runs that are first, and then left alone, so that a fall never becomes what is usual. */
const pinnedRuns = 20;

/**
 * Scores over time. Only clean runs count: whole, not tainted, of all scenarios, and not of conversations that were
 * graded before. A run on several models is a point on each. `summaries` in any order.
 */
export function historyOf(summaries: readonly RunSummary[]): HistorySeries[] {
  return suiteRunsOf(summaries)
    .map((runs) => seriesOf(runs))
    .filter(({ points }) => points.length > 0);
}

/** What runs scored, those that are not clean too, which say why. `summaries` in any order. */
export function suiteRunsOf(summaries: readonly RunSummary[]): SuiteRuns[] {
  const all = new Map<string, SuiteRuns>();
  for (const summary of [...summaries].sort((a, b) => (a.runId < b.runId ? -1 : 1))) {
    for (const score of summary.scores ?? []) {
      const condition = summary.conditions.find(({ id }) => id === score.condition);
      if (!condition || score.of === 0) continue;
      const { model, promptName } = condition;
      const liveTools = score.liveTools ?? false;
      const key = JSON.stringify([summary.suite, model, liveTools]);
      const one = all.get(key) ?? { suite: summary.suite, model, liveTools, runs: [] };
      all.set(key, one);
      one.runs.push(runOf(summary, score, promptName));
    }
  }
  return [...all.values()];
}

/** The clean ones of these runs with whether they fell; those of one condition alone where its hash is given. */
export function seriesOf({ runs, ...series }: SuiteRuns, condition?: string): HistorySeries {
  const points: HistoryPoint[] = [];
  for (const { unclean, ...run } of runs) {
    if (unclean !== undefined || (condition !== undefined && run.condition !== condition)) continue;
    const before = points.at(-1);
    const changed: HistoryPoint['changed'] = [];
    if (before && before.condition !== run.condition) changed.push('condition');
    if (before && before.criteria !== run.criteria) changed.push('criteria');
    points.push({ ...run, changed });
  }
  return { ...series, points, drift: driftOf(points) };
}

/** Why a run counts for nothing; undefined for a clean one. */
function whyUnclean({ state, taints, decision, isFiltered, regradeOf }: RunSummary): string | undefined {
  const [taint] = taints;
  if (taint) return `tainted: ${taint.kind}`;
  if (state !== 'completed' || decision.verdict === 'interrupted') return 'not finished';
  if (regradeOf !== undefined) return `grades ${regradeOf} again`;
  if (isFiltered) return 'part of the suite';
  return decision.verdict === 'none' ? 'no verdict' : undefined;
}

function runOf(summary: RunSummary, score: ConditionScore, promptName: string): HistoryRun {
  const { runId, startedAt, label, criteria = '', decision } = summary;
  const { passed, of, axes, meanJudged, hash } = score;
  const unclean = whyUnclean(summary);
  return {
    runId,
    conditionId: score.condition,
    at: startedAt,
    score: passed / of,
    passed,
    of,
    axes,
    ...(meanJudged !== undefined && { meanJudged }),
    promptName,
    condition: hash,
    criteria,
    ...(label !== undefined && { label }),
    verdict: decision.verdict,
    ...(unclean !== undefined && { unclean }),
  };
}

/**
 * One-sided CUSUM against the first 20 runs since what is asked last changed, slack 0.5 and threshold 5 standard
 * deviations: finds a fall by five points in about ten runs, with false alarms in 17 % of 60 runs. A score that never
 * moved is taken to move by one trial. That a prompt was edited does not start it anew: many small edits are what it
 * is there to find.
 */
function driftOf(points: readonly HistoryPoint[]): Drift {
  const asked = points.findLastIndex(({ changed }) => changed.includes('criteria'));
  const comparable = points.slice(Math.max(0, asked));
  const pinned = comparable.slice(0, pinnedRuns);
  const reference = cusumReference(pinned.map(({ score }) => score));
  if (!reference || pinned.length < pinnedRuns) {
    return { kind: 'too-few', runs: pinned.length, needed: pinnedRuns };
  }
  const since = comparable.slice(pinnedRuns);
  const leastSd = 1 / Math.max(...pinned.map(({ of }) => of));
  const { sums, alarm } = cusum(
    since.map(({ score }) => score),
    reference,
    { leastSd },
  );
  if (alarm === undefined) return { kind: 'none', ...reference };
  // It began after the sum was last nothing.
  const begin = sums.slice(0, alarm).lastIndexOf(0) + 1;
  const scores = since.slice(begin).map(({ score }) => score);
  return {
    kind: 'fell',
    ...reference,
    from: since[begin]?.runId ?? '',
    found: since[alarm]?.runId ?? '',
    recent: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    hasRecovered: sums.slice(alarm).includes(0),
  };
}

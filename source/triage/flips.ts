import { flipRate, type Interval, type PassRate } from '../base/statistics.js';
import type { CriterionKey } from '../compare/types.js';
import type { CheckVerdict } from '../grade/types.js';
import type { RunSummary } from '../run/summary.js';
import { isClean } from './results.js';

/** What one check came to in one run under one condition. */
export interface PastResult extends PassRate {
  runId: string;
  /** Of the condition in that run: with the run it names the trials, and so their transcripts. */
  conditionId: string;
  /** Milliseconds since the epoch: when the run began. */
  at: number;
  verdict: CheckVerdict;
  /** What the check asks; another one is another check under the same name. */
  asks: string;
  /** The condition with what the product said of itself. */
  condition: string;
  /** What the agent used up on all trials of the scenario, re-runs included. */
  ms: number;
  tokens: number;
}

/** A verdict that turned between pass and fail while nothing had changed. */
export interface Flip {
  from: PastResult;
  to: PastResult;
}

/** What the history of clean runs says of one check of one scenario. */
export interface CheckFlips extends CriterionKey {
  suite: string;
  /** By time, all of them: of several conditions of one run in the order of its plan. */
  results: PastResult[];
  /** By time of the run that turned. */
  flips: Flip[];
  /** How many of them are in the window. */
  recent: number;
  /**
   * Trials in the window of the condition that flipped most in it, of several the one that was run last, and the
   * probability that two of them disagree, with its 95 % interval. Not set where none was graded.
   */
  rate?: PassRate & { flipRate: number; interval: Interval };
  /** What the agent used up on the scenario in the runs in which the verdict turned, re-runs included. */
  wasted: { ms: number; tokens: number };
}

/** Results that are recent: those of runs that began within so many days before `now`. */
export interface Window {
  /** Milliseconds since the epoch. */
  now: number;
  days: number;
}

const dayMs = 86_400_000;

/** When the window opens, in milliseconds since the epoch. */
export function windowStart({ now, days }: Window): number {
  return now - days * dayMs;
}

/**
 * The flips of every check, the flakiest first: by the probability that two trials disagree, then by recent flips. A flip
 * is pass → fail or fail → pass between two consecutive clean runs of the same condition in which the check asked the
 * same; runs with warn or unknown in between are passed over. Runs that are no evidence are left out, and so is what a
 * run did not ask: one of part of a suite says nothing of the other scenarios. `summaries` in any order.
 */
export function findFlips(summaries: readonly RunSummary[], window: Window): CheckFlips[] {
  const checks = new Map<string, Told>();
  for (const summary of inOrder(summaries)) if (isClean(summary)) addResults(checks, summary);
  return Array.from(checks.values(), (check) => flipsOf(check, windowStart(window))).sort(flakiestFirst);
}

type Told = CriterionKey & { suite: string; told: PastResult[] };

/** By time, each run once. */
function inOrder(summaries: readonly RunSummary[]): RunSummary[] {
  const byId = new Map(summaries.map((summary) => [summary.runId, summary]));
  return [...byId.values()].sort((a, b) => a.startedAt - b.startedAt || (a.runId < b.runId ? -1 : 1));
}

/** Nothing is made by the way: a history holds hundreds of thousands of results. */
function addResults(
  checks: Map<string, Told>,
  { runId, startedAt: at, suite, results = [] }: RunSummary,
): void {
  for (const { condition: conditionId, hash: condition, scenarios } of results) {
    for (const { id: scenario, ms, tokens, checks: outcomes } of scenarios) {
      for (const { id: check, asks, verdict, passed, of } of outcomes) {
        const key = `${suite}\0${scenario}\0${check}`;
        let known = checks.get(key);
        if (!known) {
          known = { suite, scenario, check, told: [] };
          checks.set(key, known);
        }
        known.told.push({ runId, conditionId, at, verdict, passed, of, asks, condition, ms, tokens });
      }
    }
  }
}

function flipsOf({ suite, scenario, check, told }: Told, since: number): CheckFlips {
  const each = seriesOf(told).map((results) => ({ results, flips: flipsWithin(results) }));
  const flips = each.flatMap((one) => one.flips).sort((a, b) => a.to.at - b.to.at);
  const rate = rateOf(each, since);
  return {
    suite,
    scenario,
    check,
    results: told,
    flips,
    recent: countSince(flips, since),
    ...(rate && { rate }),
    wasted: {
      ms: flips.reduce((sum, { to }) => sum + to.ms, 0),
      tokens: flips.reduce((sum, { to }) => sum + to.tokens, 0),
    },
  };
}

/** Results of the same condition in which the check asked the same, by themselves. */
function seriesOf(told: readonly PastResult[]): PastResult[][] {
  const series = new Map<string, PastResult[]>();
  let last: PastResult[] = [];
  for (const one of told) {
    // Most results are of the same as the one before.
    if (last[0]?.condition !== one.condition || last[0].asks !== one.asks) {
      const key = `${one.condition} ${one.asks}`;
      last = series.get(key) ?? [];
      series.set(key, last);
    }
    last.push(one);
  }
  return [...series.values()];
}

function flipsWithin(series: readonly PastResult[]): Flip[] {
  const flips: Flip[] = [];
  let from: PastResult | undefined;
  for (const to of series) {
    if (to.verdict !== 'pass' && to.verdict !== 'fail') continue;
    // The same condition twice in one run: which of the two came first nobody can say.
    if (from && from.verdict !== to.verdict && from.runId !== to.runId) flips.push({ from, to });
    from = to;
  }
  return flips;
}

function countSince(flips: readonly Flip[], since: number): number {
  return flips.filter(({ to }) => to.at >= since).length;
}

function rateOf(
  series: readonly { results: readonly PastResult[]; flips: readonly Flip[] }[],
  since: number,
): CheckFlips['rate'] {
  let best: { flips: number; lastAt: number; passed: number; of: number } | undefined;
  for (const { results, flips } of series) {
    const one = { flips: countSince(flips, since), lastAt: 0, passed: 0, of: 0 };
    for (const { at, passed, of } of results) {
      if (at < since || of === 0) continue;
      one.lastAt = at;
      one.passed += passed;
      one.of += of;
    }
    const isMore = !best || one.flips > best.flips || (one.flips === best.flips && one.lastAt > best.lastAt);
    if (one.of > 0 && isMore) best = one;
  }
  if (!best) return undefined;
  const { passed, of } = best;
  const { rate, interval } = flipRate({ passed, of });
  return { passed, of, flipRate: rate, interval };
}

function flakiestFirst(a: CheckFlips, b: CheckFlips): number {
  return (
    (b.rate?.flipRate ?? 0) - (a.rate?.flipRate ?? 0) ||
    b.recent - a.recent ||
    byName(a.suite, b.suite) ||
    byName(a.scenario, b.scenario) ||
    byName(a.check, b.check)
  );
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

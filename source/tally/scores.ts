import { type Interval, inverseBeta, type PassRate } from '../base/statistics.js';
import { median } from '../grade/judge/verdicts.js';
import { plannedCells } from './group.js';
import { countedTally } from './quarantine.js';
import type { CellGroup, CheckCounts, RunTally, ScenarioTally } from './types.js';
import { checkRate } from './verdict.js';

/** How often something was right over trials. What could not be graded or run is in neither number. */
export interface Rate extends PassRate {
  /** Scenarios that these trials are of: the unit of what the rate says of other cases. */
  scenarios: number;
}

/**
 * How often an axis was right: one that checks report themselves (of `action`: `noop`, `action_type`, `fields`), all
 * of it right or not; or one that a check was given (`axis: routing`), by its verdict.
 */
export interface AxisScore extends Rate {
  axis: string;
  /** Mean share that was right, 0 to 1: above `passed / of` where a trial had some of the fields right. */
  share: number;
}

/** How many trials of the scenarios with a tag passed: no check failed, and all could be graded. */
export interface TagScore extends Rate {
  tag: string;
  /** The axes over the scenarios with the tag. */
  axes: AxisScore[];
}

/** What the judge gave one judged check of one scenario. */
export interface JudgedScore {
  scenario: string;
  check: string;
  /** Median over the trials, 1 to 5. A check without scores counts 5 where it passed and 1 where it failed. */
  median: number;
  /** Trials that it is the median of. */
  trials: number;
}

/** The scores of one condition, from the tally alone. Lists are in the order in which the plan names things first. */
export interface RunScores {
  condition: string;
  /** All trials, whatever their tags. */
  all: Rate;
  axes: AxisScore[];
  tags: TagScore[];
  /** Cases without a graded trial are left out. */
  judged: JudgedScore[];
  /** Mean of the medians of `judged`, 1 to 5; undefined where nothing was judged. */
  meanJudged: number | undefined;
}

/**
 * Scores per axis, per tag and per judged check; what is quarantined counts in none. `condition`: its id in the plan;
 * default: the first.
 */
export function scoresOf(tally: RunTally, condition = tally.conditions[0]?.id ?? ''): RunScores {
  const cases = countedTally(tally).rows.flatMap((row) => {
    const group = row.groups.find((one) => one.condition === condition);
    return group ? [{ row, group }] : [];
  });
  const tags = new Set(cases.flatMap(({ row }) => row.scenario.tags));
  const judged = cases.flatMap(judgedScores);
  const sum = judged.reduce((total, { median: score }) => total + score, 0);
  return {
    condition,
    all: rateOf(cases),
    axes: axesOf(cases),
    tags: Array.from(tags, (tag) => {
      const tagged = cases.filter(({ row }) => row.scenario.tags.includes(tag));
      return { tag, ...rateOf(tagged), axes: axesOf(tagged) };
    }),
    judged,
    meanJudged: judged.length === 0 ? undefined : sum / judged.length,
  };
}

/**
 * Jeffreys interval of a rate over scenarios: Beta(p n + 1/2, (1 - p) n + 1/2) with p = passed / of and n scenarios,
 * the ends set to 0 and 1 where none or all passed. Trials of one scenario are no independent cases, so repeats make
 * it no narrower; at temperature 0 they would only say the same again.
 */
export function rateInterval({ passed, of, scenarios }: Rate, level = 0.95): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const tail = (1 - level) / 2;
  const a = (passed / of) * scenarios + 0.5;
  const b = (1 - passed / of) * scenarios + 0.5;
  return {
    low: passed === 0 ? 0 : inverseBeta(tail, a, b),
    high: passed === of ? 1 : inverseBeta(1 - tail, a, b),
  };
}

interface Case {
  row: ScenarioTally;
  group: CellGroup;
}

function rateOf(cases: readonly Case[]): Rate {
  const rate: Rate = { passed: 0, of: 0, scenarios: 0 };
  for (const { group } of cases) {
    const cells = plannedCells(group);
    const passed = cells.filter(({ state }) => state === 'pass' || state === 'warn').length;
    const failed = cells.filter(({ state }) => state === 'fail').length;
    rate.passed += passed;
    rate.of += passed + failed;
    rate.scenarios += passed + failed > 0 ? 1 : 0;
  }
  return rate;
}

function axesOf(cases: readonly Case[]): AxisScore[] {
  const axes = new Map<string, { passed: number; of: number; shares: number; scenarios: Set<string> }>();
  const add = (axis: string, scenario: string, passed: number, of: number, shares: number) => {
    if (of === 0) return;
    const score = axes.get(axis) ?? { passed: 0, of: 0, shares: 0, scenarios: new Set() };
    score.passed += passed;
    score.of += of;
    score.shares += shares;
    score.scenarios.add(scenario);
    axes.set(axis, score);
  };
  for (const { row, group } of cases) {
    const { id: scenario, checks } = row.scenario;
    const named = new Map(checks.flatMap(({ id, axis }) => (axis === undefined ? [] : [[id, axis]])));
    for (const [id, counts] of group.checks) {
      for (const [axis, { right, of, shares }] of counts.axes ?? []) add(axis, scenario, right, of, shares);
      const axis = named.get(id);
      const { passed, of } = checkRate(counts);
      if (axis !== undefined) add(axis, scenario, passed, of, passed);
    }
  }
  return Array.from(axes, ([axis, { passed, of, shares, scenarios }]) => ({
    axis,
    passed,
    of,
    scenarios: scenarios.size,
    share: shares / of,
  }));
}

function judgedScores({ row, group }: Case): JudgedScore[] {
  const judged = row.scenario.checks.filter(({ kind }) => kind === 'judged');
  return judged.flatMap(({ id: check }) => {
    const scores = scoresOfCheck(group.checks.get(check));
    if (scores.length === 0) return [];
    return [{ scenario: row.scenario.id, check, median: median(scores), trials: scores.length }];
  });
}

/** One score a graded trial: those that were given, and 5 or 1 for a pass or fail without one. */
export function scoresOfCheck(counts: CheckCounts | undefined): number[] {
  return counts?.scores ?? scoresOfRate(checkRate(counts));
}

/** What trials count as whose judge said yes or no. */
export function scoresOfRate({ passed, of }: PassRate): number[] {
  return [...new Array<number>(passed).fill(5), ...new Array<number>(of - passed).fill(1)];
}

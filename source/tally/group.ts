import type { CheckVerdict } from '../grade/types.js';
import type { PlannedScenario } from '../run/planned.js';
import { newCell } from './cell.js';
import type {
  Cell,
  CellGroup,
  CheckCounts,
  CountedResult,
  ScenarioTally,
  TrialInFlight,
  Verdict,
} from './types.js';
import { checkRate, checkVerdict, isWorse, worstVerdict } from './verdict.js';

/** The cells of one scenario under one condition, all waiting. */
export function newGroup(
  condition: string,
  scenario: PlannedScenario,
  repeat: number,
  leftOut: ReadonlySet<string> = new Set(),
): CellGroup {
  return {
    condition,
    cells: Array.from({ length: repeat }, (_, index) => newCell(index + 1)),
    checks: newChecks(scenario),
    leftOut,
    fresh: undefined,
    verdict: undefined,
    isPartial: repeat > 0,
  };
}

function newChecks(scenario: PlannedScenario): CellGroup['checks'] {
  return new Map(scenario.checks.map((check) => [check.id, noCounts()]));
}

/** Adds trials that wait; gives how many. Repeats that are there already are not added again. */
export function addCells(
  group: CellGroup,
  scenario: PlannedScenario,
  { from, to, confirms }: { from: number; to: number; confirms?: true },
): number {
  const first = Math.max(from, (group.cells.at(-1)?.repeat ?? 0) + 1);
  if (first > to) return 0;
  for (let repeat = first; repeat <= to; repeat++) group.cells.push(newCell(repeat));
  if (confirms) {
    group.fresh ??= { ranges: [], checks: newChecks(scenario) };
    group.fresh.ranges.push({ from: first, to });
  } else group.isPartial = true;
  return to - first + 1;
}

/** The cell of a repeat. A condition that stood by may have none of the first ones. */
export function findRepeat({ cells }: CellGroup, repeat: number): Cell | undefined {
  const cell = cells[repeat - 1];
  return cell?.repeat === repeat ? cell : cells.find((one) => one.repeat === repeat);
}

/** Whether a repeat was run to confirm or to clear a suspect. */
export function isFresh({ fresh }: CellGroup, repeat: number): boolean {
  return fresh?.ranges.some(({ from, to }) => from <= repeat && repeat <= to) ?? false;
}

/** The cells that a group's verdict rests on: all but those of a confirmation. */
export function plannedCells(group: CellGroup): Cell[] {
  return group.fresh ? group.cells.filter(({ repeat }) => !isFresh(group, repeat)) : group.cells;
}

/** Where the results of a repeat are counted. */
export function countsOf(group: CellGroup, repeat: number): CellGroup['checks'] {
  return group.fresh && isFresh(group, repeat) ? group.fresh.checks : group.checks;
}

function noCounts(): CheckCounts {
  return { pass: 0, warn: 0, fail: 0, unknown: 0, error: 0 };
}

/** A check that was planned and gave no result is unknown: silence is no pass. */
export function addMissingResults(group: CellGroup, running: TrialInFlight): void {
  for (const id of group.checks.keys()) {
    if (!running.checks.has(id)) {
      running.checks.set(id, { verdict: 'unknown', reason: 'the check gave no result' });
    }
  }
}

/** Counts a graded trial. */
export function countResults(checks: CellGroup['checks'], running: TrialInFlight): void {
  for (const [id, result] of running.checks) {
    const { verdict, reason } = result;
    const counts = checks.get(id) ?? noCounts();
    checks.set(id, counts);
    counts[verdict]++;
    if (verdict !== 'pass' && (!counts.why || isWorse(verdict, counts.why.verdict))) {
      counts.why = { verdict, reason };
    }
    if (verdict !== 'unknown') countScores(counts, result);
  }
}

function countScores(counts: CheckCounts, { score, axes }: CountedResult): void {
  if (score !== undefined) {
    counts.scores ??= [];
    counts.scores.push(score);
  }
  if (axes === undefined) return;
  counts.axes ??= new Map();
  for (const [axis, share] of Object.entries(axes)) {
    const { right, of, shares } = counts.axes.get(axis) ?? { right: 0, of: 0, shares: 0 };
    counts.axes.set(axis, { right: right + Number(share === 1), of: of + 1, shares: shares + share });
  }
}

/** Counts a trial that could not be run, against every check. */
export function countError(checks: CellGroup['checks']): void {
  for (const counts of checks.values()) counts.error++;
}

/**
 * The verdict over the trials that have ended: error when all of them were errors, else the worst of the checks.
 * Without checks nothing can be known. Undefined before the first has ended.
 */
export function groupVerdict(group: CellGroup): Verdict | undefined {
  const ended = plannedCells(group).filter((cell) => cell.state !== 'waiting' && cell.state !== 'running');
  if (ended.length === 0) return undefined;
  if (ended.every((cell) => cell.state === 'error')) return 'error';
  return worstVerdict(countedVerdicts(group)) ?? 'unknown';
}

function* countedVerdicts({ checks, leftOut }: CellGroup): Generator<CheckVerdict | undefined> {
  for (const [id, counts] of checks) if (!leftOut.has(id)) yield checkVerdict(counts);
}

/** One check of a group with its verdict, as reports list it. */
export interface CheckStanding {
  id: string;
  verdict: CheckVerdict;
  passed: number;
  /** Graded trials. */
  of: number;
  counts: CheckCounts;
}

/**
 * The check that speaks for a group: the worst verdict, among those the lowest rate, among those the first. Where the
 * worst is only that something could not be graded, one that failed in some trial speaks before it: that says something
 * of the agent. Undefined before the first trial has ended, and without checks.
 */
export function worstCheck(group: CellGroup): CheckStanding | undefined {
  const worst = decidingCheck(group);
  if (worst?.verdict !== 'unknown' || worst.counts.fail > 0) return worst;
  return decidingCheck(group, ({ counts }) => counts.fail > 0) ?? worst;
}

function decidingCheck(
  group: CellGroup,
  counts: (standing: CheckStanding) => boolean = () => true,
): CheckStanding | undefined {
  let worst: CheckStanding | undefined;
  for (const standing of standings(group)) {
    if (!counts(standing)) continue;
    if (
      !worst ||
      isWorse(standing.verdict, worst.verdict) ||
      (standing.verdict === worst.verdict && share(standing) < share(worst))
    ) {
      worst = standing;
    }
  }
  return worst;
}

function* standings(group: CellGroup): Generator<CheckStanding> {
  for (const [id, counts] of group.checks) {
    const verdict = group.leftOut.has(id) ? undefined : checkVerdict(counts);
    if (verdict) yield { id, verdict, counts, ...checkRate(counts) };
  }
}

function share({ passed, of }: CheckStanding): number {
  return of === 0 ? 1 : passed / of;
}

/** Why a row has its verdict: the first reason of the check that speaks for the worst group; of an error, its message. */
export function worstReason(groups: readonly CellGroup[]): ScenarioTally['why'] {
  let worst: CellGroup | undefined;
  for (const group of groups) {
    if (group.verdict && (!worst?.verdict || isWorse(group.verdict, worst.verdict))) worst = group;
  }
  return worst && groupReason(worst);
}

/** Why a group has its verdict; undefined when it passes. */
export function groupReason(group: CellGroup): ScenarioTally['why'] {
  if (group.verdict === undefined || group.verdict === 'pass') return undefined;
  const check = group.verdict === 'error' ? undefined : worstCheck(group);
  if (check?.counts.why)
    return { checkId: check.id, reason: check.counts.why.reason + alsoUnknown(group, check) };
  // Nothing was graded badly: what makes it unknown are trials that could not be run or graded.
  const reason = plannedCells(group).find((cell) => cell.state === 'error' || cell.state === 'unknown')?.why;
  return reason === undefined ? undefined : { checkId: undefined, reason };
}

/** Where a check that failed speaks for an unknown group: what could not be graded, as a second clause. */
function alsoUnknown(group: CellGroup, spoken: CheckStanding): string {
  if (group.verdict !== 'unknown' || spoken.verdict === 'unknown') return '';
  const ungraded = decidingCheck(group);
  return ungraded?.counts.why ? `; ${ungraded.id} is unknown: ${ungraded.counts.why.reason}` : '';
}

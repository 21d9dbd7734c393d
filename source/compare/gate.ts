import type { ExitCode } from '../base/errors.js';
import type { CellGroup, RunTally, ScenarioTally } from '../tally/types.js';
import { verdictRange } from '../tally/verdict.js';

/** What a run says in the end. `none`: no verdict is possible. */
export type GateVerdict = 'pass' | 'fail' | 'none' | 'interrupted';

/** The gate's word. What is printed and the exit code are both taken from here and from nowhere else. */
export interface Decision {
  exitCode: ExitCode;
  verdict: GateVerdict;
  /** One line that begins with the verdict in capitals. */
  headline: string;
  /** What the verdict rests on, one line each. Holds text from files and servers: make it visible before printing. */
  reasons: string[];
  /** Share of planned trials that were run and graded, 0 to 1. */
  coverage: number;
}

export interface GateSettings {
  /** Share of trials, 0 to 1, below which there is no verdict. */
  minCoverage: number;
}

/**
 * Decides about a run. In this order: an interrupted or killed run has no verdict (130); a tainted one is no evidence
 * (3); too many ungraded trials leave nothing to stand on (3); a scenario that fails fails the gate (1); a scenario
 * that would fail if its ungraded trials had failed leaves it open (3); else the gate holds (0). So a trial that could
 * not be run or graded never counts as passed, and never as failed.
 */
export function decide(tally: RunTally, settings: GateSettings): Decision {
  const { rows, trials } = tally;
  const coverage = trials.total === 0 ? 0 : countGraded(rows) / trials.total;
  const failing = rows.filter((row) => row.verdict === 'fail');
  const open = rows.filter((row) => row.verdict !== 'fail' && row.groups.some(couldFail));
  const settled = failing.filter((row) => !row.isPartial);
  const unsettled = failing.filter((row) => row.isPartial);
  const failed = [
    ...(settled.length > 0 ? [`fails: ${ids(settled)}`] : []),
    ...(unsettled.length > 0 ? [`fails so far: ${ids(unsettled)}`] : []),
  ];
  const done = `${trials.done} of ${trials.total} trials done`;

  if (tally.taints.length > 0 && tally.state !== 'interrupted') {
    const reasons = tally.taints.map(({ kind, message }) => `tainted by ${kind}: ${message}`);
    return none('the run is tainted and is no evidence', [...reasons, ...failed]);
  }
  if (tally.state === 'running') return none(`still running, ${done}`, failed);
  if (tally.state !== 'completed') {
    // Of several runs that were asked for, the person left before this one's turn.
    const hasBegun = trials.done > 0 || tally.state !== 'unfinished' || tally.lastAt !== tally.started.at;
    const headline = hasBegun
      ? `INTERRUPTED: ${done}`
      : `NOT BEGUN: none of ${trials.total} trials was started`;
    const reasons = tally.stopReason === undefined ? failed : [tally.stopReason, ...failed];
    return { exitCode: 130, verdict: 'interrupted', headline, reasons, coverage };
  }
  if (coverage < settings.minCoverage) {
    const least = percent(settings.minCoverage);
    return none(`${percent(coverage)} of the trials were run and graded, at least ${least} are needed`, [
      ...failed,
      ...openReasons(open),
    ]);
  }
  if (failing.length > 0) {
    const headline = `FAIL: ${failing.length} of ${countScenarios(rows.length)} ${failing.length === 1 ? 'fails' : 'fail'}`;
    return { exitCode: 1, verdict: 'fail', headline, reasons: [...failed, ...openReasons(open)], coverage };
  }
  if (open.length > 0) {
    return none(`${countScenarios(open.length)} could not be graded well enough`, openReasons(open));
  }
  const warned = rows.filter((row) => row.verdict === 'warn').length;
  const unknown = rows.filter((row) => row.verdict === 'unknown').length;
  const rest = [warned > 0 && `${warned} warn`, unknown > 0 && `${unknown} unknown`].filter(
    (part) => part !== false,
  );
  const passed = rows.length - warned - unknown;
  const headline =
    rest.length === 0
      ? `PASS: ${rows.length === 1 ? 'the scenario passes' : `all ${rows.length} scenarios pass`}`
      : `PASS: none of ${countScenarios(rows.length)} fails (${passed} pass, ${rest.join(', ')})`;
  return { exitCode: 0, verdict: 'pass', headline, reasons: [], coverage };

  function none(why: string, reasons: string[]): Decision {
    return { exitCode: 3, verdict: 'none', headline: `NO VERDICT: ${why}`, reasons, coverage };
  }
}

/** The exit code of several runs: interrupted before failed before without a verdict before held. */
export function combineExitCodes(decisions: readonly Decision[]): ExitCode {
  const order: readonly ExitCode[] = [130, 1, 3];
  return order.find((code) => decisions.some((decision) => decision.exitCode === code)) ?? 0;
}

function countGraded(rows: readonly ScenarioTally[]): number {
  let graded = 0;
  for (const row of rows) {
    for (const group of row.groups) {
      for (const { state } of group.cells)
        if (state === 'pass' || state === 'warn' || state === 'fail') graded++;
    }
  }
  return graded;
}

/** Whether a group that does not fail might, had its ungraded trials been graded. */
function couldFail(group: CellGroup): boolean {
  if (group.verdict === 'error' || group.checks.size === 0) return true;
  for (const counts of group.checks.values()) {
    if (verdictRange(counts)?.worst === 'fail') return true;
  }
  return false;
}

function openReasons(open: readonly ScenarioTally[]): string[] {
  return open.length > 0 ? [`could fail or not, for want of graded trials: ${ids(open)}`] : [];
}

function ids(rows: readonly ScenarioTally[]): string {
  return rows.map((row) => row.scenario.id).join(', ');
}

function countScenarios(count: number): string {
  return count === 1 ? '1 scenario' : `${count} scenarios`;
}

/** Rounded down, so that a share below a limit never reads as the limit. */
function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`;
}

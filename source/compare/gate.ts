import type { ExitCode } from '../base/errors.js';
import type { GateSettings } from '../project/gate-settings.js';
import { countedTally } from '../tally/quarantine.js';
import type { RunTally, ScenarioTally } from '../tally/types.js';
import { type Blocking, findBlocking, type TestedGroups } from './blocking.js';
import { countGraded, findOpen, isAnyCompared, testedGroups, violatedOnce } from './gate-groups.js';
import { comparedHeadline, comparedReasons, uncomparedReasons, ungatedHeadline } from './gate-words.js';
import { noiseLine } from './noise-words.js';
import { type Finding, findingOf, type Purposes } from './purposes.js';
import { expiredBlocking, expiredWords, quarantineLines } from './quarantine-words.js';
import type { Comparison } from './types.js';
import { findUnsettled } from './unsettled.js';

/** What a run says in the end. `measured`: nothing was to block. `none`: no verdict is possible. */
export type GateVerdict = 'pass' | 'fail' | 'measured' | 'none' | 'interrupted';

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
  /** What makes it fail, a criterion each; not set where nothing was compared. */
  blocking?: Blocking[];
  /** Changes for the worse that are not proved and so do not block; not set where nothing was compared. */
  suspects?: Comparison['changes'];
}

/**
 * Decides about a run. In this order: an interrupted or killed run has no verdict (130); a tainted one is no evidence
 * (3); too many ungraded trials leave nothing to stand on (3); what fails fails the gate (1); what would fail if its
 * ungraded trials had failed leaves it open (3); else the gate holds (0). So a trial that could not be run or graded
 * never counts as passed, and never as failed.
 *
 * Without a comparison a scenario that fails is what fails, and an absolute criterion that a single trial violated. With
 * one it is what `findBlocking` finds: changes for the worse that are proved, and criteria that fail and have no base. A
 * comparison that was refused gives no verdict (3), and neither does one that compared nothing and found nothing failing.
 * What is quarantined counts in nothing of that; a quarantine that has ended fails the gate where its settings say so.
 *
 * A run of the same condition twice measures, and one of two that are to be told apart fails by what was confirmed worse
 * (1). Where nothing is to block, as between models, what differs is told (0). A bisect found hunks (0), that it is not
 * the prompt (1), or nothing that it would say aloud (3).
 */
export function decide(
  tally: RunTally,
  settings: GateSettings,
  comparison?: Comparison,
  purposes: Purposes = {},
): Decision {
  const { trials, started } = tally;
  const counted = countedTally(tally);
  const tested = testedGroups(counted, comparison);
  const coverage = counted.trials.total === 0 ? 0 : countGraded(counted.rows) / counted.trials.total;
  const isUngated = settings.failOn.length === 0;
  const failed = comparison || isUngated || started.purpose !== undefined ? [] : failingReasons(counted.rows);
  const trust = [
    ...quarantineLines(tally, settings),
    ...(started.noise
      ? [noiseLine(started.noise, { at: started.at, isCompared: comparison !== undefined })]
      : []),
  ];
  const expired = started.purpose === undefined ? expiredBlocking(tally, settings) : [];
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
  if (started.purpose === 'bisect') return decideBisect();
  if (counted.rows.length === 0 && tally.rows.length > 0)
    return none('all that was run is quarantined', trust);
  const open = started.purpose === undefined ? openScenarios(tested, settings, comparison) : [];
  if (coverage < settings.minCoverage) {
    const least = percent(settings.minCoverage);
    return none(`${percent(coverage)} of the trials were run and graded, at least ${least} are needed`, [
      ...failed,
      ...openReasons(open),
    ]);
  }
  if (comparison?.refused)
    return none('there is nothing that the run can be compared with', comparison.refused);
  const found = findingOf(tally, purposes);
  if (found) return decidePurpose(found);
  if (comparison) return isUngated ? tellCompared(comparison) : decideCompared(comparison);
  return isUngated ? tellSideBySide() : decideAlone();

  function none(why: string, reasons: string[]): Decision {
    return { exitCode: 3, verdict: 'none', headline: `NO VERDICT: ${why}`, reasons, coverage };
  }

  function decideBisect(): Decision {
    if (!tally.found) return none('the bisect has not come to an end', []);
    const { finding, headline, reasons } = tally.found;
    const words = { headline, reasons: [...reasons], coverage };
    switch (finding.kind) {
      case 'hunks':
        return { exitCode: 0, verdict: 'measured', ...words };
      case 'not-the-prompt':
      case 'good-fails-too':
        return { exitCode: 1, verdict: 'fail', ...words };
      case 'inconclusive':
        return { exitCode: 3, verdict: 'none', ...words };
    }
  }

  function decidePurpose({ verdict, line, reasons, blocking }: Finding): Decision {
    if (verdict === 'none') return none(line, reasons);
    const exitCode = verdict === 'fail' ? 1 : 0;
    return { exitCode, verdict, headline: line, reasons, coverage, ...(blocking && { blocking }) };
  }

  function tellCompared(compared: Comparison): Decision {
    const suspects = compared.changes.filter(({ proof }) => proof === 'suspect');
    // Each is a row of the comparison already, and none is on its way to block.
    const reasons = [...comparedReasons(compared, [], []), ...openReasons(open), ...trust];
    return { ...measured(ungatedHeadline(compared), reasons), blocking: [], suspects };
  }

  function tellSideBySide(): Decision {
    return measured(
      `MEASURED: ${tally.conditions.length} conditions side by side, and nothing was to block`,
      [...openReasons(open), ...trust],
    );
  }

  function measured(headline: string, reasons: string[]): Decision {
    return { exitCode: 0, verdict: 'measured', headline, reasons, coverage };
  }

  function decideCompared(compared: Comparison): Decision {
    const blocking = [...findBlocking(compared, tested, settings), ...expired];
    const suspects = compared.changes.filter(({ proof }) => proof === 'suspect');
    const reasons = [...comparedReasons(compared, blocking, suspects), ...openReasons(open), ...trust];
    const found = { blocking, suspects };
    if (blocking.length > 0) {
      const headline = comparedHeadline('fail', compared, blocking, suspects);
      return { exitCode: 1, verdict: 'fail', headline, reasons, coverage, ...found };
    }
    if (open.length > 0) return { ...none(openHeadline(open), reasons), ...found };
    if (!isAnyCompared(compared))
      return { ...none(nothingCompared, [...uncomparedReasons(compared), ...reasons]), ...found };
    const headline = comparedHeadline('pass', compared, blocking, suspects);
    return { exitCode: 0, verdict: 'pass', headline, reasons, coverage, ...found };
  }

  function decideAlone(): Decision {
    const { rows } = counted;
    const failing = rows.filter((row) => row.verdict === 'fail');
    const unfailed = open.filter((id) => !failing.some((row) => row.scenario.id === id));
    const ungraded = settings.failOn.includes('unknown')
      ? rows.filter(({ verdict }) => verdict === 'unknown' || verdict === 'error')
      : [];
    const violations = settings.failOn.includes('hard-criteria') ? violatedOnce(tested, failing) : [];
    const ended = expired.map(({ by, text }) => `${by}: ${text}`);
    if (failing.length > 0 || violations.length > 0) {
      const headline =
        failing.length > 0
          ? `FAIL: ${failing.length} of ${countScenarios(rows.length)} ${failing.length === 1 ? 'fails' : 'fail'}`
          : `FAIL: ${violations.length === 1 ? 'an absolute criterion is' : `${violations.length} absolute criteria are`} violated`;
      const reasons = [...failed, ...violations, ...ended, ...openReasons(unfailed), ...trust];
      return { exitCode: 1, verdict: 'fail', headline, reasons, coverage };
    }
    if (expired.length > 0) {
      const reasons = [...ended, ...openReasons(unfailed), ...trust];
      return {
        exitCode: 1,
        verdict: 'fail',
        headline: `FAIL: ${expiredWords(expired.length)}`,
        reasons,
        coverage,
      };
    }
    if (ungraded.length > 0) {
      const headline = `FAIL: ${countScenarios(ungraded.length)} could not be graded`;
      const reasons = [`could not be graded: ${ids(ungraded)}`, ...trust];
      return { exitCode: 1, verdict: 'fail', headline, reasons, coverage };
    }
    if (unfailed.length > 0) return none(openHeadline(unfailed), openReasons(unfailed));
    return { exitCode: 0, verdict: 'pass', headline: passHeadline(rows), reasons: trust, coverage };
  }
}

/**
 * Decides about two sides that are held against each other without either being run: a side that is no evidence, and
 * sides that no criterion is the same of, give no verdict (3); what blocks fails (1).
 */
export function decideSides(comparison: Comparison, settings: GateSettings): Decision {
  const none = (why: string, reasons: string[]): Decision => ({
    exitCode: 3,
    verdict: 'none',
    headline: `NO VERDICT: ${why}`,
    reasons,
    coverage: 1,
  });
  if (comparison.refused) return none('the two cannot be compared', comparison.refused);
  if (!isAnyCompared(comparison)) return none(nothingCompared, uncomparedReasons(comparison));
  const blocking = findBlocking(comparison, [], settings);
  const suspects = comparison.changes.filter(({ proof }) => proof === 'suspect');
  const verdict = blocking.length > 0 ? 'fail' : 'pass';
  return {
    exitCode: verdict === 'fail' ? 1 : 0,
    verdict,
    headline: comparedHeadline(verdict, comparison, blocking, suspects),
    reasons: comparedReasons(comparison, blocking, suspects),
    coverage: 1,
    blocking,
    suspects,
  };
}

const nothingCompared = 'no criterion is asked the same way on both sides';

/** Scenarios that do not make the gate fail and might, had their ungraded trials been graded. */
function openScenarios(
  tested: TestedGroups,
  settings: GateSettings,
  comparison: Comparison | undefined,
): string[] {
  const open = findOpen(tested, comparison);
  return comparison ? [...new Set([...open, ...findUnsettled(comparison, settings)])] : open;
}

/** The exit code of several runs: interrupted before failed before without a verdict before held. */
export function combineExitCodes(decisions: readonly Pick<Decision, 'exitCode'>[]): ExitCode {
  const order: readonly ExitCode[] = [130, 1, 3];
  return order.find((code) => decisions.some((decision) => decision.exitCode === code)) ?? 0;
}

function failingReasons(rows: readonly ScenarioTally[]): string[] {
  const failing = rows.filter((row) => row.verdict === 'fail');
  const settled = failing.filter((row) => !row.isPartial);
  const unsettled = failing.filter((row) => row.isPartial);
  return [
    ...(settled.length > 0 ? [`fails: ${ids(settled)}`] : []),
    ...(unsettled.length > 0 ? [`fails so far: ${ids(unsettled)}`] : []),
  ];
}

function passHeadline(rows: readonly ScenarioTally[]): string {
  const warned = rows.filter((row) => row.verdict === 'warn').length;
  const unknown = rows.filter((row) => row.verdict === 'unknown').length;
  const rest = [warned > 0 && `${warned} warn`, unknown > 0 && `${unknown} unknown`].filter(
    (part) => part !== false,
  );
  if (rest.length === 0)
    return `PASS: ${rows.length === 1 ? 'the scenario passes' : `all ${rows.length} scenarios pass`}`;
  const passed = rows.length - warned - unknown;
  return `PASS: none of ${countScenarios(rows.length)} fails (${passed} pass, ${rest.join(', ')})`;
}

function openHeadline(open: readonly string[]): string {
  return `${countScenarios(open.length)} could not be graded well enough`;
}

function openReasons(open: readonly string[]): string[] {
  return open.length > 0 ? [`could fail or not, for want of graded trials: ${open.join(', ')}`] : [];
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

import { textWidth } from '../base/width.js';
import type { GradedCheck, GradingChange, GradingDifference } from '../compare/regrade.js';
import type { Condition } from '../run/planned.js';
import { countOf, inline } from './format.js';
import { conditionLabel } from './run-facts.js';

/** What there is to say of a run that was graded again. */
export interface RegradeReport {
  /** The run whose conversations were graded. */
  runId: string;
  conditions: readonly Condition[];
  difference: GradingDifference;
  /** Scenarios whose conversations are of an earlier version of them, and what differs. */
  stale: readonly { scenario: string; why: string }[];
  /** Scenarios of the run that the suite has no more. */
  gone: readonly string[];
  /** Scenarios of the suite that the run does not have. */
  fresh: readonly string[];
  /** Trials without a conversation. */
  missing: number;
  /** Nothing was kept. */
  isDryRun: boolean;
}

/** The report as lines that are safe to print: a row a criterion, then what could not be graded as it stands. */
export function* regradeLines(report: RegradeReport): Generator<string> {
  const { changes } = report.difference;
  yield `against ${report.runId}: ${headline(report)}`;
  const rows = changes.map((change) => tableRow(change, report.conditions));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(60, Math.max(0, ...rows.map((row) => textWidth(row[column] ?? '')))),
  );
  for (const row of rows) {
    const cells = row.map(
      (cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cell))),
    );
    yield `  ${cells.join('  ')}`.trimEnd();
  }
  for (const { scenario, why } of report.stale)
    yield `stale    ${inline(scenario)}: ${why} since; its conversations are of how it was`;
  for (const id of report.gone)
    yield `gone     ${inline(id)}: the suite has it no more, so it was not graded`;
  for (const id of report.fresh)
    yield `new      ${inline(id)}: the run does not have it, so there is nothing to grade`;
  if (report.missing > 0)
    yield `missing  ${countOf(report.missing, 'trial')} without a conversation: counted as errors`;
}

function headline({ difference, isDryRun }: RegradeReport): string {
  const { changes, same } = difference;
  const moved = changes.filter(({ before, after }) => before && after).length;
  const fresh = changes.filter(({ before }) => !before).length;
  const gone = changes.length - moved - fresh;
  const would = isDryRun ? 'would change' : 'changed';
  const parts = [
    `${moved === 0 ? 'no verdict' : countOf(moved, 'verdict')} ${would}`,
    fresh > 0 && `${countOf(fresh, 'check')} new`,
    gone > 0 && `${countOf(gone, 'check')} gone`,
    `${countOf(same, 'criterion keeps its', 'criteria keep their')} verdict`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

function tableRow(change: GradingChange, conditions: readonly Condition[]): string[] {
  const condition = conditions.find(({ id }) => id === change.condition);
  const label = condition ? conditionLabel(condition, conditions) : '';
  const { before, after } = change;
  return [
    `${inline(change.scenario)}${label === '' ? '' : ` (${label})`}`,
    inline(change.check),
    standing(before) ?? 'new',
    `-> ${standing(after) ?? 'gone'}`,
    inline(reasonOf(before, after)),
  ];
}

function standing(check: GradedCheck | undefined): string | undefined {
  return check && `${check.verdict} ${check.of === 0 ? '-' : `${check.passed}/${check.of}`}`;
}

/** Why it is what it is now; of what passes now, why it did not. */
function reasonOf(before: GradedCheck | undefined, after: GradedCheck | undefined): string {
  if (after?.reason !== undefined) return after.reason;
  return before?.reason === undefined || !after ? '' : `was: ${before.reason}`;
}

/** The same for machines. */
export function regradeFacts(report: RegradeReport) {
  const { runId, difference, stale, gone, fresh, missing } = report;
  return {
    regradeOf: runId,
    changes: difference.changes.map(({ before, after, ...where }) => ({
      ...where,
      before: before ?? null,
      after: after ?? null,
    })),
    same: difference.same,
    stale,
    gone,
    new: fresh,
    missing,
  };
}

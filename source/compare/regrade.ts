import type { CheckVerdict } from '../grade/types.js';
import type { CheckCounts, RunTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';

/** One criterion that two gradings of the same conversations see differently. */
export interface GradingChange {
  scenario: string;
  /** Id of the condition. */
  condition: string;
  check: string;
  /** Not set: the check is new. */
  before?: GradedCheck;
  /** Not set: the check is gone. */
  after?: GradedCheck;
}

/** How a check ended over the trials of one scenario and condition. */
export interface GradedCheck {
  verdict: CheckVerdict;
  passed: number;
  /** Graded trials. */
  of: number;
  /** Of the worst trial; not set where all passed. */
  reason?: string;
}

/** What grading again changes. */
export interface GradingDifference {
  /** In the order of the plan. */
  changes: GradingChange[];
  /** Criteria with the same verdict, trials that moved within it included. */
  same: number;
}

/**
 * What is different between a run and the same conversations graded again: a criterion each whose verdict changed, that
 * is new, or that is gone. Scenarios that only one of the two has are not compared: there is nothing to hold them against.
 */
export function compareGradings(before: RunTally, after: RunTally): GradingDifference {
  const changes: GradingChange[] = [];
  let same = 0;
  for (const row of after.rows) {
    const { id: scenario } = row.scenario;
    for (const group of row.groups) {
      const { condition } = group;
      const then = before.rowById.get(scenario)?.groups.find((one) => one.condition === condition);
      if (!then) continue;
      for (const check of new Set([...then.checks.keys(), ...group.checks.keys()])) {
        const old = gradedCheck(then.checks.get(check));
        const now = gradedCheck(group.checks.get(check));
        if (!old && !now) continue;
        if (old?.verdict === now?.verdict) same++;
        else
          changes.push({
            scenario,
            condition,
            check,
            ...(old && { before: old }),
            ...(now && { after: now }),
          });
      }
    }
  }
  return { changes, same };
}

function gradedCheck(counts: CheckCounts | undefined): GradedCheck | undefined {
  const verdict = counts && checkVerdict(counts);
  if (!counts || !verdict) return undefined;
  return { verdict, ...checkRate(counts), ...(counts.why && { reason: counts.why.reason }) };
}

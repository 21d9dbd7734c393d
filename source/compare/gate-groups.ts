import type { CellGroup, RunTally, ScenarioTally } from '../tally/types.js';
import { checkRate, verdictRange } from '../tally/verdict.js';
import type { TestedGroups } from './blocking.js';
import { standingOf } from './direction.js';
import type { Comparison, CriterionChange } from './types.js';

/** The groups whose verdicts count: those of the candidate, or of all conditions but the base. */
export function testedGroups({ rows, started, conditions }: RunTally, comparison?: Comparison): TestedGroups {
  const isTested = (condition: string) =>
    comparison
      ? condition === comparison.candidate.condition.id
      : condition !== started.base?.condition && !conditions.find(({ id }) => id === condition)?.standby;
  return rows.flatMap(({ scenario, groups }) =>
    groups.filter(({ condition }) => isTested(condition)).map((group) => ({ scenario, group })),
  );
}

export function countGraded(rows: readonly ScenarioTally[]): number {
  let graded = 0;
  for (const row of rows) {
    for (const group of row.groups) {
      for (const { state } of group.cells)
        if (state === 'pass' || state === 'warn' || state === 'fail') graded++;
    }
  }
  return graded;
}

/** Scenarios that do not fail and might, had their ungraded trials been graded. */
export function findOpen(tested: TestedGroups, comparison: Comparison | undefined): string[] {
  const open = tested.filter(({ scenario, group }) => couldFail(scenario.id, group, comparison));
  return [...new Set(open.map(({ scenario }) => scenario.id))];
}

function couldFail(scenario: string, group: CellGroup, comparison: Comparison | undefined): boolean {
  if (group.verdict === 'fail' && !comparison) return false;
  if (group.verdict === 'error' || group.checks.size === 0) return true;
  for (const [check, counts] of group.checks) {
    const range = verdictRange(counts);
    if (range?.worst !== 'fail' || range.best === 'fail') continue;
    if (!comparison || !failedBefore(scenario, check, comparison)) return true;
  }
  return false;
}

/** What failed in the base blocks nothing, however it would be graded now. */
function failedBefore(scenario: string, check: string, { changes, base }: Comparison): boolean {
  const change = changes.find((one) => one.scenario === scenario && one.check === check);
  return change?.from !== undefined && standingOf(change.from, base.kind) === 'fail';
}

/** Absolute checks of scenarios that do not fail, and that a single trial violated: that is enough. */
export function violatedOnce(tested: TestedGroups, failing: readonly ScenarioTally[]): string[] {
  const named = new Set(failing.map(({ scenario }) => scenario.id));
  return tested.flatMap(({ scenario, group }) =>
    scenario.checks.flatMap(({ id, absolute }) => {
      const { passed, of } = checkRate(group.checks.get(id));
      if (!absolute || passed === of || named.has(scenario.id)) return [];
      return [
        `hard-criteria: ${scenario.id} / ${id}: violated in ${of - passed} of ${of} trials, and one is enough`,
      ];
    }),
  );
}

/** Whether any criterion is asked the same way on both sides and was graded on both. */
export function isAnyCompared({ same, changes }: Comparison): boolean {
  const oneSided: CriterionChange['direction'][] = ['new', 'gone', 'not-comparable'];
  return same > 0 || changes.some(({ direction }) => !oneSided.includes(direction));
}

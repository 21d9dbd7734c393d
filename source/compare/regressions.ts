import type { Decision } from './gate.js';
import type { Comparison, CriterionKey } from './types.js';

/** The criteria that block because they passed and fail now, in the order in which the gate names them. */
export function regressionsOf(
  { blocking = [] }: Pick<Decision, 'blocking'>,
  comparison: Pick<Comparison, 'changes'> | undefined,
): CriterionKey[] {
  const isRegression = (key: CriterionKey) =>
    comparison?.changes.some(
      ({ scenario, check, direction }) =>
        scenario === key.scenario && check === key.check && direction === 'regression',
    ) === true;
  return blocking.flatMap(({ scenario, check }) =>
    scenario !== undefined && check !== undefined && isRegression({ scenario, check })
      ? [{ scenario, check }]
      : [],
  );
}

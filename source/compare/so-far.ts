import type { RunTally } from '../tally/types.js';
import type { Evidence, ScenarioEvidence } from './types.js';

/**
 * Two sides of which at least one is still being run, cut down to the scenarios that all trials of have ended on both,
 * so that what is known can be looked at meanwhile. No verdict may rest on it.
 */
export function settledSides(
  tally: RunTally,
  base: Evidence,
  candidate: Evidence,
): { base: Evidence; candidate: Evidence } {
  const { runId } = tally.started;
  const running = [base, candidate]
    .filter((side) => side.kind === 'run' && side.runId === runId && !side.isComplete)
    .map(({ condition }) => condition.id);
  if (running.length === 0) return { base, candidate };
  const isSettled = (scenario: string) =>
    tally.rowById
      .get(scenario)
      ?.groups.every((group) => !running.includes(group.condition) || !group.isPartial) ?? true;
  const cut = (side: Evidence): Evidence => {
    const scenarios = new Map<string, ScenarioEvidence>();
    for (const [id, scenario] of side.scenarios) if (isSettled(id)) scenarios.set(id, scenario);
    return { ...side, scenarios, isComplete: true };
  };
  return { base: cut(base), candidate: cut(candidate) };
}

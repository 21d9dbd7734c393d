import { contentHash } from '../base/hash.js';
import { criterionHash } from '../compare/comparable.js';
import { evidenceOf } from '../compare/evidence.js';
import type { Evidence, ScenarioEvidence } from '../compare/types.js';
import type { ConditionResults, RunSummary } from '../run/summary.js';
import type { CellGroup, RunTally } from '../tally/types.js';

type Facts = Pick<RunSummary, 'state' | 'taints' | 'regradeOf' | 'purpose'>;

/**
 * Whether a run says anything of flips: it came to its end, is not tainted, and had conversations of its own. Runs that
 * are made for something else than a verdict choose what they run by what it did before.
 */
export function isClean({ state, taints, regradeOf, purpose }: Facts): boolean {
  return state === 'completed' && taints.length === 0 && regradeOf === undefined && purpose === undefined;
}

/** Whether the summary of a run lacks what flips are found by, which its journal has. */
export function lacksResults(summary: RunSummary): boolean {
  return isClean(summary) && summary.results === undefined;
}

/** What each check of a run came to; undefined of a run that says nothing of flips. */
export function resultsOf(tally: RunTally): ConditionResults[] | undefined {
  const { started, taints, state } = tally;
  if (state === 'running' || !isClean({ state, taints, ...pick(started) })) return undefined;
  return tally.conditions
    .filter(({ standby }) => standby !== true)
    .map(({ id }) => conditionResults(tally, evidenceOf(tally, id)));
}

function pick({ regradeOf, purpose }: RunTally['started']): Partial<Pick<Facts, 'regradeOf' | 'purpose'>> {
  return { ...(regradeOf && { regradeOf: regradeOf.runId }), ...(purpose && { purpose }) };
}

function conditionResults(tally: RunTally, evidence: Evidence): ConditionResults {
  const { condition, answered, scenarios } = evidence;
  return {
    condition: condition.id,
    hash: contentHash([condition.hash, answered.models, answered.versions]),
    scenarios: [...scenarios.values()].map((scenario) => {
      const group = tally.rowById.get(scenario.id)?.groups.find((one) => one.condition === condition.id);
      return { id: scenario.id, ...usedUp(group), checks: outcomesOf(evidence, scenario) };
    }),
  };
}

function outcomesOf(
  evidence: Evidence,
  scenario: ScenarioEvidence,
): ConditionResults['scenarios'][number]['checks'] {
  return Array.from(scenario.checks.values(), (check) => {
    const { id, verdict, passed, of } = check;
    return { id, asks: criterionHash(evidence, scenario, check), verdict, passed, of };
  });
}

function usedUp(group: CellGroup | undefined): { ms: number; tokens: number } {
  let ms = 0;
  let tokens = 0;
  for (const cell of group?.cells ?? []) {
    ms += cell.ms ?? 0;
    tokens += cell.tokens ? cell.tokens.agent.input + cell.tokens.agent.output : 0;
  }
  return { ms, tokens };
}

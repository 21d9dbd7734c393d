import { contentHash, sha256 } from '../base/hash.js';
import { checkHash } from '../grade/check-hash.js';
import { rubricHash } from '../grade/labels/rubric-hash.js';
import { checkKind, findCheck } from '../grade/registry.js';
import { isSimulatedUser } from '../suite/turns.js';
import type { CheckSpec, Scenario } from '../suite/types.js';
import type { TrialKey } from './events.js';
import { createExtensions, type Extensions } from './extensions.js';
import type { Condition, Plan, PlannedScenario, ScenarioParts } from './planned.js';

/**
 * The plan of a run: every scenario under every condition, `repeat` times. With `suiteFolder`, absolute, the files that
 * checks name belong to their hashes.
 */
export function createPlan(
  scenarios: readonly Scenario[],
  conditions: readonly Condition[],
  repeat: number,
  suiteFolder?: string,
): Plan {
  const planned = scenarios.map((scenario) => planScenario(scenario, suiteFolder));
  return { scenarios: planned, conditions: [...conditions], repeat };
}

/** What of a scenario stands in the plan. */
export function planScenario(scenario: Scenario, suiteFolder?: string): PlannedScenario {
  const { id, hash, tags, source } = scenario;
  return {
    id,
    hash,
    parts: partsOf(scenario),
    tags,
    ...(source && { source }),
    ...(isSimulatedUser(scenario) && { isSimulatedUser: true as const }),
    checks: scenario.checks.map((spec) => planCheck(spec, suiteFolder)),
  };
}

function partsOf({ turns, fixtures, profile, history, tenant, variables }: Scenario): ScenarioParts {
  return {
    turns: contentHash(turns),
    fixtures: contentHash(fixtures),
    persona: contentHash({ profile, history, tenant, variables }),
  };
}

function planCheck(spec: CheckSpec, suiteFolder: string | undefined): PlannedScenario['checks'][number] {
  const definition = findCheck(spec.type);
  return {
    id: spec.id,
    type: spec.type,
    kind: checkKind(spec),
    absolute: spec.absolute ?? definition?.absoluteByDefault ?? false,
    ...(spec.axis !== undefined && { axis: spec.axis }),
    hash: checkHash(spec, suiteFolder),
    ...(checkKind(spec) === 'judged' && { rubric: rubricHash(spec) }),
  };
}

/**
 * All trials of a plan in the order in which they are to start: first the first repeat of every scenario, then the
 * second, … and conditions take turns at going first, so that a backend that drifts during the run weighs on all of
 * them alike. `extensions` holds the scenarios that were given more trials than the plan's. One at a time: a large plan
 * is never listed.
 */
export function* trialsInOrder(
  plan: Plan,
  extensions: Pick<Extensions, 'count' | 'most'> = createExtensions(plan),
): Generator<TrialKey> {
  const most = extensions.most();
  const { conditions } = plan;
  for (let repeat = 1; repeat <= most; repeat++) {
    for (const [index, { id }] of plan.scenarios.entries()) {
      for (let turn = 0; turn < conditions.length; turn++) {
        const condition = conditions[(turn + repeat - 1 + index) % conditions.length];
        if (condition && repeat <= extensions.count(id, condition.id))
          yield { scenario: id, condition: condition.id, repeat };
      }
    }
  }
}

/**
 * What tells the draws of a condition from those of an equal one before it, by id; none for the first of its kind.
 * Twins (the deployed prompt twice, or beside its own baseline) would else say the same, word for word.
 */
export function twinsOf({ conditions }: Pick<Plan, 'conditions'>): Map<string, string> {
  const twins = new Map<string, string>();
  const seen = new Set<string>();
  for (const { id, hash } of conditions) {
    if (seen.has(hash)) twins.set(id, id);
    seen.add(hash);
  }
  return twins;
}

/**
 * The seed of all draws of one trial. It names the trial by run seed, suite, scenario and repeat: not by order, so
 * that what is drawn never depends on what else ran; not by attempt, so that a request that had to be sent twice
 * changes nothing; and not by condition, so that conditions differ by what they say and not by their luck (the
 * simulated model adds the prompt's text to its draw itself), but for `twin`, see `twinsOf`.
 */
export function trialSeed(
  runSeed: string,
  suite: string,
  scenario: string,
  repeat: number,
  twin?: string,
): string {
  const name = [runSeed, suite, scenario, repeat, ...(twin === undefined ? [] : [twin])];
  return sha256(JSON.stringify(name)).slice(0, 32);
}

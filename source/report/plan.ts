import type { Condition } from '../run/events.js';
import type { PlannedJudge } from '../run/identity.js';
import type { Suite } from '../suite/types.js';
import { countOf, inline } from './format.js';
import { conditionTitle, isSimulatedModel, simulatedNotice } from './run-facts.js';

/** What a run would do, for `--dry-run`. */
export interface PlannedRun {
  suite: Suite;
  conditions: Condition[];
  judge: PlannedJudge | undefined;
  repeat: number;
  concurrency: number;
  seed: string | undefined;
}

/** A plan as lines. */
export function* planLines(plan: PlannedRun): Generator<string> {
  const { suite, conditions, judge, repeat } = plan;
  const trials = suite.scenarios.length * conditions.length * repeat;
  yield `${inline(suite.name)}   ${countOf(trials, 'trial')}: ${countOf(suite.scenarios.length, 'scenario')} x ${countOf(conditions.length, 'condition')} x ${repeat}   ${plan.concurrency} at once   seed ${inline(plan.seed ?? 'drawn at the start')}`;
  for (const condition of conditions) {
    const { promptPath, promptSha256, promptDirty } = condition;
    const changed = promptDirty ? ', not committed' : '';
    const where = promptPath === undefined ? '' : `   ${promptPath} ${promptSha256?.slice(0, 12)}${changed}`;
    yield `  condition   ${conditionTitle(condition)}${inline(where)}`;
  }
  if (judge) yield `  judge       ${inline(`${judge.prompt} on ${judge.model}`)}`;
  if ([...conditions.map(({ model }) => model), judge?.model ?? ''].some(isSimulatedModel))
    yield `  ${simulatedNotice}`;
  for (const scenario of suite.scenarios) {
    const tags = scenario.tags.length > 0 ? `   ${inline(scenario.tags.join(' '))}` : '';
    yield `  scenario    ${inline(scenario.id)}   ${countOf(scenario.turns.length, 'turn')}, ${countOf(scenario.checks.length, 'check')}${tags}`;
  }
}

/** The same for machines. */
export function planFacts(plan: PlannedRun) {
  const { suite, conditions, judge, repeat, concurrency, seed } = plan;
  return {
    suite: suite.name,
    trials: suite.scenarios.length * conditions.length * repeat,
    repeat,
    concurrency,
    seed: seed ?? null,
    conditions,
    judge: judge ?? null,
    scenarios: suite.scenarios.map(({ id, hash, tags, turns, checks }) => ({
      id,
      hash,
      tags,
      turns: turns.length,
      checks: checks.map((check) => check.id),
    })),
  };
}

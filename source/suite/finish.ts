import { formatProblem, type Problem } from '../base/errors.js';
import { problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { assignCheckIds, type ReadCheck } from './check-ids.js';
import { hashScenario, type ReadScenario } from './scenario.js';
import type { Scenario } from './types.js';

/** Adds the checks of the suite, makes ids and hashes, and finds ids that are given twice. */
export function finishScenarios(
  read: readonly ReadScenario[],
  suiteChecks: readonly ReadCheck[],
): { scenarios: Scenario[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const scenarios: Scenario[] = [];
  const first = new Map<string, ReadScenario>();
  for (const scenario of read) {
    const namesake = scenario.id === undefined ? undefined : first.get(scenario.id);
    if (namesake !== undefined) {
      const where = formatProblem(problemAt(namesake.place.file, namesake.idAt, '')).replace(/: $/, '');
      const message = `scenario id ${quote(scenario.id ?? '')} is given twice, first at ${where}; give one of them another`;
      problems.push(problemAt(scenario.place.file, scenario.idAt, message));
    } else if (scenario.id !== undefined) {
      first.set(scenario.id, scenario);
    }
    const all = [...suiteChecks, ...scenario.checks];
    const { specs, problems: mistakes } = assignCheckIds(all);
    problems.push(...mistakes);
    if (scenario.content === undefined) continue;
    const own = specs.filter(({ place }) => !suiteChecks.some((check) => check.spec.place === place));
    const shared = specs.filter((spec) => !own.includes(spec));
    scenarios.push({
      ...scenario.content,
      checks: [...own, ...shared],
      hash: hashScenario(scenario.content, all),
    });
  }
  return { scenarios, problems };
}

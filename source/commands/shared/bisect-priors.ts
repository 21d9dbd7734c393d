import { historyOfGood } from '../../bisect/history.js';
import type { PromptDiff } from '../../bisect/hunk.js';
import { hunkWeights } from '../../bisect/weights.js';
import { findBaseline, readBaseline } from '../../compare/baseline-file.js';
import { criterionHash } from '../../compare/comparable.js';
import { evidenceOf } from '../../compare/evidence.js';
import type { Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import type { PlannedBisect, Watched } from '../../run/bisect-events.js';
import { plannedJudge, plannedUser } from '../../run/parts.js';
import { planScenario } from '../../run/plan.js';
import type { Condition } from '../../run/planned.js';
import { findRun } from '../../run/runs.js';
import type { Scenario } from '../../suite/types.js';
import { readTally } from '../../tally/replay.js';
import type { PreparedRun } from './prepare.js';
import { listSuiteRuns } from './suite-runs.js';

interface PriorsQuestion {
  project: Project;
  env: NodeJS.ProcessEnv;
  prepared: PreparedRun;
  diff: PromptDiff;
  planned: Pick<PlannedBisect, 'bad' | 'watched' | 'of'>;
}

/**
 * What is known before the first trial. That a file of before cannot be read takes nothing from a bisect but the head start
 * that it would have given.
 */
export async function priorsOf(
  question: PriorsQuestion,
): Promise<Pick<PlannedBisect, 'history' | 'weights'>> {
  const history = await historyFor(question);
  const weights = await weightsFor(question);
  return { ...(history && { history }), weights };
}

/**
 * Of one watched check alone: how often several passed together is not known from how often each did, and a product of
 * rates would take them for independent.
 */
async function historyFor({ project, env, prepared, planned: { watched, of } }: PriorsQuestion) {
  const [only] = watched;
  const [good, bad] = prepared.conditions.map(({ condition }) => condition);
  const { suite } = prepared;
  const found = suite.scenarios.find(({ id }) => id === only?.scenario);
  if (!only || !found || watched.length > 1 || !good || !bad) return undefined;
  const scenario = planScenario(found, suite.folder);
  const checks = scenario.checks.filter(({ id }) => only.check === undefined || id === only.check);
  const [check] = checks;
  if (!check || checks.length > 1) return undefined;
  const [judge, user] = [plannedJudge(prepared.judge), plannedUser(prepared.user)];
  const judges = { ...(judge && { judge }), ...(user && { user }), condition: good };
  const question = {
    suite: suite.name,
    scenario: scenario.id,
    check: check.id,
    asks: criterionHash(judges, scenario, check),
    good: good.hash,
    bad: bad.hash,
    ...(of !== undefined && { of }),
  };
  const entries = await listSuiteRuns(project, env, suite.name).catch(() => []);
  const place = await findBaseline(project, suite.name, good).catch(() => undefined);
  const baseline = place && (await readBaseline(project, place.path).catch(() => undefined));
  return historyOfGood(
    question,
    entries.flatMap(({ summary }) => summary ?? []),
    baseline,
  );
}

async function weightsFor({ project, env, prepared, diff, planned }: PriorsQuestion): Promise<number[]> {
  const { watched, of, bad } = planned;
  const { scenarios } = prepared.suite;
  const condition = prepared.conditions[1]?.condition;
  const reasons =
    of !== undefined && condition
      ? await reasonsIn(logsFolder(project, env), of, condition, watched).catch(() => [])
      : [];
  const check = [...reasons];
  const scenario: string[] = [];
  for (const { scenario: id, check: wanted } of watched) {
    const found = scenarios.find((one) => one.id === id);
    if (!found) continue;
    scenario.push(id, ...wordsOf(found));
    for (const spec of found.checks)
      if (wanted === undefined || spec.id === wanted) check.push(spec.id, JSON.stringify(spec.args));
  }
  return hunkWeights(diff.hunks, bad.text, { check, scenario });
}

function wordsOf({ turns, tags }: Scenario): string[] {
  return [...tags, ...turns.map((turn) => (turn.kind === 'fixed' ? turn.message : turn.instruction))];
}

/** Why the watched checks failed in the run that raised the flag. */
async function reasonsIn(
  logs: string,
  run: string,
  { hash }: Condition,
  watched: readonly Watched[],
): Promise<string[]> {
  const { journal } = await findRun(logs, run);
  const tally = await readTally(journal);
  const condition = tally.conditions.find((one) => one.hash === hash);
  if (!condition) return [];
  const { scenarios } = evidenceOf(tally, condition.id);
  return watched.flatMap(({ scenario, check: wanted }) =>
    Array.from(scenarios.get(scenario)?.checks.values() ?? []).flatMap(({ id, why }) =>
      why !== undefined && (wanted === undefined || id === wanted) ? [why] : [],
    ),
  );
}

import type { PassRate } from '../base/statistics.js';
import { median } from '../grade/judge/verdicts.js';
import { addUsage, noUsage } from '../model/types.js';
import type { Ledgers } from '../run/events.js';
import type { PlannedScenario } from '../run/planned.js';
import { plannedCells } from '../tally/group.js';
import { scoresOfCheck } from '../tally/scores.js';
import type { AgentTally, CellGroup, CheckCounts, RunTally, ScenarioTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import type { CacheCondition, CheckEvidence, Evidence, ScenarioEvidence } from './types.js';

/**
 * What a run says of one of its conditions. The trials of a confirmation are kept apart as `fresh`, and count neither
 * towards verdicts nor towards tokens. Throws for a condition that the run does not have.
 */
export function evidenceOf(tally: RunTally, condition: string): Evidence {
  const { started } = tally;
  const found = tally.conditions.find(({ id }) => id === condition);
  const agent = tally.agents.get(condition);
  if (!found || !agent) throw new Error(`the run ${started.runId} has no condition ${condition}`);
  // Gone through once, with nothing made by the way: a run of thousands of scenarios looks at itself while it is drawn.
  const tokens: TokenSum = { trials: 0, ledgers: { agent: noUsage, judge: noUsage } };
  const scenarios: Evidence['scenarios'] = new Map();
  let isComplete = true;
  for (const row of tally.rows) {
    const group = row.groups.find((one) => one.condition === condition);
    if (!group) continue;
    isComplete &&= !group.isPartial;
    scenarios.set(row.scenario.id, scenarioEvidence(row, group, tokens));
  }
  return {
    kind: 'run',
    suite: started.suite,
    runId: started.runId,
    at: started.at,
    repeat: started.plan.repeat,
    condition: found,
    answered: { models: [...agent.models].sort(), versions: [...agent.versions].sort() },
    ...(started.judge && { judge: started.judge }),
    ...(started.user && { user: started.user }),
    cache: cacheCondition(agent),
    tokens: tokens.ledgers,
    trials: tokens.trials,
    taints: tally.taints.map(({ kind, message }) => `${kind}: ${message}`),
    isComplete,
    scenarios,
  };
}

/**
 * Whether first turns were answered from a warm cache: nine in ten tell, so that the few trials that a run starts with
 * do not. Unknown where most do not say.
 */
function cacheCondition({ firstTurns: { warm, cold, unknown } }: AgentTally): CacheCondition {
  const known = warm + cold;
  if (known === 0 || unknown > known) return 'unknown';
  if (warm >= 0.9 * known) return 'warm';
  return cold >= 0.9 * known ? 'cold' : 'mixed';
}

/** The tokens of finished trials that verdicts rest on, added up. */
interface TokenSum {
  trials: number;
  ledgers: Ledgers;
}

function addTokens(sum: TokenSum, { agent, judge, user, isAgentPartial }: Ledgers): void {
  const { ledgers } = sum;
  sum.trials++;
  ledgers.agent = addUsage(ledgers.agent, agent);
  ledgers.judge = addUsage(ledgers.judge, judge);
  if (user) ledgers.user = addUsage(ledgers.user ?? noUsage, user);
  if (isAgentPartial) ledgers.isAgentPartial = true;
}

function scenarioEvidence(
  { scenario, isQuarantined }: ScenarioTally,
  group: CellGroup,
  tokens: TokenSum,
): ScenarioEvidence {
  const { id, hash, parts, tags, source, isSimulatedUser } = scenario;
  const usage = { trials: 0, input: 0, cacheRead: 0 };
  for (const { tokens: spent } of plannedCells(group)) {
    if (!spent) continue;
    addTokens(tokens, spent);
    usage.trials++;
    usage.input += spent.agent.input;
    usage.cacheRead += spent.agent.cacheRead;
  }
  const checks = new Map<string, CheckEvidence>();
  for (const check of scenario.checks) {
    const known = checkEvidence(check, group);
    if (isQuarantined || group.leftOut.has(check.id)) known.isQuarantined = true;
    checks.set(check.id, known);
  }
  const evidence: ScenarioEvidence = { id, hash, parts, tags, usage, checks };
  if (source) evidence.source = source;
  if (isSimulatedUser) evidence.isSimulatedUser = true;
  return evidence;
}

function checkEvidence(check: PlannedScenario['checks'][number], group: CellGroup): CheckEvidence {
  const { id, kind } = check;
  const counts = group.checks.get(id);
  const fresh = group.fresh?.checks.get(id);
  // Nothing that was not graded has passed.
  const verdict = (counts && checkVerdict(counts)) ?? 'unknown';
  const { passed, of } = checkRate(counts);
  // What was planned last: the engine copies an object into one with members of its own eighty times as fast as it adds
  // members to a copy.
  const evidence: CheckEvidence = { verdict, passed, of, ...check };
  if (kind === 'judged') {
    const scores = scoresOfCheck(counts);
    if (scores.length > 0) {
      evidence.score = median(scores);
      evidence.scores = [...scores];
    }
  }
  if (fresh) evidence.fresh = freshResults(kind, counts, fresh);
  if (counts?.axes) evidence.axes = axesOf(counts.axes);
  if (counts?.why) evidence.why = counts.why.reason;
  return evidence;
}

function freshResults(
  kind: CheckEvidence['kind'],
  counts: CheckCounts | undefined,
  fresh: CheckCounts,
): NonNullable<CheckEvidence['fresh']> {
  const ungraded = fresh.unknown + fresh.error;
  const rate = { ...checkRate(fresh), ...(ungraded > 0 && { ungraded }) };
  const again = kind === 'judged' ? scoresOfCheck(fresh) : [];
  const score = medianOf(again);
  if (score === undefined) return rate;
  const before = scoresOfCheck(counts);
  const pooled = before.length > 0 ? medianOf([...before, ...again]) : undefined;
  return { ...rate, score, scores: [...again], ...(pooled !== undefined && { pooled }) };
}

function medianOf(scores: readonly number[]): number | undefined {
  return scores.length === 0 ? undefined : median(scores);
}

function axesOf(axes: NonNullable<CheckCounts['axes']>): Record<string, PassRate> {
  return Object.fromEntries(Array.from(axes, ([axis, { right, of }]) => [axis, { passed: right, of }]));
}

import { median } from '../grade/judge/verdicts.js';
import { addUsage, noUsage } from '../model/types.js';
import type { Ledgers } from '../run/events.js';
import { plannedCells } from '../tally/group.js';
import { scoresOfCheck } from '../tally/scores.js';
import type { AgentTally, CellGroup, CheckCounts, RunTally, ScenarioTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import type { CacheCondition, CheckEvidence, Evidence, PassRate, ScenarioEvidence } from './types.js';

/**
 * What a run says of one of its conditions. The trials of a confirmation are kept apart as `fresh`, and count neither
 * towards verdicts nor towards tokens. Throws for a condition that the run does not have.
 */
export function evidenceOf(tally: RunTally, condition: string): Evidence {
  const { started } = tally;
  const found = tally.conditions.find(({ id }) => id === condition);
  const agent = tally.agents.get(condition);
  if (!found || !agent) throw new Error(`the run ${started.runId} has no condition ${condition}`);
  const sides = tally.rows.flatMap((row) => {
    const group = row.groups.find((one) => one.condition === condition);
    return group ? [{ row, group }] : [];
  });
  const tokens = sides.flatMap(({ group }) => tokensOf(group));
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
    tokens: addLedgers(tokens),
    trials: tokens.length,
    taints: tally.taints.map(({ kind, message }) => `${kind}: ${message}`),
    isComplete: sides.every(({ group }) => !group.isPartial),
    scenarios: new Map(sides.map(({ row, group }) => [row.scenario.id, scenarioEvidence(row, group)])),
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

/** The tokens of each finished trial that verdicts rest on. */
function tokensOf(group: CellGroup): Ledgers[] {
  return plannedCells(group).flatMap(({ tokens }) => (tokens ? [tokens] : []));
}

function addLedgers(all: readonly Ledgers[]): Ledgers {
  const sum: Ledgers = { agent: noUsage, judge: noUsage };
  for (const { agent, judge, user, isAgentPartial } of all) {
    sum.agent = addUsage(sum.agent, agent);
    sum.judge = addUsage(sum.judge, judge);
    if (user) sum.user = addUsage(sum.user ?? noUsage, user);
    if (isAgentPartial) sum.isAgentPartial = true;
  }
  return sum;
}

function scenarioEvidence({ scenario }: ScenarioTally, group: CellGroup): ScenarioEvidence {
  const { id, hash, parts, tags, source, isSimulatedUser, checks } = scenario;
  const tokens = tokensOf(group);
  const { input, cacheRead } = addLedgers(tokens).agent;
  return {
    id,
    hash,
    parts,
    tags,
    ...(source && { source }),
    ...(isSimulatedUser && { isSimulatedUser }),
    usage: { trials: tokens.length, input, cacheRead },
    checks: new Map(checks.map((check) => [check.id, { ...check, ...resultsOf(check, group) }])),
  };
}

function resultsOf(
  { id, kind }: Pick<CheckEvidence, 'id' | 'kind'>,
  group: CellGroup,
): Omit<CheckEvidence, 'id' | 'type' | 'kind' | 'absolute'> {
  const counts = group.checks.get(id);
  const fresh = group.fresh?.checks.get(id);
  const scores = kind === 'judged' ? scoresOfCheck(counts) : [];
  const score = medianOf(scores);
  return {
    // Nothing that was not graded has passed.
    verdict: (counts && checkVerdict(counts)) ?? 'unknown',
    ...rateOf(counts),
    ...(score !== undefined && { score, scores: [...scores] }),
    ...(fresh && { fresh: freshResults(kind, counts, fresh) }),
    ...(counts?.axes && { axes: axesOf(counts.axes) }),
    ...(counts?.why && { why: counts.why.reason }),
  };
}

function freshResults(
  kind: CheckEvidence['kind'],
  counts: CheckCounts | undefined,
  fresh: CheckCounts,
): NonNullable<CheckEvidence['fresh']> {
  const ungraded = fresh.unknown + fresh.error;
  const rate = { ...rateOf(fresh), ...(ungraded > 0 && { ungraded }) };
  const again = kind === 'judged' ? scoresOfCheck(fresh) : [];
  const score = medianOf(again);
  if (score === undefined) return rate;
  const before = scoresOfCheck(counts);
  const pooled = before.length > 0 ? medianOf([...before, ...again]) : undefined;
  return { ...rate, score, scores: [...again], ...(pooled !== undefined && { pooled }) };
}

function rateOf(counts: CheckCounts | undefined): PassRate {
  return counts ? checkRate(counts) : { passed: 0, of: 0 };
}

function medianOf(scores: readonly number[]): number | undefined {
  return scores.length === 0 ? undefined : median(scores);
}

function axesOf(axes: NonNullable<CheckCounts['axes']>): Record<string, PassRate> {
  return Object.fromEntries(Array.from(axes, ([axis, { right, of }]) => [axis, { passed: right, of }]));
}

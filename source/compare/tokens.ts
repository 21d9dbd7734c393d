import { cacheHitRate } from '../model/types.js';
import type { GateSettings } from '../project/gate-settings.js';
import { isSameConversation } from './comparable.js';
import type { Evidence, ScenarioEvidence, TokenComparison } from './types.js';

interface AgentTokens {
  trials: number;
  input: number;
  cacheRead: number;
}

/**
 * Input tokens a trial and cache hit rate of two sides, over the conversations that both had. Only between runs of the
 * same cache condition, and only where all tokens were reported: what nobody said is no zero. In a mixed run the hit
 * rate is left to how many trials happened to start together, and not compared.
 */
export function compareTokens(base: Evidence, candidate: Evidence, settings: GateSettings): TokenComparison {
  const refused = (notComparable: string): TokenComparison => ({ notComparable, level: 'ok' });
  if (base.tokens.isAgentPartial || candidate.tokens.isAgentPartial)
    return refused('not all tokens were reported');
  if (base.cache === 'unknown' || candidate.cache === 'unknown')
    return refused('whether the cache was warm is not known');
  if (base.cache !== candidate.cache)
    return refused(`the cache was ${base.cache} for the base and ${candidate.cache} for the candidate`);
  const sides = sharedTokens(base, candidate);
  if (!sides) return refused('the two sides had other conversations');
  const { from, to } = sides;
  if (from.trials === 0 || to.trials === 0 || from.input === 0 || to.input === 0)
    return refused('a side has no tokens');

  const inputRatio = to.input / to.trials / (from.input / from.trials);
  const rates = { from: rateOf(from), to: rateOf(to) };
  const isMixed = base.cache === 'mixed';
  const fall = isMixed ? 0 : rates.from - rates.to;
  const isBeyond = (level: 'warn' | 'fail') =>
    inputRatio >= settings.inputTokens[level] - 1e-9 || fall >= settings.cacheHitRate[level] - 1e-9;
  return {
    inputRatio,
    ...(!isMixed && { hitRate: rates }),
    level: isBeyond('fail') ? 'fail' : isBeyond('warn') ? 'warn' : 'ok',
  };
}

function rateOf({ input, cacheRead }: AgentTokens): number {
  return cacheHitRate({ input, cacheRead, output: 0, cacheWrite: 0 }) ?? 0;
}

/**
 * The tokens of the scenarios that both sides have with the same turns, fixtures and persona; where a side does not
 * know them apart, its total, if all scenarios are on both sides.
 */
function sharedTokens(
  base: Evidence,
  candidate: Evidence,
): { from: AgentTokens; to: AgentTokens } | undefined {
  const shared = [...candidate.scenarios.values()].flatMap((to) => {
    const from = base.scenarios.get(to.id);
    return from && isSameConversation(from, to) ? [{ from, to }] : [];
  });
  const isKnownApart = shared.length > 0 && shared.every(({ from, to }) => from.usage && to.usage);
  if (isKnownApart) {
    // Scenarios weigh as they do in the candidate, whatever the numbers of trials: an even mix on both sides.
    return {
      from: addUp(shared.map(({ from }) => from)),
      to: addUp(shared.map(({ to }) => to)),
    };
  }
  const isAll = shared.length === candidate.scenarios.size && shared.length === base.scenarios.size;
  return isAll ? { from: totalOf(base), to: totalOf(candidate) } : undefined;
}

/** Mean tokens of each scenario, added up: as if each had been run once. */
function addUp(scenarios: readonly ScenarioEvidence[]): AgentTokens {
  const sum: AgentTokens = { trials: 0, input: 0, cacheRead: 0 };
  for (const { usage } of scenarios) {
    if (!usage || usage.trials === 0) continue;
    sum.trials++;
    sum.input += usage.input / usage.trials;
    sum.cacheRead += usage.cacheRead / usage.trials;
  }
  return sum;
}

function totalOf({ tokens, trials }: Evidence): AgentTokens {
  return { trials, input: tokens.agent.input, cacheRead: tokens.agent.cacheRead };
}

import type { Turn } from '../play/types.js';
import type { AgentReply } from '../target/types.js';
import type { AgentTally, RunTally, TrialInFlight } from './types.js';

const mostNames = 20;

/** Nothing is known of the agent yet. */
export function newAgent(): AgentTally {
  return { models: new Set(), versions: new Set(), firstTurns: { warm: 0, cold: 0, unknown: 0 } };
}

/** Keeps what a turn shows of the agent until its trial has finished. */
export function hearTurn(running: TrialInFlight, { index, reply }: Turn): void {
  if (reply.model !== '') addName(running.models, reply.model);
  if (reply.version !== undefined) addName(running.versions, reply.version);
  if (index === 1) running.isWarm = isWarm(reply);
}

/** Counts what a finished trial showed. `isFresh`: run for a confirmation, when everything is warm. */
export function keepAgent(
  tally: RunTally,
  condition: string,
  running: TrialInFlight,
  isFresh: boolean,
): void {
  const agent = tally.agents.get(condition);
  if (!agent) return;
  for (const model of running.models) addName(agent.models, model);
  for (const version of running.versions) addName(agent.versions, version);
  // Its tokens are those of the run that it grades: nothing was read from a cache now.
  if (isFresh || tally.started.regradeOf) return;
  const state = running.isWarm === undefined ? 'unknown' : running.isWarm ? 'warm' : 'cold';
  agent.firstTurns[state]++;
}

/**
 * Whether the first request of a turn was answered from a warm cache; undefined where nobody says. Of a turn of one
 * step any cache read tells. A turn of s steps reads what its own earlier steps wrote: from a cold start that is at
 * most the share (s - 1) / s of what is cached in its requests, since each is at least as long as the one before; so
 * more than that was there already.
 */
function isWarm({ usage, usageMissing, steps }: AgentReply): boolean | undefined {
  if (usageMissing || usage.input === 0) return undefined;
  const { input, cacheRead, cacheWrite } = usage;
  // A provider that does not report writes may have cached everything.
  const cacheable = cacheWrite > 0 ? cacheRead + cacheWrite : input;
  return cacheRead * steps > cacheable * Math.max(0, steps - 1);
}

function addName(names: Set<string>, name: string): void {
  if (names.size < mostNames) names.add(name);
}

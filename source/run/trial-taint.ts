import type { RunEvent } from './events.js';

type Purpose = Extract<RunEvent, { type: 'run-started' }>['purpose'];

/** What makes a run unusable as evidence. */
export type Taint = Pick<Extract<RunEvent, { type: 'taint' }>, 'kind' | 'message'>;

/**
 * How what happened in a trial taints its run: a reply that fell back to the product's defaults, or an error for good
 * that is no fault of the agent's. Undefined for all else: an overloaded or unreachable server only lowers coverage. In
 * a bisect such a trial says nothing and taints nothing: its evidence is counted trial by trial.
 */
export function taintOfTrial(event: RunEvent, purpose: Purpose): Taint | undefined {
  return purpose === 'bisect' ? undefined : spoiltBy(event);
}

/** Why a trial is no evidence, whatever its run is for. */
export function spoiltBy(event: RunEvent): Taint | undefined {
  if (event.type === 'turn-finished' && event.turn.reply.fallback === true)
    return { kind: 'fallback', message: `${event.trial.scenario}: the product fell back to its defaults` };
  if (event.type !== 'trial-errored' || !event.final) return undefined;
  switch (event.kind) {
    case 'auth':
    case 'rate-limit':
    case 'fallback':
      return { kind: event.kind, message: `${event.trial.scenario}: ${event.message}` };
    default:
      return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.js';
import type { SessionRequest } from '../types.js';

/**
 * The account of a trial. Every trial is given one of its own; a caller that gives none gets one that nobody
 * else has, in this run or another.
 */
export function accountOf(request: SessionRequest): string {
  return request.account ?? `t-${randomUUID()}`;
}

/** What a product is told when a session opens: `params` of the command protocol, first argument of a module's `open`. */
export function openParams(request: SessionRequest): JsonObject {
  const { profile, history, prompt, tenant, variables, scenario, seed } = request;
  const params: JsonObject = { account: accountOf(request), seed };
  if (scenario !== undefined) params.scenario = scenario;
  if (profile !== undefined) params.profile = profileJson(profile);
  if (history !== undefined) params.history = history;
  if (prompt !== undefined) params.prompt = { name: prompt.name, path: prompt.path, text: prompt.text };
  if (tenant !== undefined) params.tenant = tenant;
  if (variables !== undefined) params.variables = { ...variables };
  return params;
}

/** A profile as products get it: its details stand beside name and facts. */
export function profileJson({ name, facts, details }: NonNullable<SessionRequest['profile']>): JsonObject {
  return { ...details, ...(name === undefined ? {} : { name }), facts };
}

import type { Clock } from '../../base/clock.js';
import type { Json, JsonObject } from '../../base/json.js';
import type { Environment } from '../../project/environment.js';
import type { Secrets } from '../../project/known-secrets.js';
import type { TemplateValues } from '../../target/http/values.js';

/** What calling tools for real needs beside the tools. */
export interface LiveContext {
  env: Environment;
  clock: Clock;
  secrets: Secrets;
  fetch: typeof fetch;
}

/** One call of a tool in one trial. */
export interface LiveCall {
  args: JsonObject;
  /** What the trial gives names to: account, scenario, tenant, variables. */
  values: TemplateValues;
  signal: AbortSignal;
}

/**
 * Asks one tool. `error`: what the agent gets to read. Throws TargetError when the tool could not be asked, and the
 * signal's reason when aborted.
 */
export type AskTool = (call: LiveCall) => Promise<{ result: Json } | { error: string }>;

import type { Clock } from '../base/clock.js';
import { quote } from '../base/quote.js';
import { proxiedFetch } from '../model/wire/proxied-fetch.js';
import type { Environment } from '../project/environment.js';
import { createSecrets } from '../project/known-secrets.js';
import type { LiveTool } from '../suite/types.js';
import { sessionValues } from '../target/http/values.js';
import { accountOf } from '../target/product/session-facts.js';
import { type CallTool, type SessionRequest, TargetError } from '../target/types.js';
import type { AskTool, LiveContext } from './live/ask.js';
import { prepareCommandTool } from './live/command-tool.js';
import { prepareHttpTool } from './live/http-tool.js';

export interface LiveToolsOptions {
  /** `live` of a prompt target. */
  tools: Readonly<Record<string, LiveTool>>;
  env: Environment;
  clock: Clock;
  /** Default: one through the proxies of `env`. */
  fetch?: typeof fetch;
}

/** Calls the tools of one trial for real. */
export type LiveTools = (request: SessionRequest) => CallTool;

/**
 * The tools of a target, called for real: with `--live-tools` they answer in the place of the fixtures. A tool that
 * the target has and that cannot be called is a TargetError that names it, when it is called: no fixture steps in,
 * for a run that is half real says nothing. Secrets are taken out of what tools answer. Throws UserError for
 * environment variables that are not set.
 */
export function createLiveTools({ tools, env, clock, fetch }: LiveToolsOptions): LiveTools {
  const context: LiveContext = {
    env,
    clock,
    secrets: createSecrets(env),
    fetch: fetch ?? proxiedFetch(env),
  };
  const prepared = new Map(
    Object.entries(tools).map(([name, tool]): [string, AskTool] => [
      name,
      tool.kind === 'http' ? prepareHttpTool(name, tool, context) : prepareCommandTool(name, tool, context),
    ]),
  );

  return (request) => {
    const values = sessionValues(request, accountOf(request), new Map());
    return async (name, args, signal) => {
      const ask = prepared.get(name);
      if (ask === undefined) {
        throw new TargetError(
          'other',
          `the tool ${quote(name)} cannot be called for real: it has no "live" in the file of tools; add it, or run without --live-tools`,
        );
      }
      return { ...(await ask({ args, values, signal })), from: 'live' };
    };
  };
}

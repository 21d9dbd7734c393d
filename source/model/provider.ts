import type { Clock } from '../base/clock.js';
import { UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import { createRandom } from '../base/random.js';
import { fillFromEnvironment } from '../project/environment.js';
import { createSecrets, type Secrets } from '../project/known-secrets.js';
import type { AccountLimits, Accounts } from './pacing/accounts.js';
import { withPacing } from './pacing/pace.js';
import { type Retry, withRetry } from './retry.js';
import type { ChatModel } from './types.js';
import type { Fetch, ProviderOptions } from './wire/options.js';
import { withoutKeys } from './wire/redacted.js';

export const providerApis = ['anthropic', 'openai-chat', 'openai-responses'] as const;
/** The protocol that a provider speaks. */
export type ProviderApi = (typeof providerApis)[number];

/** A provider as the config names it: `providers` in `.evalrc.json`. */
export interface ProviderSettings extends AccountLimits {
  api: ProviderApi;
  /** Default: the official one of the API. */
  baseURL?: string | undefined;
  /** Environment variable of the key. Not set: no key is sent. */
  keyEnv?: string | undefined;
  /** Sent with every request; `${NAME}` is taken from the environment. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Added to the address of every request. */
  query?: Readonly<Record<string, string>> | undefined;
  /** Providers of the same account share one pacer when they share its key. Default: the provider's name. */
  account?: string | undefined;
}

/** The providers that need no config. */
const officialProviders: Readonly<Record<string, ProviderSettings>> = {
  anthropic: { api: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY' },
  openai: { api: 'openai-chat', keyEnv: 'OPENAI_API_KEY' },
  'openai-responses': { api: 'openai-responses', keyEnv: 'OPENAI_API_KEY', account: 'openai' },
};

/** A provider as a config may write it. */
export type ConfiguredProvider = Omit<ProviderSettings, 'api'> & { api?: ProviderApi | undefined };

/** The names of all providers that a reference may begin with. */
export function providerNames(configured: Readonly<Record<string, ConfiguredProvider>>): string[] {
  return [...new Set([...Object.keys(officialProviders), ...Object.keys(configured)])];
}

/**
 * The settings of a provider: what the config says of it, over the official ones of that name. An official key is
 * never sent to another base URL: whoever names a base URL names its key too, or none is sent. Undefined for a name
 * that is neither official nor configured. Throws UserError for a provider of which nobody says what it speaks.
 */
export function resolveProvider(
  name: string,
  configured: Readonly<Record<string, ConfiguredProvider>>,
): ProviderSettings | undefined {
  const official = Object.hasOwn(officialProviders, name) ? officialProviders[name] : undefined;
  const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (own === undefined) return official;
  const {
    api = official?.api,
    baseURL,
    keyEnv,
    headers,
    query,
    account,
    concurrency,
    requestsPerMinute,
    tokensPerMinute,
  } = own;
  if (api === undefined) {
    throw new UserError(`the provider ${quote(name)} needs an api, one of ${listed(providerApis, 'or')}`);
  }
  const inherited = baseURL === undefined ? { keyEnv: official?.keyEnv, account: official?.account } : {};
  return {
    api,
    baseURL,
    keyEnv: keyEnv ?? inherited.keyEnv,
    headers,
    query,
    account: account ?? inherited.account,
    concurrency,
    requestsPerMinute,
    tokensPerMinute,
  };
}

/** Each client, loaded when a model of its API is first opened. */
const openers: Record<ProviderApi, () => Promise<(options: ProviderOptions) => ChatModel>> = {
  anthropic: async () => (await import('./anthropic/open.js')).openAnthropic,
  'openai-chat': async () => (await import('./openai/chat.js')).openOpenAiChat,
  'openai-responses': async () => (await import('./openai/responses.js')).openOpenAiResponses,
};

/** What a provider's models share with the run that they are opened for. */
export interface ProviderContext {
  env: Record<string, string | undefined>;
  clock: Clock;
  accounts: Accounts;
  onRetry?: (retry: Retry) => void;
  /** Milliseconds from the first failure of a request after which it is given up. Default: that of withRetry. */
  retryTotalMs?: number;
  /** Milliseconds of silence after which a request counts as dead. Default: that of the clients. */
  stallMs?: number;
  /** Default: one through the proxies of `env`. */
  fetch?: Fetch;
}

/**
 * Opens a model of a provider, paced by its account and retried. Throws UserError when the variable of its key is not
 * set or one that a header names, or when key, base URL or proxy cannot be one.
 */
export async function openProviderModel(
  provider: string,
  settings: ProviderSettings,
  model: string,
  context: ProviderContext,
): Promise<ChatModel> {
  const { env, clock, accounts, onRetry, retryTotalMs, stallMs, fetch } = context;
  const { keyEnv } = settings;
  const apiKey = keyEnv === undefined ? '' : (env[keyEnv] ?? '').trim();
  if (keyEnv !== undefined && apiKey === '') {
    throw new UserError(`${provider}:${model} needs a key; set ${keyEnv}`);
  }
  const name = `${provider}:${model}`;
  const known = createSecrets();
  if (keyEnv !== undefined) known.addKey(keyEnv, apiKey);
  const { headers, secrets } = fillHeaders(provider, settings.headers, env, known);
  const open = await openers[settings.api]();
  const client = open({
    model,
    name,
    apiKey,
    clock,
    env,
    headers,
    secrets,
    ...(settings.query === undefined ? {} : { query: settings.query }),
    ...(keyEnv === undefined ? {} : { keyEnv }),
    ...(settings.baseURL === undefined ? {} : { baseURL: settings.baseURL }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  const pacer = accounts.pacerOf(settings.account ?? provider, apiKey, settings);
  // Retry outside, pacing inside: a request that waits for its next try holds nobody up.
  return withRetry(withPacing(withoutKeys(client, known.keys), pacer), {
    clock,
    // When a request is tried again is no part of what a run found, so it need not be the run's own draw.
    random: createRandom('retry', name, clock.now()),
    ...(onRetry === undefined ? {} : { onRetry }),
    ...(retryTotalMs === undefined ? {} : { totalMs: retryTotalMs }),
  });
}

/** The headers with names in small letters, and the values that they hold of the environment. */
function fillHeaders(
  provider: string,
  written: ProviderSettings['headers'],
  env: ProviderContext['env'],
  known: Secrets,
): { headers: Record<string, string>; secrets: string[] } {
  const secrets: string[] = [];
  const taken = {
    add(variable: string, value: string) {
      secrets.push(value.trim());
      known.addKey(variable, value);
    },
  };
  const headers = Object.entries(written ?? {}).map(([name, text]) => {
    const where = `providers.${provider}.headers.${name}`;
    const value = fillFromEnvironment(text, env, taken, where).trim();
    // Said here, since what sends it would print it whole in its own complaint.
    if (!/^[\x20-\x7e]*$/.test(value)) throw new UserError(`${where}: its value cannot stand in a header`);
    return [name.toLowerCase(), value];
  });
  return { headers: Object.fromEntries(headers), secrets };
}

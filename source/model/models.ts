import type { Clock } from '../base/clock.js';
import { UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { type Accounts, createAccounts } from './pacing/accounts.js';
import {
  type ConfiguredProvider,
  openProviderModel,
  type ProviderContext,
  providerNames,
  resolveProvider,
} from './provider.js';
import type { Retry } from './retry.js';
import type { ChatModel } from './types.js';

/** What opening a model may need. */
export interface OpenModelOptions extends Pick<ProviderContext, 'retryTotalMs' | 'stallMs' | 'fetch'> {
  /** Folder of `<name>.yaml` files with the behaviours of simulated models, absolute. */
  simulatedFolder: string;
  clock: Clock;
  env: Record<string, string | undefined>;
  /** `providers` of the config. Default: the official ones alone. */
  providers?: Readonly<Record<string, ConfiguredProvider>>;
  /** The accounts of this process, so that all models of one account share its pace. Default: its own. */
  accounts?: Accounts;
  /** Hears of requests that are sent again. */
  onRetry?: (retry: Retry) => void;
}

/** A reference as people write it, `provider:model`; the model's name may hold colons. Undefined when it is none. */
export function parseModelReference(reference: string): { provider: string; model: string } | undefined {
  const colon = reference.indexOf(':');
  if (colon < 1 || colon === reference.length - 1) return undefined;
  return { provider: reference.slice(0, colon), model: reference.slice(colon + 1) };
}

/** Opens `provider:model`. Throws UserError for a reference that names nothing, InputError for a file with mistakes. */
export async function openModel(reference: string, options: OpenModelOptions): Promise<ChatModel> {
  const parsed = parseModelReference(reference);
  if (parsed === undefined) {
    throw new UserError(
      `${quote(reference)} names no model; write provider:model, as in simulated:support-agent`,
    );
  }
  const { provider, model } = parsed;
  // Loaded only when asked for, as the SDKs are: each is part of a second of start.
  if (provider === 'simulated') {
    const { openSimulatedModel } = await import('./simulated/open.js');
    return openSimulatedModel(model, options);
  }
  const { providers = {}, accounts = createAccounts(options.clock) } = options;
  const settings = resolveProvider(provider, providers);
  if (settings === undefined) {
    const hint = suggest(provider, ['simulated', ...providerNames(providers)], 'providers');
    throw new UserError(
      `${quote(reference)} names a provider that is not known: ${quote(provider)}; ${hint}`,
    );
  }
  return openProviderModel(provider, settings, model, { ...options, accounts });
}

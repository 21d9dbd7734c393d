import type { Clock } from '../../base/clock.js';
import { sha256 } from '../../base/hash.js';
import { createPacer, type Pacer, type PacerState } from './pacer.js';

/** What holds for one account, from the provider's settings. */
export interface AccountLimits {
  /** Default 64. */
  concurrency?: number | undefined;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/** The provider accounts of this process, each with one pacer, whoever asks: agent, user and judge share it. */
export interface Accounts {
  /** The pacer of a provider and a key. The limits of whoever asks first hold. */
  pacerOf(provider: string, apiKey: string, limits: AccountLimits): Pacer;
  states(): ({ account: string } & PacerState)[];
  /** Hears that the state of some account has changed, or that there is a new one. Returns the way out. */
  subscribe(listener: () => void): () => void;
}

const defaultConcurrency = 64;

export function createAccounts(clock: Clock): Accounts {
  const pacers = new Map<string, Pacer>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    pacerOf(provider, apiKey, limits) {
      // The hash, so that nothing that is kept or printed holds a key.
      const id = `${provider} ${sha256(apiKey).slice(0, 16)}`;
      const known = pacers.get(id);
      if (known !== undefined) return known;
      const pacer = createPacer({
        account: provider,
        clock,
        concurrency: limits.concurrency ?? defaultConcurrency,
        requestsPerMinute: limits.requestsPerMinute,
        tokensPerMinute: limits.tokensPerMinute,
      });
      pacers.set(id, pacer);
      pacer.subscribe(tell);
      tell();
      return pacer;
    },
    states: () => [...pacers.values()].map((pacer) => ({ account: pacer.account, ...pacer.state() })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

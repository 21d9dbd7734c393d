import type { Clock } from '../../base/clock.js';
import { createBoundedMap } from './bounded-map.js';

/** A beginning of a request: everything from its first byte up to some boundary. */
export interface Prefix {
  /** The same for the same content, whichever request it begins. */
  key: string;
  /** Tokens from the start of the request to the boundary. */
  tokens: number;
}

/** A provider's cache of request beginnings. */
export interface PrefixCache {
  /**
   * What a request finds that asks for these boundaries (ascending; the last one is as far as it wants to be
   * cached): tokens read are those of the longest beginning that is there, tokens written the rest.
   */
  find(prefixes: readonly Prefix[]): { read: number; write: number };
  /** Keeps the beginnings for another `ttlSeconds`. A provider does so once it has begun to answer. */
  keep(prefixes: readonly Prefix[]): void;
}

const maxKeptPrefixes = 20_000;

/**
 * Behaves as the caches of providers do: a beginning shorter than `minTokens` is neither read nor written, one
 * that nobody used for `ttlSeconds` is gone, and requests that start before the first answer has begun are cold.
 */
export function createPrefixCache(
  { minTokens, ttlSeconds }: { minTokens: number; ttlSeconds: number },
  clock: Clock,
): PrefixCache {
  const expiries = createBoundedMap<number>(maxKeptPrefixes);
  return {
    find(prefixes) {
      const wanted = prefixes.at(-1)?.tokens ?? 0;
      if (wanted === 0 || wanted < minTokens) return { read: 0, write: 0 };
      const now = clock.now();
      const longest = prefixes.findLast(
        ({ key, tokens }) => tokens >= minTokens && (expiries.get(key) ?? now) > now,
      );
      const read = longest?.tokens ?? 0;
      return { read, write: wanted - read };
    },
    keep(prefixes) {
      const expiry = clock.now() + ttlSeconds * 1000;
      for (const { key, tokens } of prefixes) if (tokens >= minTokens) expiries.set(key, expiry);
    },
  };
}

import { noUsage, type Usage } from '../model/types.js';

/**
 * The date of the table that comes with `@pydantic/genai-prices`, which does not say itself: that on which this version
 * of it was published. A test holds the version against the one that is installed.
 */
export const bundledPrices = { version: '0.1.8', asOf: '2026-09-23' } as const;

/** US dollars a million tokens, as `prices` of the config says them. */
export interface PriceOverride {
  input: number;
  output: number;
  /** Not set: as input. */
  cacheRead?: number | undefined;
  /** Not set: as input. */
  cacheWrite?: number | undefined;
  /** When that was the price, `YYYY-MM-DD`. */
  asOf: string;
}

/** By `provider:model`. */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

/** What tokens of one model cost, or why that is not known. */
export type Price =
  | {
      kind: 'priced';
      /** US dollars. */
      dollars: number;
      /** Date of the price, `YYYY-MM-DD`, and whose table it stands in. */
      asOf: string;
      source: 'bundled' | 'config';
      /** The model costs more from a length of a request on, which sums of many requests do not tell. */
      isLowestTier?: true;
    }
  /** A stand-in: it costs nothing and says nothing about what a model would cost. */
  | { kind: 'simulated' }
  /** Of a model that nobody has a price for, or of tokens that contradict each other. */
  | { kind: 'unknown' };

/** Finds the price of tokens. `at`: when they were used, in milliseconds since the epoch, for prices that changed. */
export type PriceOf = (model: string, usage: Usage, at: number) => Price;

/** Prices of the bundled table, below those of the config. Nothing is fetched. */
export async function createPrices(overrides: PriceOverrides): Promise<PriceOf> {
  const { calcPrice } = await import('@pydantic/genai-prices');

  function bundled(model: string, usage: Usage, at: number): Price {
    const [, provider = '', name = ''] = /^([^:]+):(.+)$/s.exec(model) ?? [];
    const options = { providerId: providerNames[provider] ?? provider, timestamp: new Date(at) };
    // The price of a request may rise with its length: that of a thousandth of its tokens is the price of short ones.
    const parts = Math.max(1, usage.input / 1000);
    const tokens = {
      input_tokens: usage.input / parts,
      cache_read_tokens: usage.cacheRead / parts,
      cache_write_tokens: usage.cacheWrite / parts,
      output_tokens: usage.output / parts,
    };
    const found = attempt(() => calcPrice(tokens, name, options));
    if (!found) return { kind: 'unknown' };
    const isTiered = Object.values(found.model_price).some((price) => typeof price === 'object');
    return {
      kind: 'priced',
      dollars: found.total_price * parts,
      asOf: bundledPrices.asOf,
      source: 'bundled',
      ...(isTiered && { isLowestTier: true }),
    };
  }

  return (model, usage, at) => {
    const own = Object.hasOwn(overrides, model) ? overrides[model] : undefined;
    if (own) return { kind: 'priced', dollars: dollarsOf(usage, own), asOf: own.asOf, source: 'config' };
    if (model.startsWith('simulated:')) return { kind: 'simulated' };
    return bundled(model, usage, at);
  };
}

/** It throws for tokens that contradict each other, as a product may report them. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Our providers that the table has under another name. */
const providerNames: Record<string, string> = { 'openai-responses': 'openai' };

function dollarsOf(usage: Usage, price: PriceOverride): number {
  const { input, output, cacheRead, cacheWrite } = usage;
  const { cacheRead: read = price.input, cacheWrite: written = price.input } = price;
  const plain = input - cacheRead - cacheWrite;
  return (plain * price.input + cacheRead * read + cacheWrite * written + output * price.output) / 1e6;
}

/** Whether no tokens were used. */
export function isNothing(usage: Usage): boolean {
  return (Object.keys(noUsage) as (keyof Usage)[]).every((part) => usage[part] === 0);
}

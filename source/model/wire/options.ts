import type { Clock } from '../../base/clock.js';

/** The part of `fetch` that the clients use. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What a client of a model API is opened with. */
export interface ProviderOptions {
  /** The model as the provider calls it. */
  model: string;
  /** `ChatModel.name`: `provider:model`, as shown and stored. */
  name: string;
  /** Empty: no key is sent, as for a server on this machine. */
  apiKey: string;
  /** The environment variable that the key came from; named when the key is refused. */
  keyEnv?: string;
  /** Default: the provider's own. */
  baseURL?: string;
  /** Default: one through the proxies of `env`. */
  fetch?: Fetch;
  /** Sent with every request, over those of the API; names in small letters. */
  headers?: Readonly<Record<string, string>>;
  /** Added to the address of every request. */
  query?: Readonly<Record<string, string>>;
  /** What beside the key must not be shown: values that stand in headers. */
  secrets?: readonly string[];
  /** Default: empty, and so no proxy. */
  env?: Record<string, string | undefined>;
  /** Marks the stable prefix of a request for the provider's prompt cache, where that is asked for. Default true. */
  cache?: boolean;
  /** Default: the system's. */
  clock?: Clock;
  /**
   * Milliseconds without a single byte after which a request counts as dead. Default 120,000: a model that thinks
   * before it answers may be silent for a minute.
   */
  stallMs?: number;
}

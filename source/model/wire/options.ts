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
  fetch?: Fetch;
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

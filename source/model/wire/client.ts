import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { createWatchdog } from '../../base/watchdog.js';
import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  ModelError,
  noUsage,
  type Usage,
} from '../types.js';
import { ServerComplaint } from './complaint.js';
import { type Exchange, openExchange } from './exchange.js';
import { type Addressee, toModelError } from './failure.js';
import { createWireFetch } from './http.js';
import type { Fetch, ProviderOptions } from './options.js';
import { isProxied, readProxies } from './proxies.js';
import { sharedFetch } from './shared-fetch.js';

/** Reads one answer, event by event. What it gives is in order; `done` comes from `finish` alone. */
export interface AnswerReader {
  /** One event of the stream as the SDK decoded it. Throws BrokenAnswer or ServerComplaint. */
  take(event: unknown): Iterable<ChatEvent>;
  /** The whole answer at once, from a server that was asked to stream and did not. Throws BrokenAnswer or ServerComplaint. */
  takeWhole(body: unknown): Iterable<ChatEvent>;
  /** The event that ends the answer was seen: what may still come adds nothing. */
  readonly isWhole: boolean;
  /** What was reported so far; undefined when nothing was. */
  readonly usage: Usage | undefined;
  /** The stream ended by itself. What is left, then `done`; undefined when the answer is not whole. Throws as `take`. */
  finish(end: { doneMarker: boolean }): Iterable<ChatEvent> | undefined;
}

/** What differs between the APIs. */
export interface Dialect {
  /** Sends the request through the SDK. */
  send(request: ChatRequest, signal: AbortSignal): Promise<Response>;
  /** The SDK's own decoding of server-sent events. */
  decode(response: Response): AsyncIterable<unknown>;
  createReader(request: ChatRequest): AnswerReader;
}

/** What a dialect is made with. */
export interface WireContext {
  baseURL: string;
  fetch: Fetch;
  query: Readonly<Record<string, string>>;
  /** For the SDK's own time limit, which must not be the one that ends a request. */
  timeoutMs: number;
}

const defaultStallMs = 120_000;

/** Later than our own limit, whole, and no more than a timer can hold. */
function sdkTimeout(stallMs: number): number {
  return Math.min(2 ** 31 - 1, Math.ceil(2 * stallMs));
}

/**
 * The part that all clients share: one request under watch, its faults made into ModelErrors, its connection let go
 * of whatever happens. `open` is called when the model is first used: SDKs are slow to load. Throws UserError for a
 * key, a base URL or a proxy that cannot be one.
 */
export function createWireModel(
  options: ProviderOptions,
  api: {
    baseURL: string;
    /** The header of a key. */
    authorize(key: string): Record<string, string>;
    open(context: WireContext): Promise<Dialect>;
  },
): ChatModel {
  const { name, clock = systemClock, stallMs = defaultStallMs } = options;
  const apiKey = readKey(options);
  const baseURL = readBaseURL(options.baseURL ?? api.baseURL, name);
  const to: Addressee = {
    host: baseURL.host,
    model: options.model,
    apiKey,
    keyEnv: options.keyEnv,
    isProxied: options.fetch === undefined && isProxied(readProxies(options.env ?? {}), baseURL),
    secrets: options.secrets ?? [],
  };
  const fetch = createWireFetch({
    fetch: options.fetch ?? sharedFetch(options.env ?? {}),
    clock,
    headers: { ...(apiKey !== '' && api.authorize(apiKey)), ...options.headers },
  });
  const watchdog = createWatchdog(clock);
  let opened: Promise<Dialect> | undefined;
  const open = () => {
    opened ??= api.open({
      baseURL: baseURL.href.replace(/\/$/, ''),
      fetch,
      query: options.query ?? {},
      timeoutMs: sdkTimeout(stallMs),
    });
    return opened;
  };

  return {
    name,
    async *stream(request) {
      request.signal?.throwIfAborted();
      const dialect = await open();
      const exchange = openExchange({ clock, watchdog, stallMs, signal: request.signal });
      const reader = dialect.createReader(request);
      let hasBegun = false;
      let hasAnswered = false;
      try {
        const response = await dialect.send(request, exchange.signal);
        hasAnswered = true;
        const bytes = exchange.watch(response.body);
        if (isWholeJson(response)) {
          const body = await readJson(bytes);
          hasBegun = true;
          for (const event of reader.takeWhole(body)) yield event;
        } else {
          try {
            for await (const event of dialect.decode(asResponse(bytes, response))) {
              const news = reader.take(event);
              hasBegun = true;
              for (const piece of news) yield piece;
              if (reader.isWhole) exchange.settle();
            }
          } catch (error) {
            // A connection that breaks after the last word takes nothing away.
            if (!reader.isWhole) throw error;
          }
        }
        // The SDKs' streams end without an error also when they are aborted. Then the answer is not whole, unless
        // all of it is there and the server has only failed to say that this was the end.
        const rest = exchange.brokenOff === 'too-large' ? undefined : reader.finish(exchange);
        if (rest === undefined) throw notWhole(exchange);
        for (const event of rest) yield event;
      } catch (error) {
        request.signal?.throwIfAborted();
        const failure = toModelError(error, exchange, to, stallMs);
        if (failure !== undefined) {
          failure.hasAnswered = hasAnswered || failure.status !== undefined;
          // Of an answer that broke off nobody says what it took in the end; what was said is the least.
          if (hasBegun) failure.spent = { usage: reader.usage ?? noUsage, usageMissing: true };
          throw failure;
        }
        yield { type: 'done', stop: 'refused', usage: noUsage, usageMissing: true };
      } finally {
        exchange.close();
      }
    },
  };

  /** Throws ServerComplaint for an error that came with a status of success. */
  async function readJson(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    let body: unknown;
    try {
      body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    } catch {
      throw new ModelError('bad-answer', `${to.host} sent an answer that is not JSON`);
    }
    if (isJsonObject(body) && body.error !== undefined && body.error !== null) {
      throw new ServerComplaint(body.error);
    }
    return body;
  }

  function notWhole({ received }: Exchange): ModelError {
    if (received.bytes === 0)
      return new ModelError('network', `${to.host} closed the connection before it answered`);
    if (!/^\s*(data|event|id|retry|:)/.test(received.head) && !received.head.trimStart().startsWith('{')) {
      return new ModelError('bad-answer', `${to.host} answered with something that is no event stream`);
    }
    return new ModelError('network', `the answer of ${to.host} broke off in the middle`);
  }
}

/** What the SDKs decode: of a body they ask only that it can be iterated, and a whole Response costs much more. */
function asResponse(body: AsyncIterable<Uint8Array>, { headers }: Response): Response {
  return { body, headers } as unknown as Response;
}

/** A server may answer in one piece although it was asked to stream. */
function isWholeJson(response: Response): boolean {
  return /\b(application|text)\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');
}

/** Said here, since `fetch` would print the whole key in its own complaint about it. */
function readKey({ apiKey, keyEnv }: ProviderOptions): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new UserError(
    `the key${keyEnv === undefined ? '' : ` in ${keyEnv}`} holds characters that no key has`,
  );
}

function readBaseURL(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`the baseURL of ${name} is not an http or https URL`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UserError(
      `the baseURL of ${name} may hold no password and no query; a key is named by keyEnv, a query stands under "query"`,
    );
  }
  return url;
}

import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
// The parts that a request needs: its index also loads caches, mocks and sockets, which takes twice as long.
import request from 'undici/lib/api/api-request.js';
import DirectAgent from 'undici/lib/dispatcher/agent.js';
import type { Fetch } from './options.js';
import type { ProxySettings } from './proxies.js';

/**
 * A `fetch` for what the clients of providers need, at half of what the global one costs: a run of short trials
 * spends most of its time there. It sends a text, through the proxy that the environment names, follows no redirect,
 * keeps connections, and gives a response of which status, headers and the bytes of its body can be used and nothing
 * else. How many connections there may be is for the pacing to say, how long a silence may be for the watchdog.
 */
export async function createUndiciFetch(proxies: ProxySettings): Promise<Fetch> {
  const agent = await openAgent(proxies);
  return async (url, init = {}) => {
    const { body = '', method = 'GET', signal, headers } = init;
    if (typeof body !== 'string') throw new TypeError('only a text can be sent');
    const sent = headers instanceof Headers ? Object.fromEntries(headers) : { ...(headers as object) };
    const { origin, pathname, search } = new URL(url instanceof Request ? url.url : url);
    const answer = await request
      .call(agent, {
        origin,
        path: pathname + search,
        method: method as 'POST',
        // An answer of some kilobytes is not worth packing.
        headers: { 'accept-encoding': 'identity', ...sent },
        body,
        signal: signal ?? null,
      })
      .catch((error: unknown) => {
        throw signal?.aborted ? error : refusalOfProxy(error);
      });
    const { statusCode: status } = answer;
    const received = new ReceivedHeaders(answer.headers);
    const response = {
      status,
      ok: status >= 200 && status <= 299,
      headers: received,
      body: unpacked(answer.body, received),
    };
    return response as unknown as Response;
  };
}

/** undici's own `fetch`, all of it. */
export async function createWholeFetch(proxies: ProxySettings): Promise<typeof globalThis.fetch> {
  const { fetch } = await import('./whole-undici.js');
  const dispatcher = await openAgent(proxies);
  // Its types and the global ones are of two versions of one standard.
  const whole = fetch as unknown as (url: unknown, init: object) => Promise<Response>;
  return (url, init) => whole(url, { ...init, dispatcher });
}

/** Silence is for the watchdog to end. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

async function openAgent({ http, https, exceptions }: ProxySettings): Promise<Dispatcher> {
  if (http === undefined && https === undefined) return new DirectAgent(noTimeouts);
  // The tunnel to a proxy is made with what the index adds.
  const { EnvHttpProxyAgent } = await import('./whole-undici.js');
  return new EnvHttpProxyAgent({
    // An empty text is one that is given: undici asks the environment for nothing.
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: exceptions,
    ...noTimeouts,
  });
}

/** undici tells of a proxy that makes no tunnel as of an abort, the status in its text alone. */
function refusalOfProxy(error: unknown): unknown {
  const status = error instanceof Error ? /^Proxy response \((\d+)\)/.exec(error.message)?.[1] : undefined;
  return status === undefined
    ? error
    : Object.assign(new Error('the proxy refused'), { code: `PROXY_${status}` });
}

/** The headers of an answer as the clients read them, which is by name; the platform's own are dear to make. */
class ReceivedHeaders {
  readonly #values: ReadonlyMap<string, string>;

  /** `received`: names in small letters. */
  constructor(received: Record<string, string | string[] | undefined>) {
    this.#values = new Map(
      Object.entries(received).map(([name, value = '']) => [
        name,
        (typeof value === 'string' ? value : value.join(', ')).trim(),
      ]),
    );
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/** It was asked for as it is; a proxy may have packed it all the same. */
function unpacked(body: Readable, headers: ReceivedHeaders): Readable {
  const open = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[headers.get('content-encoding')?.trim().toLowerCase() ?? ''];
  if (open === undefined) return body;
  const unpacker = open();
  body.on('error', (error) => unpacker.destroy(error));
  unpacker.on('close', () => body.destroy());
  return body.pipe(unpacker);
}

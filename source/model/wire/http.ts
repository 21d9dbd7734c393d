import type { Clock } from '../../base/clock.js';
import type { Fetch } from './options.js';
import { readRetryAfter } from './retry-after.js';

/** An answer over HTTP that is no answer of a model. */
export class HttpFailure extends Error {
  readonly status: number;
  /** Parsed where it is JSON, else text; its first 64 KB. */
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
  /** The body is a web page. */
  readonly isPage: boolean;
  /** Host that a redirect points to. */
  readonly redirectHost: string | undefined;
  constructor(facts: Omit<HttpFailure, keyof Error>) {
    // The text is never shown, and holds nothing that an SDK could take for a timeout.
    super('no answer of a model');
    this.name = 'HttpFailure';
    this.status = facts.status;
    this.body = facts.body;
    this.retryAfterMs = facts.retryAfterMs;
    this.isPage = facts.isPage;
    this.redirectHost = facts.redirectHost;
  }
}

/** No answer over HTTP at all. */
export class ConnectionFailure extends Error {
  /** Codes of Node, undici and OpenSSL, outermost first. */
  readonly codes: readonly string[];
  constructor(codes: readonly string[]) {
    super('no connection');
    this.name = 'ConnectionFailure';
    this.codes = codes;
  }
}

/** An error and what caused it, outermost first. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let cause = error;
  while (cause !== undefined && cause !== null && chain.length < 8 && !chain.includes(cause)) {
    chain.push(cause);
    cause = typeof cause === 'object' && 'cause' in cause ? cause.cause : undefined;
  }
  return chain;
}

/** The system's codes of an error and its causes, outermost first. */
export function codesOf(error: unknown): string[] {
  return causesOf(error).flatMap((cause) => {
    if (cause instanceof ConnectionFailure) return cause.codes;
    // The faults of undici's own making that have no code.
    if (cause instanceof Error && cause.message === 'bad port') return ['BAD_PORT'];
    if (cause instanceof Error && cause.name === 'HTTPParserError') return ['HPE_INVALID'];
    const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
    return typeof code === 'string' ? [code] : [];
  });
}

const mostErrorBytes = 64 * 1024;

/** The headers that the protocols need. All others stay here: the SDKs add what they find in the environment. */
const needed = ['accept', 'content-type', 'user-agent', 'anthropic-version'];

/**
 * The `fetch` that an SDK is given. It is the only place that holds the key: the SDK is given none, so nothing of it
 * that is printed can show one. What is no answer of a model is thrown as HttpFailure. Redirects are not followed: a
 * key belongs to one host.
 */
export function createWireFetch(options: {
  fetch: Fetch;
  clock: Clock;
  /** Of the key, and what the provider's settings add; names in small letters. */
  headers: Readonly<Record<string, string>>;
}): Fetch {
  const { fetch, clock } = options;
  return async (url, init) => {
    const given = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers);
    const headers: Record<string, string> = {};
    for (const name of needed) {
      const value = given.get(name);
      if (value !== null) headers[name] = value;
    }
    Object.assign(headers, options.headers);
    const response = await connect(() => fetch(url, { ...init, headers, redirect: 'manual' }));
    const isPage = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
    if (response.ok && !isPage) return response;
    const text = await readSome(response.body);
    throw new HttpFailure({
      status: response.status,
      body: parseIfJson(text),
      retryAfterMs: readRetryAfter(response.headers, clock.now()),
      isPage: isPage || /^\s*<(!doctype|html)/i.test(text),
      redirectHost: redirectHost(response, url),
    });
  };
}

/** Keeps of a failed connection its codes and nothing else: the SDKs drop the cause of whatever looks like a timeout. */
async function connect(fetching: () => Promise<Response>): Promise<Response> {
  try {
    return await fetching();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new ConnectionFailure(codesOf(error));
  }
}

async function readSome(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes >= mostErrorBytes) return text;
    }
    text += decoder.decode();
  } catch {
    // The status is known and says enough; what came of the body before it broke off is kept.
  }
  return text;
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function redirectHost(response: Response, url: string | URL | Request): string | undefined {
  const location = response.headers.get('location');
  if (location === null || response.status < 300 || response.status > 399) return undefined;
  try {
    return new URL(location, url instanceof Request ? url.url : url).host;
  } catch {
    return undefined;
  }
}

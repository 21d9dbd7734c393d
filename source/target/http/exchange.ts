import type { Clock } from '../../base/clock.js';
import type { Secrets } from '../../project/known-secrets.js';
import { excerpt } from '../product/excerpt.js';
import { watchSilence } from '../product/silence.js';
import { TargetError } from '../types.js';
import type { PreparedCall } from './call.js';
import type { CookieJar } from './cookies.js';
import { connectionError, statusError } from './failures.js';
import type { TemplateValues } from './values.js';

/** What all calls of a target share. */
export interface Wire {
  fetch: typeof fetch;
  clock: Clock;
  secrets: Secrets;
  /** Requests that are going on, so that closing the target can end them. */
  inFlight: Set<AbortController>;
}

export interface ExchangeOptions {
  wire: Wire;
  values: TemplateValues;
  jar: CookieJar;
  accept: string;
  /** Milliseconds without a byte after which the request is given up. */
  silenceMs: number;
  signal?: AbortSignal;
}

/** An answer with a status of success, its body not yet read. */
export interface Answer {
  label: string;
  status: number;
  /** Media type without parameters, in lower case; empty when the answer names none. */
  mediaType: string;
  charset: string;
  /** The body as it comes. Throws TargetError when it breaks off, and the signal's reason when aborted. */
  bytes(): AsyncIterable<Uint8Array>;
}

const mostRedirects = 5;
/** Read of a body that is only quoted. */
const quotedBytes = 16 * 1024;

/**
 * Sends one request and hands its answer to `read`. Everything that can go wrong on the way is a TargetError that
 * names the call; an abort throws the signal's reason.
 */
export async function exchange<T>(
  call: PreparedCall,
  options: ExchangeOptions,
  read: (answer: Answer) => Promise<T>,
): Promise<T> {
  const { wire, signal, silenceMs } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  wire.inFlight.add(controller);
  let bytesRead: number | undefined;
  const watch = watchSilence(wire.clock, silenceMs, () => {
    const where = bytesRead === undefined ? 'no answer' : `no byte after the first ${bytesRead}`;
    controller.abort(
      new TargetError('network', `${call.label}: ${where} within ${silenceMs / 1000} seconds`),
    );
  });
  const failure = (error: unknown): unknown =>
    controller.signal.aborted ? controller.signal.reason : connectionError(call.label, error, bytesRead);

  let response: Response | undefined;
  try {
    response = await follow(call, options, controller.signal, failure);
    watch.alive();
    bytesRead = 0;
    const body = response.body;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of body ?? []) {
          watch.alive();
          bytesRead = (bytesRead ?? 0) + chunk.length;
          yield chunk;
        }
      } catch (error) {
        throw failure(error);
      }
    }
    const answer: Answer = {
      label: call.label,
      status: response.status,
      ...readContentType(response),
      bytes,
    };
    if (!response.ok) throw await toStatusError(answer, response, call, wire);
    return await read(answer);
  } finally {
    watch.stop();
    signal?.removeEventListener('abort', onAbort);
    wire.inFlight.delete(controller);
    // A body that nobody reads holds its connection.
    if (response?.body && !response.bodyUsed) await response.body.cancel().catch(() => {});
  }
}

/**
 * Redirects are followed on the same origin only, and only where the request stays what it is: another origin
 * would be sent the headers with their keys, and a POST that becomes a GET would lose the message.
 */
async function follow(
  call: PreparedCall,
  { wire, values, jar, accept }: ExchangeOptions,
  signal: AbortSignal,
  failure: (error: unknown) => unknown,
): Promise<Response> {
  const { url: first, headers, body } = call.fill(values);
  if (!headers.has('accept')) headers.set('accept', accept);
  if (!headers.has('user-agent')) headers.set('user-agent', 'evalrun');
  const ownCookies = headers.get('cookie');
  let url = first;
  for (let hops = 0; ; hops++) {
    const cookies = [ownCookies, jar.header(url)].filter((text) => text).join('; ');
    if (cookies === '') headers.delete('cookie');
    else headers.set('cookie', cookies);
    let response: Response;
    try {
      response = await wire.fetch(url, {
        method: call.method,
        headers,
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw failure(error);
    }
    jar.store(url, response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel().catch(() => {});
    url = nextUrl(call, response.status, location, url, hops);
  }
}

function nextUrl(call: PreparedCall, status: number, location: string, from: URL, hops: number): URL {
  const refuse = (why: string) =>
    new TargetError('other', `${call.label}: answered ${status}, a redirect ${why}`);
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    throw refuse('to no URL');
  }
  if (url.origin !== from.origin)
    throw refuse('to another origin, which is not followed; name that address in baseURL');
  if (call.method !== 'GET' && status < 307)
    throw refuse(`that would turn ${call.method} into GET; name the address it leads to`);
  if (hops >= mostRedirects) throw refuse(`after ${mostRedirects} others`);
  return url;
}

function readContentType(response: Response): { mediaType: string; charset: string } {
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').split(';');
  const charset = parameters.map((text) => /^\s*charset=\s*"?([^"\s]+)"?\s*$/i.exec(text)?.[1]).find(Boolean);
  return { mediaType: type.trim().toLowerCase(), charset: charset ?? 'utf-8' };
}

async function toStatusError(
  answer: Answer,
  response: Response,
  call: PreparedCall,
  { clock, secrets }: Wire,
): Promise<unknown> {
  const start: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.bytes()) {
      start.push(chunk);
      length += chunk.length;
      if (length >= quotedBytes) break;
    }
  } catch (error) {
    // The status is what matters; of the body what came counts. An abort is an abort all the same.
    if (!(error instanceof TargetError)) return error;
  }
  return statusError({
    label: call.label,
    status: answer.status,
    headers: response.headers,
    body: excerpt(Buffer.concat(start).toString('utf8'), secrets),
    variables: call.variables,
    now: clock.now(),
  });
}

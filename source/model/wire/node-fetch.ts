import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** As many connections as there are requests: how many there may be is for the pacing to say. */
const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

/** Bytes that wait to be read before the sender is told to wait. */
const highWater = 1024 * 1024;

/**
 * A `fetch` for what the clients of providers need, at a third of what the global one costs: a run of short trials
 * spends most of its time there. It sends a text, follows no redirect, keeps connections, and gives a response of
 * which status, headers and the reader of its body can be used and nothing else. What goes wrong is thrown as Node
 * reports it, with its code.
 */
export const nodeFetch = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
  new Promise((resolve, reject) => {
    const target = new URL(url instanceof Request ? url.url : url);
    const { body = '', signal } = init;
    if (typeof body !== 'string') throw new TypeError('only a text can be sent');
    const headers: Record<string, string> = { 'accept-encoding': 'identity' };
    new Headers(init.headers).forEach((value, name) => {
      headers[name] = value;
    });
    headers['content-length'] = String(Buffer.byteLength(body));
    const isSecure = target.protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)(
      target,
      { method: init.method ?? 'GET', headers, agent: agents[isSecure ? 'https:' : 'http:'] },
      (incoming) => resolve(toResponse(incoming, signal ?? undefined)),
    );
    const onAbort = () => request.destroy(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', onAbort));
    request.on('error', reject);
    request.end(body);
  });

function toResponse(incoming: IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0 } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
    } catch {
      // A header that is none says nothing.
    }
  }
  const body = { getReader: () => createReader(decoded(incoming), signal) };
  return { status, ok: status >= 200 && status <= 299, headers, body } as unknown as Response;
}

/** It was asked for as it is; a proxy may have packed it all the same. */
function decoded(incoming: IncomingMessage): Readable {
  const unpack = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[incoming.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  if (unpack === undefined) return incoming;
  const unpacked = unpack();
  incoming.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => incoming.destroy());
  return incoming.pipe(unpacked);
}

/** An abort is thrown with its reason, as `fetch` does: the SDKs take what is named AbortError for an end. */
function createReader(
  source: Readable,
  signal: AbortSignal | undefined,
): Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  source.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    waiting += chunk.byteLength;
    if (waiting > highWater) source.pause();
    wake();
  });
  source.on('end', () => {
    isOver = true;
    wake();
  });
  source.on('error', (error) => {
    failure ??= { error };
    wake();
  });
  source.on('close', () => {
    if (!isOver) failure ??= { error: Object.assign(new Error('closed'), { code: 'ECONNRESET' }) };
    wake();
  });
  return {
    async read() {
      for (;;) {
        const value = chunks.shift();
        if (value !== undefined) {
          waiting -= value.byteLength;
          if (source.isPaused() && waiting <= highWater) source.resume();
          return { done: false, value };
        }
        if (isOver) return { done: true, value: undefined };
        if (failure) throw signal?.aborted ? signal.reason : failure.error;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async cancel() {
      source.destroy();
    },
  };
}

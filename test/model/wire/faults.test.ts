import type { ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelErrorKind, taintOf } from '../../../source/model/types.js';
import type { ProviderOptions } from '../../../source/model/wire/options.js';
import { type Api, apis, failure, markedKey, open } from './ask.js';
import { selfSigned } from './certificate.js';
import { beginStream, sendJson, startServer } from './server.js';
import { answer, errorBody, halfToolCall, opening, piece } from './streams.js';

/** A fault of a server, and all that comes of it. */
interface Fault {
  fault: string;
  serve(response: ServerResponse, api: Api): void;
  kind: ModelErrorKind;
  status?: number;
  retryAfterMs?: number;
  /** What the message has to say, beside the host. */
  says: string[];
  taints?: 'auth' | 'rate-limit';
  options?: Partial<ProviderOptions>;
  apis?: readonly Api[];
}

const keyEnv = { keyEnv: 'EVAL_TEST_KEY' };

/** Begins a stream, sends what is given and then tears the connection down. */
function cut(response: ServerResponse, bytes: string | Buffer): void {
  beginStream(response).write(bytes, () => response.destroy());
}

function refuse(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
  code: string | null = null,
) {
  return (response: ServerResponse, api: Api) =>
    sendJson(response, status, errorBody(api, type, message, code), headers);
}

const euro = Buffer.from('€');

const faults: Fault[] = [
  {
    fault: '401',
    serve: refuse(401, 'authentication_error', 'invalid key'),
    kind: 'auth',
    status: 401,
    says: ['401', 'refused the key in EVAL_TEST_KEY', 'invalid key'],
    taints: 'auth',
    options: keyEnv,
  },
  {
    fault: '401 without a key',
    serve: refuse(401, 'authentication_error', 'no key given'),
    kind: 'auth',
    status: 401,
    says: ['401', 'wants a key', 'set EVAL_TEST_KEY'],
    taints: 'auth',
    options: { ...keyEnv, apiKey: '' },
  },
  {
    fault: '403',
    serve: refuse(403, 'permission_error', 'not in your region'),
    kind: 'auth',
    status: 403,
    says: ['403', 'forbids this to the key in EVAL_TEST_KEY', 'not in your region'],
    taints: 'auth',
    options: keyEnv,
  },
  {
    fault: '429 because the money is gone',
    serve: refuse(429, 'insufficient_quota', 'You exceeded your current quota', {}, 'insufficient_quota'),
    kind: 'auth',
    status: 429,
    says: ['429', 'EVAL_TEST_KEY', 'nothing left to spend'],
    taints: 'auth',
    options: keyEnv,
  },
  {
    fault: '404',
    serve: refuse(404, 'not_found_error', 'model: model-under-test'),
    kind: 'not-found',
    status: 404,
    says: ['404', 'has no model "model-under-test"'],
  },
  {
    fault: '404 of something that is no API',
    serve: (response) => response.writeHead(404).end(),
    kind: 'not-found',
    status: 404,
    says: ['404', '"model-under-test"', 'baseURL'],
  },
  {
    fault: '400, the context is too long',
    serve: refuse(400, 'invalid_request_error', 'prompt is too long: 203416 tokens > 200000 maximum'),
    kind: 'too-long',
    status: 400,
    says: ['400', 'too long for model-under-test', '203416 tokens'],
  },
  {
    fault: '400 with a code for a context that is too long',
    serve: refuse(400, 'invalid_request_error', 'Please shorten.', {}, 'context_length_exceeded'),
    kind: 'too-long',
    status: 400,
    says: ['400', 'too long', 'Please shorten.'],
    apis: ['openai-chat', 'openai-responses'],
  },
  {
    fault: '429 for one request that is larger than a minute allows',
    serve: refuse(
      429,
      'tokens',
      'Request too large for m on tokens per min (TPM): Limit 30000, Requested 51000.',
      {},
      'rate_limit_exceeded',
    ),
    kind: 'too-long',
    status: 429,
    says: ['429', 'Requested 51000'],
    apis: ['openai-chat', 'openai-responses'],
  },
  {
    fault: '400 for a setting that the model does not take',
    serve: refuse(400, 'invalid_request_error', 'temperature: Extra inputs are not permitted'),
    kind: 'bad-request',
    status: 400,
    says: ['400', 'refused the request', 'temperature: Extra inputs'],
  },
  {
    fault: '413',
    serve: refuse(413, 'request_too_large', 'Request exceeds the maximum size'),
    kind: 'too-long',
    status: 413,
    says: ['413', 'too long'],
  },
  {
    fault: '429',
    serve: refuse(429, 'rate_limit_error', 'slow down'),
    kind: 'rate-limit',
    status: 429,
    says: ['429', 'limits the rate', 'slow down'],
    taints: 'rate-limit',
  },
  {
    fault: '429 with Retry-After in seconds',
    serve: refuse(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }),
    kind: 'rate-limit',
    status: 429,
    retryAfterMs: 7_000,
    says: ['429', 'asks to wait 7 s'],
    taints: 'rate-limit',
  },
  {
    fault: '429 with Retry-After as a date, by the clock of the server',
    serve: refuse(429, 'rate_limit_error', 'slow down', {
      date: 'Wed, 21 Oct 2015 07:28:00 GMT',
      'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT',
    }),
    kind: 'rate-limit',
    status: 429,
    retryAfterMs: 30_000,
    says: ['429', 'asks to wait 30 s'],
    taints: 'rate-limit',
  },
  {
    fault: '500',
    serve: refuse(500, 'api_error', 'Internal server error'),
    kind: 'overloaded',
    status: 500,
    says: ['500', 'failed', 'Internal server error'],
  },
  {
    fault: '529',
    serve: refuse(529, 'overloaded_error', 'Overloaded'),
    kind: 'overloaded',
    status: 529,
    says: ['529', 'is overloaded'],
  },
  {
    fault: '502 with a web page',
    serve: (response) =>
      response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html><head><title>Bad gateway</title></head></html>'),
    kind: 'overloaded',
    status: 502,
    says: ['502', 'a web page titled "Bad gateway"'],
  },
  {
    fault: 'an error in the middle of the stream',
    serve(response, api) {
      const error = JSON.stringify(errorBody(api, 'overloaded_error', 'Overloaded'));
      beginStream(response).end(`${opening[api]}${piece(api, 'I can')}event: error\ndata: ${error}\n\n`);
    },
    kind: 'overloaded',
    says: ['is overloaded', 'Overloaded'],
  },
  {
    fault: 'a stream cut between two words',
    serve: (response, api) => cut(response, opening[api] + piece(api, 'I can')),
    kind: 'network',
    says: ['broke off in the middle'],
  },
  {
    fault: 'a stream cut in the middle of an event',
    serve: (response, api) => cut(response, opening[api] + piece(api, 'I can offer').slice(0, -12)),
    kind: 'network',
    says: ['broke off in the middle'],
  },
  {
    fault: 'a stream that ends politely in the middle of the answer',
    serve: (response, api) => beginStream(response).end(opening[api] + piece(api, 'I can')),
    kind: 'network',
    says: ['broke off in the middle'],
  },
  {
    fault: 'a stream cut in the middle of a tool call',
    serve: (response, api) => cut(response, halfToolCall[api]),
    kind: 'network',
    says: ['broke off in the middle'],
  },
  {
    fault: 'a stream cut in the middle of a character',
    serve(response, api) {
      const [before = ''] = piece(api, '€').split('€');
      cut(response, Buffer.concat([Buffer.from(opening[api] + before), euro.subarray(0, 2)]));
    },
    kind: 'network',
    says: ['broke off in the middle'],
  },
  {
    fault: 'a connection closed without an answer',
    serve: (response) => response.destroy(),
    kind: 'network',
    says: ['no connection', 'cut'],
  },
  {
    fault: 'an empty answer with status 200',
    serve: (response) => beginStream(response).end(),
    kind: 'network',
    says: ['closed the connection before it answered'],
  },
  {
    fault: 'an event that is not JSON',
    serve: (response, api) =>
      beginStream(response).end(`${opening[api]}event: content_block_delta\ndata: {"type": oops\n\n`),
    kind: 'bad-answer',
    says: ['not JSON'],
  },
  {
    fault: 'a whole answer that is not JSON',
    serve: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": ['),
    kind: 'bad-answer',
    says: ['not JSON'],
  },
  {
    fault: 'a whole answer of something else',
    serve: (response) => sendJson(response, 200, { hello: 'world' }),
    kind: 'bad-answer',
    says: ['the answer'],
  },
  {
    fault: 'a page of a proxy with status 200',
    serve: (response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Sign in\n — Corp</title><body>…</body>'),
    kind: 'bad-answer',
    status: 200,
    says: ['200', 'a web page titled "Sign in — Corp"', 'proxy'],
  },
  {
    fault: 'a page that says it is an event stream',
    serve: (response) => beginStream(response).end('<html><body>Welcome</body></html>'),
    kind: 'bad-answer',
    says: ['no event stream'],
  },
  {
    fault: 'a redirect',
    serve: (response) => response.writeHead(307, { location: 'https://elsewhere.example/v1' }).end(),
    kind: 'bad-answer',
    status: 307,
    says: ['307', 'to elsewhere.example', 'baseURL'],
  },
];

const cases = faults.flatMap((fault) => (fault.apis ?? apis).map((api) => ({ api, ...fault })));

describe('faults of a server', () => {
  test.each(cases)(
    '$api: $fault is $kind',
    async ({ api, serve, kind, status, retryAfterMs, says, taints, options }) => {
      const server = await startServer((response) => serve(response, api));
      const error = await failure(open(api, server.url, options));
      expect(error.kind).toBe(kind);
      expect(error.status).toBe(status);
      expect(error.retryAfterMs).toBe(retryAfterMs);
      for (const words of [server.host, ...says]) expect(error.message).toContain(words);
      expect(error.message).not.toMatch(/[\n\r]/);
      expect(error.message).not.toContain(markedKey);
      expect(taintOf(error.kind)).toBe(taints);
      // Once: the SDKs ask nothing again on their own.
      expect(server.seen).toHaveLength(1);
    },
  );

  test.each(apis)('%s: a connection that is refused', async (api) => {
    const url = await closedPort();
    const error = await failure(open(api, url));
    expect(error.kind).toBe('network');
    expect(error.message).toContain('connection refused (ECONNREFUSED)');
    expect(error.message).toContain(url.slice('http://'.length));
    expect(error.permanent).toBe(false);
    expect(taintOf(error.kind)).toBeUndefined();
  });

  test('a port that browsers refuse is one like any other', async () => {
    const error = await failure(open('openai-chat', 'http://127.0.0.1:6000'));
    expect(error.message).toContain('connection refused (ECONNREFUSED)');
  });

  test.each(apis)('%s: no TLS where https was asked for, which no retry mends', async (api) => {
    const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
    const error = await failure(open(api, server.url.replace('http:', 'https:')));
    expect(error.kind).toBe('network');
    expect(error.message).toMatch(/no secure connection to 127\.0\.0\.1:\d+ \(\w+\)/);
    expect(error.permanent).toBe(true);
  });

  test.each(apis)('%s: a certificate that nobody has signed, which no retry mends', async (api) => {
    const server = createSecureServer(selfSigned(), (_request, response) => {
      beginStream(response).end(answer(api, 'Hi'));
    });
    onTestFinished(() => {
      server.close();
    });
    const url = await listen(server);
    const error = await failure(open(api, url.replace('http:', 'https:')));
    expect(error.kind).toBe('network');
    expect(error.message).toContain('no secure connection');
    expect(error.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(error.permanent).toBe(true);
  });

  test.each(apis)('%s: what answers does not speak HTTP', async (api) => {
    const url = await speaking('SSH-2.0-OpenSSH_9.6\r\n');
    const error = await failure(open(api, url));
    expect(error.kind).toBe('network');
    expect(error.message).toContain('does not speak HTTP');
  });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The URL of a port on which nobody listens any more. */
async function closedPort(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

/** The URL of a server that greets with the given bytes, whatever it is asked. */
async function speaking(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(bytes);
  });
  onTestFinished(() => {
    server.close();
  });
  return listen(server);
}

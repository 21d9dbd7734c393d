import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../source/base/clock.js';
import { createAccounts } from '../../../source/model/pacing/accounts.js';
import { openProviderModel } from '../../../source/model/provider.js';
import type { ModelError } from '../../../source/model/types.js';
import { apis, ask, failure, markedKey, open } from './ask.js';
import { beginStream, sendJson, startServer } from './server.js';
import { answer, opening } from './streams.js';

/** All forms in which something may end up in a log, a report or a crash. */
function printed(value: unknown): string {
  const error = value instanceof Error ? [value.message, value.stack, String(value.cause)] : [];
  return [
    inspect(value, { depth: 12, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    ...error,
  ].join('\n');
}

/** Keys of two kinds: one that shows that it is one, and one that could be any word, with characters that URLs escape. */
const keys = [markedKey, 'gw7Marked+7f3a9c/0b1d5e8f2a=='];

/** A key, and the parts of it that would be enough to know which it is. */
function tracesOf(key: string): string[] {
  return [
    key,
    key.slice(0, 16),
    key.slice(-12),
    encodeURIComponent(key),
    Buffer.from(key).toString('base64'),
  ];
}

function expectNoTrace(text: string, key = markedKey): void {
  for (const trace of tracesOf(key)) expect(text).not.toContain(trace);
}

describe('the key', () => {
  test.each(apis)('%s: is in nothing that a model, used or unused, prints', async (api) => {
    const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
    const model = open(api, server.url);
    expectNoTrace(printed(model));
    expectNoTrace(printed(await ask(model)));
    expectNoTrace(printed(model));
  });

  const echoes: [what: string, echo: (key: string) => unknown][] = [
    ['in the explanation', (key) => ({ error: { message: `Incorrect API key provided: ${key}.` } })],
    [
      'starred out in the middle',
      (key) => ({
        error: { message: `Incorrect API key provided: ${key.slice(0, 16)}****${key.slice(-12)}.` },
      }),
    ],
    ['in a dump of headers', (key) => ({ detail: { headers: { authorization: `Bearer ${key}` } } })],
    ['in a URL', (key) => ({ error: `cannot fetch https://a.example/?key=${encodeURIComponent(key)}` })],
    ['in plain text', (key) => `bad request: x-api-key: ${key}`],
    ['in a web page', (key) => `<html><title>denied for ${key}</title><body>${key}</body></html>`],
  ];
  const cases = apis.flatMap((api) =>
    [400, 401, 500].flatMap((status) =>
      keys.flatMap((key) => echoes.map(([what, echo]) => ({ api, status, key, what, echo }))),
    ),
  );
  test.each(cases)(
    '$api: is in no error, also when the server echoes it $what with $status',
    async ({ api, status, key, echo }) => {
      const server = await startServer((response) => {
        const body = echo(key);
        if (typeof body !== 'string') sendJson(response, status, body, { 'x-echo': key });
        else
          response
            .writeHead(status, { 'content-type': body.startsWith('<') ? 'text/html' : 'text/plain' })
            .end(body);
      });
      const error = await failure(open(api, server.url, { apiKey: key, keyEnv: 'EVAL_TEST_KEY' }));
      expectNoTrace(printed(error), key);
    },
  );

  test.each(apis)('%s: is in no error of a stream that repeats it', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).end(
        `${opening[api]}event: error\ndata: {"error":{"message":"key ${markedKey}"}}\n\n`,
      );
    });
    expectNoTrace(printed(await failure(open(api, server.url))));
  });

  test.each(apis)('%s: is in no error of a connection', async (api) => {
    const errors: ModelError[] = [];
    for (const url of ['http://127.0.0.1:1', 'https://127.0.0.1:1', 'http://127.0.0.1:6000']) {
      errors.push(await failure(open(api, url)));
    }
    const failing = await failure(
      open(api, 'http://127.0.0.1', {
        fetch: async (url, init) => {
          throw new Error(
            `cannot send ${new Headers(init?.headers).get('authorization')} ${markedKey} to ${url}`,
          );
        },
      }),
    );
    for (const error of [...errors, failing]) expectNoTrace(printed(error));
  });

  test.each(apis)('%s: is not sent along a redirect', async (api) => {
    const elsewhere = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
    const server = await startServer((response) =>
      response.writeHead(308, { location: `${elsewhere.url}/v1` }).end(),
    );
    expect((await failure(open(api, server.url))).kind).toBe('bad-answer');
    expect(elsewhere.seen).toHaveLength(0);
  });

  test.each(apis)('%s: that cannot be a key is refused without being shown', (api) => {
    const opening = () =>
      open(api, 'http://127.0.0.1', { apiKey: `${markedKey}\n${markedKey}`, keyEnv: 'EVAL_TEST_KEY' });
    expect(opening).toThrow('the key in EVAL_TEST_KEY holds characters that no key has');
    expect(opening).not.toThrow(markedKey);
  });

  test('is in nothing that the accounts and their pacers print', async () => {
    const server = await startServer((response) => beginStream(response).end(answer('openai-chat', 'Hi')));
    const accounts = createAccounts(systemClock);
    const model = await openProviderModel(
      'local',
      { api: 'openai-chat', baseURL: `${server.url}/v1`, keyEnv: 'EVAL_TEST_KEY' },
      'm',
      { env: { EVAL_TEST_KEY: markedKey }, clock: systemClock, accounts },
    );
    await ask(model);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${markedKey}`);
    expect(accounts.states()).toHaveLength(1);
    for (const value of [model, accounts, accounts.states()]) expectNoTrace(printed(value));
  });

  test.each(apis)(
    '%s: nothing is printed to the console, also for faults and models that will be retired',
    async (api) => {
      const lines: unknown[] = [];
      const names = ['log', 'info', 'warn', 'error', 'debug'] as const;
      const before = names.map((name) => console[name]);
      for (const name of names) console[name] = (...words: unknown[]) => lines.push(words);
      const loud = { ANTHROPIC_LOG: 'debug', OPENAI_LOG: 'debug' };
      Object.assign(process.env, loud);
      try {
        const server = await startServer((response, _request, at) => {
          if (at === 0) beginStream(response).end(answer(api, 'Hi'));
          else beginStream(response).end(`${opening[api]}event: message_start\ndata: {oops\n\n`);
        });
        const model = open(api, server.url, { model: 'claude-opus-4-5' });
        await ask(model);
        await failure(model);
      } finally {
        for (const [at, name] of names.entries()) console[name] = before[at] ?? console[name];
        for (const name of Object.keys(loud)) delete process.env[name];
      }
      expect(lines).toEqual([]);
    },
  );
});

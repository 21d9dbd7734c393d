// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what users write is ${NAME}, and it is shown so
import { describe, expect, test } from 'vitest';
import { createAccounts } from '../../source/model/pacing/accounts.js';
import { openProviderModel, providerNames, resolveProvider } from '../../source/model/provider.js';
import type { Retry } from '../../source/model/retry.js';
import { createFakeClock } from './fake-clock.js';
import { collect } from './scripted.js';
import { apis, pathOf } from './wire/ask.js';
import { beginStream, sendJson, startServer } from './wire/server.js';
import { answer, errorBody, opening, piece } from './wire/streams.js';

describe('the settings of a provider', () => {
  test('are there for the official ones, and for those of the config', () => {
    expect(resolveProvider('anthropic', {})).toEqual({ api: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY' });
    expect(resolveProvider('openai-responses', {})).toEqual({
      api: 'openai-responses',
      keyEnv: 'OPENAI_API_KEY',
      account: 'openai',
    });
    const local = { api: 'openai-chat' as const, baseURL: 'http://127.0.0.1:8080/v1', concurrency: 4 };
    expect(resolveProvider('local', { local })).toMatchObject(local);
    expect(resolveProvider('nobody', { local })).toBeUndefined();
    expect(resolveProvider('toString', {})).toBeUndefined();
    expect(providerNames({ local })).toEqual(['anthropic', 'openai', 'openai-responses', 'local']);
  });

  test('of an official one are changed by the config member by member', () => {
    expect(resolveProvider('openai', { openai: { concurrency: 2, keyEnv: 'TEAM_KEY' } })).toMatchObject({
      api: 'openai-chat',
      keyEnv: 'TEAM_KEY',
      concurrency: 2,
    });
  });

  test('never send an official key to another base URL', () => {
    const settings = resolveProvider('openai', { openai: { baseURL: 'http://127.0.0.1:8080/v1' } });
    expect(settings?.keyEnv).toBeUndefined();
    expect(settings?.account).toBeUndefined();
  });

  test('without an API are a mistake that names the ones there are', () => {
    expect(() => resolveProvider('local', { local: { baseURL: 'http://127.0.0.1/v1' } })).toThrow(
      'the provider "local" needs an api, one of anthropic, openai-chat or openai-responses',
    );
  });
});

describe('a model of a provider', () => {
  function context(env: Record<string, string> = {}) {
    const clock = createFakeClock();
    const retries: Retry[] = [];
    const accounts = createAccounts(clock);
    return { env, clock, accounts, retries, onRetry: (retry: Retry) => retries.push(retry) };
  }

  test('is not opened without its key, and the variable is named', async () => {
    const opening = openProviderModel(
      'openai',
      { api: 'openai-chat', keyEnv: 'TEAM_KEY' },
      'm',
      context({ TEAM_KEY: ' ' }),
    );
    await expect(opening).rejects.toThrow('openai:m needs a key; set TEAM_KEY');
  });

  test.each(apis)(
    '%s: carries the name of provider and model, and asks where it was told to',
    async (api) => {
      const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
      const settings = { api, baseURL: `${server.url}/v1` };
      const model = await openProviderModel('local', settings, 'llama:8b', context());
      expect(model.name).toBe('local:llama:8b');
      await collect(model);
      expect(server.seen.map(({ path, body }) => [path, body.model])).toEqual([[pathOf[api], 'llama:8b']]);
    },
  );

  test.each(apis)(
    '%s: sends the headers and the query of its settings, as Azure and gateways want them',
    async (api) => {
      const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
      const settings = {
        api,
        baseURL: `${server.url}/v1`,
        headers: { 'Api-Key': '${AZURE_KEY}', 'x-team': 'evals of ${TEAM}' },
        query: { 'api-version': '2026-01-01 preview' },
      };
      const env = { AZURE_KEY: 'marked-azure-key', TEAM: 'support' };
      await collect(await openProviderModel('azure', settings, 'm', context(env)));
      expect(server.seen[0]?.path).toBe(`${pathOf[api]}?api-version=2026-01-01%20preview`);
      expect(server.seen[0]?.headers).toMatchObject({
        'api-key': 'marked-azure-key',
        'x-team': 'evals of support',
      });
      expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
    },
  );

  test('does not repeat what a header holds, whatever a server says of it', async () => {
    const echo = 'no access with marked-azure-key';
    const server = await startServer((response) =>
      sendJson(response, 401, errorBody('openai-chat', 'authentication_error', echo)),
    );
    const settings = {
      api: 'openai-chat' as const,
      baseURL: `${server.url}/v1`,
      headers: { 'api-key': '${AZURE_KEY}' },
    };
    const model = await openProviderModel('azure', settings, 'm', context({ AZURE_KEY: 'marked-azure-key' }));
    await expect(collect(model)).rejects.toThrow(/refused the key \(401\): no access with \[key\]$/);
    await expect(openProviderModel('azure', settings, 'm', context())).rejects.toThrow(
      'providers.azure.headers.api-key: AZURE_KEY is not set in the environment',
    );
    await expect(openProviderModel('azure', settings, 'm', context({ AZURE_KEY: 'a\nb' }))).rejects.toThrow(
      'providers.azure.headers.api-key: its value cannot stand in a header',
    );
  });

  test.each(apis)(
    '%s: counts what was reported of an answer that broke off, and says that it is not all',
    async (api) => {
      const server = await startServer((response, _request, at) => {
        const stream = beginStream(response);
        if (at > 0) stream.end(answer(api, 'Hi'));
        else stream.write(opening[api] + piece(api, 'Hel'), () => response.destroy());
      });
      const { clock, ...more } = context();
      const open = (url: string) =>
        openProviderModel('local', { api, baseURL: `${url}/v1` }, 'm', { clock, ...more });
      const broken = collect(await open(server.url));
      await expect.poll(() => more.retries).toHaveLength(1);
      await clock.advance(60_000);
      const whole = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
      const once = (await collect(await open(whole.url))).at(-1);
      const twice = (await broken).at(-1);
      if (once?.type !== 'done' || twice?.type !== 'done') throw new Error('not done');
      expect(twice.usageMissing).toBe(true);
      // Anthropic reports the input at the start of a stream, OpenAI all of it at the end.
      expect(twice.usage.input).toBe(once.usage.input * (api === 'anthropic' ? 2 : 1));
    },
  );

  test('names the variable of a proxy that is none, before anything is asked', async () => {
    const opening = openProviderModel(
      'local',
      { api: 'openai-chat', baseURL: 'http://127.0.0.1:1/v1' },
      'm',
      context({ HTTPS_PROXY: 'ftp://user:hunter2@proxy' }),
    );
    await expect(opening).rejects.toThrow(/^HTTPS_PROXY names no proxy/);
  });

  test.each(apis)('%s: waits out a rate limit for the whole account, and then is answered', async (api) => {
    const server = await startServer((response, _request, at) => {
      if (at === 0)
        sendJson(response, 429, errorBody(api, 'rate_limit_error', 'slow down'), { 'retry-after': '20' });
      else beginStream(response).end(answer(api, 'Hi'));
    });
    const shared = context();
    const settings = { api, baseURL: `${server.url}/v1`, concurrency: 8 };
    const model = await openProviderModel('local', settings, 'm', shared);
    const began = shared.clock.now();
    const answered = collect(model);
    await expect.poll(() => shared.retries.length).toBe(1);
    expect(shared.accounts.states()).toMatchObject([
      { account: 'local', limit: 4, pausedUntil: began + 20_000 },
    ]);

    // Another model of the same account waits too.
    const neighbour = collect(await openProviderModel('local', settings, 'n', shared));
    await shared.clock.advance(19_999);
    expect(server.seen).toHaveLength(1);
    await shared.clock.advance(1_000);
    expect((await answered).at(-1)).toMatchObject({ type: 'done', stop: 'end' });
    expect((await neighbour).at(-1)).toMatchObject({ type: 'done', stop: 'end' });
    expect(server.seen).toHaveLength(3);
  });

  test('of another API of the same account waits with the others', async () => {
    const shared = context({ TEAM_KEY: 'key-1' });
    const settings = { baseURL: 'http://127.0.0.1/v1', keyEnv: 'TEAM_KEY' };
    await openProviderModel('openai', { ...settings, api: 'openai-chat' }, 'm', shared);
    await openProviderModel(
      'openai-responses',
      { ...settings, api: 'openai-responses', account: 'openai' },
      'm',
      shared,
    );
    expect(shared.accounts.states().map(({ account }) => account)).toEqual(['openai']);
  });

  test('gives up after the total time with the error of the last try', async () => {
    const server = await startServer((response) =>
      sendJson(response, 503, errorBody('openai-chat', 'x', 'down')),
    );
    const shared = context();
    const model = await openProviderModel('local', { api: 'openai-chat', baseURL: `${server.url}/v1` }, 'm', {
      ...shared,
      retryTotalMs: 5_000,
    });
    let failed: unknown;
    const failing = collect(model).catch((error) => {
      failed = error;
    });
    while (failed === undefined) await shared.clock.advance(250);
    await failing;
    expect(failed).toMatchObject({
      kind: 'overloaded',
      status: 503,
      message: expect.stringMatching(/down \(tried \d+ times/),
    });
    expect(server.seen.length).toBeGreaterThan(2);
    expect(shared.accounts.states()).toMatchObject([{ inFlight: 0, waiting: 0 }]);
  });
});

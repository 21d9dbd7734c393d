// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites name environment variables so
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { UserError } from '../../source/base/errors.js';
import type { Json } from '../../source/base/json.js';
import { createHttpTarget } from '../../source/target/http.js';
import { startProxy } from '../model/wire/proxy.js';
import { httpSpec, httpTarget, openHttp } from './http/http-target.js';
import { answerJson, startServer } from './http/local-server.js';
import { ignore, never, sessionRequest, targetErrorOf } from './session-request.js';

describe('a session over HTTP', () => {
  it('resets the account, opens, sends with what open gave, and closes', async () => {
    const { url, received } = await startServer(({ url: path }, response) => {
      if (path === '/sessions') answerJson(response, { id: 's 1/ü' });
      else if (path.endsWith('/messages')) answerJson(response, { reply: 'I am here.' });
      else response.writeHead(204).end();
    });
    const history = { entries: [{ day: '2025-03-01', note: 'slept badly' }] };
    const target = httpTarget(url, {
      reset: {
        method: 'POST',
        path: '/accounts/{{account}}/reset',
        body: { history: '{{history}}', text: 'h={{history}}' },
      },
      open: {
        method: 'POST',
        path: '/sessions',
        body: {
          profile: '{{profile}}',
          name: '{{profile.name}}',
          facts: 'Facts:\n{{profile.facts}}',
          age: '{{profile.age}}',
          prompt: '{{prompt}}',
          path: '{{promptPath}}',
          plan: '{{variables.plan}}',
          tenant: '{{tenant}}',
          nothing: ['{{ scenario }}'],
          seven: 7,
        },
        save: { session: '$.id' },
      },
      send: {
        method: 'POST',
        path: '/sessions/{{session}}/messages',
        body: { text: '{{message}}' },
        reply: '$.reply',
      },
      close: { method: 'DELETE', path: '/sessions/{{session}}?why=done' },
    });
    const session = await target.open(
      sessionRequest({
        account: 't/1',
        history,
        profile: { name: 'Rosa', facts: ['bought 45 days ago', 'lives in Bonn'], details: { age: 45 } },
        prompt: { name: 'v15', path: 'prompts/a/v15.md', text: 'Be {{kind}}.' },
        variables: { plan: 2 },
        tenant: 'acme',
      }),
    );
    const message = 'I don’t know — "{{account}}" \u202e …\n';
    const reply = await session.send(message, ignore, never);
    await session.close();

    expect(reply).toMatchObject({ text: 'I am here.', steps: 1, stop: 'end', model: '' });
    expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'POST /accounts/t%2F1/reset',
      'POST /sessions',
      'POST /sessions/s%201%2F%C3%BC/messages',
      'DELETE /sessions/s%201%2F%C3%BC?why=done',
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ history, text: `h=${JSON.stringify(history)}` });
    expect(JSON.parse(received[1]?.body ?? '')).toEqual({
      profile: { name: 'Rosa', facts: ['bought 45 days ago', 'lives in Bonn'], age: 45 },
      age: 45,
      name: 'Rosa',
      facts: 'Facts:\nbought 45 days ago\nlives in Bonn',
      // What is inserted is never a template itself.
      prompt: 'Be {{kind}}.',
      path: 'prompts/a/v15.md',
      plan: 2,
      tenant: 'acme',
      nothing: [null],
      seven: 7,
    });
    expect(JSON.parse(received[2]?.body ?? '')).toEqual({ text: message });
    expect(received[2]?.headers['content-type']).toBe('application/json');
  });

  it('is told the seed of its trial, and says whether accounts are emptied first', async () => {
    const { url, received } = await startServer((_request, response) => answerJson(response, {}));
    const open = { method: 'POST' as const, path: '/open', body: { seed: '{{seed}}' } };
    const target = httpTarget(url, { open });
    await target.open(sessionRequest({ seed: 'trial-seed' }));
    expect(received[0]?.body).toBe('{"seed":"trial-seed"}');
    expect(target.resetsAccounts).toBe(false);
    const reset = (path: string, body?: Json) =>
      httpTarget(url, { open, reset: { method: 'POST', path, ...(body !== undefined && { body }) } });
    expect(reset('/reset/{{ account }}').resetsAccounts).toBe(true);
    expect(reset('/reset', { user: ['{{account}}'] }).resetsAccounts).toBe(true);
    expect(reset('/reset-all').resetsAccounts).toBe(false);
  });

  it('goes through the proxy of the environment', async () => {
    const { url } = await startServer((_request, response) => answerJson(response, { reply: 'from behind' }));
    const proxy = await startProxy();
    const behind = url.replace('127.0.0.1', 'backend.test');
    const target = createHttpTarget(httpSpec(behind), { env: { HTTP_PROXY: proxy.url }, clock: systemClock });
    const session = await target.open(sessionRequest());
    expect((await session.send('hello', ignore, never)).text).toBe('from behind');
    expect(proxy.asked.join()).toContain(new URL(behind).host);
  });

  it('has an account of its own when the trial names none', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, { reply: 'ok' }));
    const target = httpTarget(url, { open: { method: 'POST', path: '/open/{{account}}' } });
    const { account: _, ...request } = sessionRequest();
    await Promise.all([target.open(request), target.open(request)]);
    const accounts = received.map(({ url: path }) => path.replace('/open/', ''));
    expect(accounts[0]).toMatch(/^t-[0-9a-f-]{36}$/);
    expect(new Set(accounts).size).toBe(2);
  });

  it('keeps the path of baseURL, and takes a whole URL as it is', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, { reply: 'ok' }));
    const session = await openHttp(`${url}/api/v2/`, { open: { method: 'GET', path: `${url}/elsewhere` } });
    await session.send('hello', ignore, never);
    expect(received.map(({ url: path }) => path)).toEqual(['/elsewhere', '/api/v2/chat']);
  });

  it('sends headers from the environment, and those of a call with the values of the session', async () => {
    const { url, received } = await startServer((_, response) =>
      answerJson(response, { reply: 'ok', token: 'tok-1' }),
    );
    const target = httpTarget(
      '${BACKEND_URL}',
      {
        headers: { authorization: 'Bearer ${BACKEND_TOKEN}' },
        open: { method: 'POST', path: '/open', save: { token: '$.token' } },
        send: { ...httpSpec('').send, headers: { 'x-session': '{{token}}' } },
      },
      { env: { BACKEND_URL: url, BACKEND_TOKEN: 'marked-key' } },
    );
    const session = await target.open(sessionRequest());
    await session.send('hello', ignore, never);
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer marked-key' });
    expect(received[1]?.headers).toMatchObject({ authorization: 'Bearer marked-key', 'x-session': 'tok-1' });
  });

  it('turns user and password of baseURL into a header', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, { reply: 'ok' }));
    const session = await openHttp(url.replace('http://', 'http://rosa:p%40ss@'));
    await session.send('hello', ignore, never);
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('rosa:p@ss').toString('base64')}`);
  });

  it('notes a close that fails, and does not throw', async () => {
    const { url } = await startServer(({ method }, response) => {
      answerJson(
        response,
        method === 'DELETE' ? { detail: 'locked' } : { reply: 'ok' },
        method === 'DELETE' ? 500 : 200,
      );
    });
    const session = await openHttp(url, { close: { method: 'DELETE', path: '/chat' } });
    await session.close();
    await session.close();
    expect(session.log?.()).toBe('close DELETE /chat: answered 500: {"detail":"locked"}');
  });

  it('is closed although its message was aborted', async () => {
    const { url, received } = await startServer(({ method }, response) => {
      if (method === 'DELETE') response.writeHead(204).end();
    });
    const session = await openHttp(url, { close: { method: 'DELETE', path: '/chat' } });
    const aborting = new AbortController();
    const sent = session.send('hello', ignore, aborting.signal);
    aborting.abort(new Error('the person pressed Ctrl+C'));
    await expect(sent).rejects.toThrow('the person pressed Ctrl+C');
    await session.close();
    expect(received.at(-1)?.method).toBe('DELETE');
  });

  it('ends what is in flight when the target is closed', async () => {
    const target = httpTarget((await startServer(() => {})).url);
    const session = await target.open(sessionRequest());
    const sent = targetErrorOf(session.send('hello', ignore, never));
    await target.close?.();
    expect((await sent).message).toBe('the target was closed');
  });
});

describe('values in an http target', () => {
  it('that a path needs and the trial does not have are named', async () => {
    const target = httpTarget('http://127.0.0.1:9', {
      open: { method: 'POST', path: '/tenants/{{tenant}}/open' },
    });
    const error = await targetErrorOf(target.open(sessionRequest()));
    expect(error.message).toBe(
      'open POST /tenants/{{tenant}}/open: {{tenant}} is empty, and a path needs it',
    );
  });

  it('that are a variable which the scenario does not set are an error, not an empty text', async () => {
    const target = httpTarget('http://127.0.0.1:9', {
      open: { method: 'POST', path: '/open', body: { plan: '{{variables.plan}}' } },
    });
    const error = await targetErrorOf(
      target.open(sessionRequest({ scenario: 'refund', variables: { plam: 1 } })),
    );
    expect(error.message).toBe('{{variables.plan}} has no value in scenario refund');
  });

  it('cannot lead a path elsewhere', async () => {
    const target = httpTarget('http://127.0.0.1:9', {
      open: { method: 'POST', path: '/accounts/{{account}}/reset' },
    });
    const error = await targetErrorOf(target.open(sessionRequest({ account: '..' })));
    expect(error.message).toContain('would lead elsewhere');
  });

  it('that no header can hold are refused without being shown', async () => {
    const target = httpTarget('http://127.0.0.1:9', {
      open: { method: 'POST', path: '/open', headers: { 'x-account': '{{account}}' } },
    });
    const error = await targetErrorOf(target.open(sessionRequest({ account: 'a\nsecret: 1' })));
    expect(error.message).toBe(
      'open POST /open: the value of header x-account has a character that no header can have',
    );
  });
});

describe('opening', () => {
  it('says what the answer starts with when a value to save is not there', async () => {
    const { url } = await startServer((_, response) => answerJson(response, { sessionId: 7 }));
    const target = httpTarget(url, { open: { method: 'POST', path: '/open', save: { session: '$.id' } } });
    const error = await targetErrorOf(target.open(sessionRequest()));
    expect(error.message).toBe(
      'open POST /open: save.session: $.id finds nothing; the answer starts: {"sessionId":7}',
    );
  });

  it('fails when the account cannot be reset, and opens nothing then', async () => {
    const { url, received } = await startServer((_, response) => answerJson(response, {}, 500));
    const target = httpTarget(url, {
      reset: { method: 'POST', path: '/reset' },
      open: { method: 'POST', path: '/open' },
    });
    expect((await targetErrorOf(target.open(sessionRequest()))).message).toBe(
      'reset POST /reset: answered 500: {}',
    );
    expect(received).toHaveLength(1);
  });
});

describe('tuning values', () => {
  it('are what the product answers', async () => {
    const { url } = await startServer((_, response) => answerJson(response, { maxTurns: 12 }));
    const target = httpTarget(url, { tuning: { method: 'GET', path: '/tuning' } });
    expect(await target.tuning?.()).toEqual({ maxTurns: 12 });
    expect(httpTarget(url).tuning).toBeUndefined();
  });

  it.each([
    ['an error', (): [number, string] => [503, 'starting'], 'answered 503: starting'],
    [
      'a web page',
      (): [number, string] => [200, '<!doctype html><p>Log in</p>'],
      'answered 200 with a web page',
    ],
    ['null', (): [number, string] => [200, 'null'], 'answered null'],
  ])('that the product answers with %s end the run with exit code 3', async (_, answer, expected) => {
    const { url } = await startServer((_request, response) => {
      const [status, body] = answer();
      response.writeHead(status).end(body);
    });
    const asked = httpTarget(url, { tuning: { method: 'GET', path: '/tuning' } }).tuning?.();
    const error = await asked?.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringContaining(expected) });
  });
});

describe('a spec that cannot work', () => {
  const create =
    (more: Parameters<typeof httpSpec>[1], baseURL = 'http://127.0.0.1:9', env = {}) =>
    () =>
      createHttpTarget(httpSpec(baseURL, more), { env, clock: systemClock });

  it('names every variable that is missing from the environment', () => {
    expect(create({ headers: { a: '${ONE} ${TWO}' } })).toThrow(
      'headers.a: ONE, TWO are not set in the environment',
    );
    expect(create({}, '${BACKEND_URL}', { BACKEND_URL: '' })).toThrow('baseURL: BACKEND_URL is not set');
  });

  it('does not show what a variable holds', () => {
    const make = create({}, '${BACKEND_URL}/api', { BACKEND_URL: 'ftp://secret-host' });
    expect(make).toThrow('baseURL (${BACKEND_URL}/api) is not an http or https URL');
    expect(create({}, '${BACKEND_URL}', { BACKEND_URL: 'secret host' })).toThrow(
      'baseURL (${BACKEND_URL}) is not a URL',
    );
  });

  it('is refused with the key of its mistake', () => {
    expect(create({ send: { ...httpSpec('').send, reply: 'reply' } })).toThrow(
      'send.reply: "reply" is not a JSONPath',
    );
  });
});

it('five hundred sessions at once lose nothing and mix nothing up', { timeout: 120_000 }, async () => {
  const { url, received } = await startServer(({ url: path, body }, response) => {
    if (path.startsWith('/open/')) {
      const account = path.slice('/open/'.length);
      response.setHeader('set-cookie', `who=${account}; Path=/`);
      answerJson(response, { id: `s-${account}` });
    } else {
      answerJson(response, { reply: `${path} ${JSON.parse(body).text}` });
    }
  });
  const target = httpTarget(url, {
    // So many at once keep a busy machine occupied for a while.
    timeoutSeconds: 120,
    open: { method: 'POST', path: '/open/{{account}}', save: { session: '$.id' } },
    send: { method: 'POST', path: '/chat/{{session}}', body: { text: '{{message}}' }, reply: '$.reply' },
  });
  const accounts = Array.from({ length: 500 }, (_, i) => `t-${i}`);
  const replies = await Promise.all(
    accounts.map(async (account) => {
      const session = await target.open(sessionRequest({ account }));
      const first = await session.send(`one of ${account}`, ignore, never);
      const second = await session.send(`two of ${account}`, ignore, never);
      return [first.text, second.text];
    }),
  );
  expect(replies).toEqual(accounts.map((t) => [`/chat/s-${t} one of ${t}`, `/chat/s-${t} two of ${t}`]));
  const sends = received.filter(({ url: path }) => path.startsWith('/chat/'));
  expect(sends).toHaveLength(1000);
  expect(
    sends.every(({ url: path, headers }) => headers.cookie === `who=${path.slice('/chat/s-'.length)}`),
  ).toBe(true);
});

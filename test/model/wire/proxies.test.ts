import { describe, expect, it } from 'vitest';
import { isProxied, readProxies } from '../../../source/model/wire/proxies.js';
import { createUndiciFetch } from '../../../source/model/wire/undici-fetch.js';
import { failure, open } from './ask.js';
import { startProxy } from './proxy.js';
import { startServer } from './server.js';

const post = async (env: Record<string, string>, url: string) => {
  const response = await (await createUndiciFetch(readProxies(env)))(url, { method: 'POST', body: '{}' });
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) parts.push(part);
  return { status: response.status, text: Buffer.concat(parts).toString() };
};

describe('proxies', () => {
  it('a request goes through the proxy of HTTP_PROXY, with its credentials', async () => {
    const server = await startServer((response) => response.end('from behind the proxy'));
    const proxy = await startProxy();
    const withUser = proxy.url.replace('http://', 'http://user:pass@');
    const port = new URL(server.url).port;
    const { text } = await post({ HTTP_PROXY: withUser }, `http://models.test:${port}/v1`);
    expect(text).toBe('from behind the proxy');
    expect(proxy.asked.join()).toContain(`models.test:${port}`);
    expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
  });

  it('a server on this machine and the hosts of NO_PROXY are asked directly', async () => {
    const server = await startServer((response) => response.end('direct'));
    const proxy = await startProxy();
    expect((await post({ HTTP_PROXY: proxy.url }, server.url)).text).toBe('direct');
    await post({ HTTP_PROXY: proxy.url, NO_PROXY: '.example.invalid' }, 'http://a.example.invalid/').catch(
      () => {},
    );
    expect(proxy.asked).toEqual([]);
  });

  it('a proxy for https is asked to connect, and one that refuses is no answer of a model', async () => {
    const proxy = await startProxy(407);
    await expect(post({ HTTPS_PROXY: proxy.url }, 'https://models.test/v1')).rejects.toMatchObject({
      code: 'PROXY_407',
    });
    expect(proxy.asked).toEqual(['models.test:443']);
  });

  it('is read as other programs read it', () => {
    const machine = 'localhost,127.0.0.1,[::1]';
    expect(readProxies({})).toEqual({ http: undefined, https: undefined, exceptions: machine });
    expect(readProxies({ HTTP_PROXY: 'proxy.corp:3128' })).toEqual({
      http: 'http://proxy.corp:3128',
      https: 'http://proxy.corp:3128',
      exceptions: machine,
    });
    expect(
      readProxies({ HTTPS_PROXY: 'http://a.corp', https_proxy: 'http://b.corp', NO_PROXY: 'x.corp' }),
    ).toEqual({ http: undefined, https: 'http://b.corp', exceptions: `x.corp,${machine}` });
    expect(readProxies({ http_proxy: '', HTTP_PROXY: 'http://a.corp', NO_PROXY: '*' })).toMatchObject({
      http: 'http://a.corp',
      exceptions: '*',
    });
  });

  it.each([
    ['https://api.example.org/v1', '', true],
    ['https://api.example.org/v1', 'example.org', false],
    ['https://api.example.org/v1', '.example.org', false],
    ['https://api.example.org/v1', '*.example.org other.org', false],
    ['https://api.example.org/v1', 'ample.org', true],
    ['https://api.example.org/v1', 'api.example.org:8443', true],
    ['https://api.example.org/v1', 'api.example.org:443', false],
    ['https://api.example.org/v1', '*', false],
    ['http://api.example.org/v1', '', false],
    ['https://[::1]:8080/v1', '', false],
    ['https://localhost/v1', '', false],
  ])('stands between here and %s with NO_PROXY "%s": %s', (url, exceptions, expected) => {
    const settings = readProxies({ HTTPS_PROXY: 'http://proxy.example.org', NO_PROXY: exceptions });
    expect(isProxied(settings, new URL(url))).toBe(expected);
  });

  it('are named where they cannot be reached', async () => {
    const model = open('openai-chat', 'https://models.test', {
      env: { HTTPS_PROXY: 'http://u:hunter2@127.0.0.1:9' },
    });
    const error = await failure(model);
    expect(error.message).toBe(
      'no connection to models.test by way of the proxy: connection refused (ECONNREFUSED)',
    );
  });

  it('that are none are named by their variable alone', () => {
    expect(() => readProxies({ HTTPS_PROXY: 'socks9://user:hunter2@proxy' })).toThrowError(
      /^HTTPS_PROXY names no proxy; write it as in http:\/\/proxy\.example\.org:3128$/,
    );
  });
});

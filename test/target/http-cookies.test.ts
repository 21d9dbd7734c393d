import { describe, expect, it } from 'vitest';
import { createCookieJar } from '../../source/target/http/cookies.js';
import { httpTarget } from './http/http-target.js';
import { answerJson, startServer } from './http/local-server.js';
import { ignore, never, sessionRequest } from './session-request.js';

const api = new URL('http://shop.example.com/api/sessions');

/** What a jar sends to `url` after `api` has set these cookies. */
function sentTo(url: string, ...setCookies: string[]): string | undefined {
  const jar = createCookieJar({ now: () => Date.parse('2025-03-01T12:00:00Z') });
  jar.store(api, setCookies);
  return jar.header(new URL(url));
}

describe('the cookies of a session', () => {
  it('go back to the host and folder they came from, and to nobody else', () => {
    expect(sentTo('http://shop.example.com/api/chat?x=1', 'id=a1; HttpOnly; SameSite=Lax')).toBe('id=a1');
    expect(sentTo('http://shop.example.com/apiary', 'id=a1')).toBeUndefined();
    expect(sentTo('http://other.example.com/api/chat', 'id=a1')).toBeUndefined();
    expect(sentTo('http://shop.example.com/', 'id=a1; Path=/')).toBe('id=a1');
    expect(sentTo('http://shop.example.com/', 'id=a1; path=/admin')).toBeUndefined();
  });

  it('go to subdomains only when they say so, and never to a foreign domain', () => {
    expect(sentTo('http://eu.shop.example.com/api/x', 'id=a1')).toBeUndefined();
    expect(sentTo('http://eu.example.com/api/x', 'id=a1; Domain=.example.com')).toBe('id=a1');
    expect(sentTo('http://shop.example.com/api/x', 'id=a1; Domain=evil.com')).toBeUndefined();
    expect(sentTo('http://badexample.com/api/x', 'id=a1; Domain=example.com')).toBeUndefined();
  });

  it('are replaced, deleted and outlived as their server says', () => {
    const to = 'http://shop.example.com/api/x';
    expect(sentTo(to, 'id=a1', 'id=a2', 'theme=dark; Path=/')).toBe('id=a2; theme=dark');
    expect(sentTo(to, 'id=a1', 'id=; Max-Age=0')).toBeUndefined();
    expect(sentTo(to, 'id=a1; Expires=Sat, 01 Mar 2025 11:59:59 GMT')).toBeUndefined();
    expect(sentTo(to, 'id=a1; Expires=Sat, 01 Mar 2025 11:59:59 GMT; Max-Age=60')).toBe('id=a1');
  });

  it('that are secure need a secure connection, or this machine', () => {
    expect(sentTo('http://shop.example.com/api/x', 'id=a1; Secure')).toBeUndefined();
    expect(sentTo('https://shop.example.com/api/x', 'id=a1; Secure')).toBe('id=a1');
    const jar = createCookieJar({ now: () => 0 });
    jar.store(new URL('http://127.0.0.1:4310/'), ['id=a1; Secure']);
    expect(jar.header(new URL('http://127.0.0.1:4310/'))).toBe('id=a1');
  });

  it('keep a value with signs of equality, and a line that is no cookie is left out', () => {
    expect(sentTo('http://shop.example.com/api/x', 'token=a=b==; Path=/', '=x', 'nonsense')).toBe(
      'token=a=b==',
    );
  });

  it('run out with time', () => {
    let now = 0;
    const jar = createCookieJar({ now: () => now });
    jar.store(api, ['id=a1; Max-Age=10']);
    now = 9_999;
    expect(jar.header(api)).toBe('id=a1');
    now = 10_000;
    expect(jar.header(api)).toBeUndefined();
  });

  it('are kept over all calls of a session, beside those that the target names, and are no other session’s', async () => {
    const { url, received } = await startServer(({ url: path }, response) => {
      if (path === '/open')
        response.setHeader('set-cookie', ['sid=abc; Path=/; HttpOnly', 'lang=de; Path=/chat']);
      answerJson(response, { reply: 'ok' });
    });
    const target = httpTarget(url, {
      headers: { cookie: 'preview=1' },
      open: { method: 'POST', path: '/open' },
    });
    const session = await target.open(sessionRequest());
    await session.send('hello', ignore, never);
    await target.open(sessionRequest({ account: 't-2' }));
    expect(received.map(({ headers }) => headers.cookie)).toEqual([
      'preview=1',
      'preview=1; lang=de; sid=abc',
      'preview=1',
    ]);
  });
});

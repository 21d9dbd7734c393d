import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createUndiciFetch } from '../../../source/model/wire/undici-fetch.js';
import { sendJson, startServer } from './server.js';

async function readAll(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const fetch = await createUndiciFetch({ http: undefined, https: undefined, exceptions: '' });

const post = (url: string, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grüße":"日本"}',
    ...(signal && { signal }),
  });

describe('the fetch of the clients', () => {
  it('sends a text with its headers and gives status, headers and body', async () => {
    const server = await startServer((response) =>
      sendJson(response, 418, { short: true }, { 'x-one': '1' }),
    );
    const response = await post(`${server.url}/a?b=c`);
    expect([response.status, response.ok, response.headers.get('x-one')]).toEqual([418, false, '1']);
    expect(await readAll(response)).toBe('{"short":true}');
    expect(server.seen[0]).toMatchObject({
      path: '/a?b=c',
      body: { grüße: '日本' },
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    });
  });

  it('keeps its connections', async () => {
    const server = await startServer((response) => response.end('ok'));
    for (let round = 0; round < 5; round++) await readAll(await post(server.url));
    // One that has just been used may not be free yet when the next request comes.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('unpacks what came as %s although nobody asked for it', async (encoding, pack) => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(pack('packed all the same'));
    });
    expect(await readAll(await post(server.url))).toBe('packed all the same');
  });

  it('follows no redirect', async () => {
    const server = await startServer((response) => response.writeHead(302, { location: '/b' }).end());
    expect((await post(server.url)).status).toBe(302);
    expect(server.seen).toHaveLength(1);
  });

  it('loses nothing of a large answer that is read slowly', async () => {
    const large = 'x'.repeat(8 * 1024 * 1024);
    const server = await startServer((response) => response.end(large));
    const response = await post(server.url);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await readAll(response)).length).toBe(large.length);
  });

  it('throws the reason of an abort, before and during the answer', async () => {
    const server = await startServer((response) => response.writeHead(200).write('begun'));
    const reason = new Error('enough');
    await expect(post(server.url, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const response = await post(server.url, controller.signal);
    const parts = response.body?.[Symbol.asyncIterator]();
    expect(Buffer.from((await parts?.next())?.value ?? []).toString()).toBe('begun');
    const next = parts?.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it('tells a cut answer from a whole one', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const response = await post(server.url);
    await expect(readAll(response)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('gives headers by name in any case, several of one name as one, and all of them in turn', async () => {
    const server = await startServer((response) => {
      response.setHeader('X-Request-Id', 'r1');
      response.setHeader('Link', ['<a>', '<b>']);
      response.end('whole');
    });
    const { headers } = await post(server.url);
    expect(headers.get('x-request-ID')).toBe('r1');
    expect(headers.get('link')).toBe('<a>, <b>');
    expect(headers.get('retry-after')).toBeNull();
    expect([...headers.entries()]).toContainEqual(['x-request-id', 'r1']);
    expect([...headers]).toEqual([...headers.entries()]);
  });
});

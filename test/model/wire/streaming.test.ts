import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { apis, ask, failure, hello, open } from './ask.js';
import { beginStream, startServer } from './server.js';
import { answer, opening, piece } from './streams.js';

describe('streams that are all right', () => {
  test.each(apis)('%s: characters of several bytes survive any cut between packets', async (api) => {
    const said = 'Zürich → 東京 👩‍👩‍👧 €5';
    const bytes = Buffer.from(answer(api, said));
    const server = await startServer(async (response) => {
      beginStream(response);
      for (const byte of bytes) {
        // The bytes that matter travel alone.
        if (byte > 0x7f) await new Promise((resolve) => setImmediate(resolve));
        response.write(Buffer.from([byte]));
      }
      response.end();
    });
    expect((await ask(open(api, server.url))).text).toBe(said);
  });

  test.each(apis)('%s: lines that mean nothing are passed over', async (api) => {
    const garbage = 'what is this\n: a comment\nretry: 3000\nid: 7\n\n';
    const rest = answer(api, 'Hello').slice(opening[api].length);
    const server = await startServer((response) => {
      beginStream(response).end(`${garbage}${opening[api]}${garbage}${rest}`);
    });
    expect((await ask(open(api, server.url))).text).toBe('Hello');
  });

  test.each(apis)('%s: lines may end in CRLF', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).end(answer(api, 'Hello').replaceAll('\n', '\r\n'));
    });
    expect((await ask(open(api, server.url))).text).toBe('Hello');
  });

  test.each(apis)('%s: a connection cut after the last word takes nothing away', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).write(answer(api, 'Hello'), () => response.destroy());
    });
    expect((await ask(open(api, server.url))).done).toMatchObject({
      stop: 'end',
      usage: { input: 10, output: 5 },
    });
  });

  test.each(apis)('%s: text comes as it is streamed, piece by piece', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).end(answer(api, 'The', ' answer', ' is 42.'));
    });
    const { events } = await ask(open(api, server.url));
    expect(events.slice(0, -1)).toEqual([
      { type: 'text', text: 'The' },
      { type: 'text', text: ' answer' },
      { type: 'text', text: ' is 42.' },
    ]);
  });

  test.each(apis)('%s: requests one after the other share connections', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).end(answer(api, 'Hello'));
    });
    const model = open(api, server.url);
    for (let at = 0; at < 20; at++) await ask(model);
    expect(server.seen).toHaveLength(20);
    // A second one is opened when a request comes before the first is handed back.
    expect(server.connections).toBeLessThanOrEqual(3);
  });
});

describe('leaving', () => {
  /** A server that says half a sentence and then waits; tells whether its connection is gone. */
  async function startHalf(begin: string) {
    let isClosed = false;
    const server = await startServer((response) => {
      response.on('close', () => {
        isClosed = true;
      });
      beginStream(response).write(begin);
    });
    return { url: server.url, isClosed: () => isClosed };
  }

  test.each(apis)(
    '%s: an abort ends the request with the reason of the signal, and the connection with it',
    async (api) => {
      const server = await startHalf(opening[api] + piece(api, 'I can'));
      const controller = new AbortController();
      const reason = new Error('the trial is over');
      const stream = open(api, server.url).stream({ ...hello, signal: controller.signal });
      const events = stream[Symbol.asyncIterator]();
      expect((await events.next()).value).toEqual({ type: 'text', text: 'I can' });
      const next = events.next();
      controller.abort(reason);
      await expect(next).rejects.toBe(reason);
      await expect.poll(server.isClosed).toBe(true);
    },
  );

  test.each(apis)('%s: a request that is aborted before it begins is not sent', async (api) => {
    const server = await startServer((response) => {
      beginStream(response).end(answer(api, 'Hi'));
    });
    const reason = new Error('never mind');
    await expect(ask(open(api, server.url), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(0);
  });

  test.each(apis)('%s: a consumer that leaves lets the connection go', async (api) => {
    const server = await startHalf(opening[api] + piece(api, 'I can'));
    for await (const event of open(api, server.url).stream(hello)) {
      expect(event).toEqual({ type: 'text', text: 'I can' });
      break;
    }
    await expect.poll(server.isClosed).toBe(true);
  });

  test.each(apis)('%s: a signal that lives on keeps nothing of the requests it was given to', async (api) => {
    const server = await startServer((response, _request, at) => {
      if (at === 1) response.writeHead(500).end();
      else beginStream(response).end(answer(api, 'Hi'));
    });
    const { signal } = new AbortController();
    const model = open(api, server.url);
    await ask(model, { signal });
    await failure(model, { signal });
    await ask(model, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each(apis)('%s: an explanation of an error is read so far and no further', async (api) => {
    let isClosed = false;
    const server = await startServer((response) => {
      response.on('close', () => {
        isClosed = true;
      });
      // Never ended.
      response.writeHead(500, { 'content-type': 'text/plain' }).write('It failed. '.repeat(20_000));
    });
    expect(await failure(open(api, server.url))).toMatchObject({ kind: 'overloaded', status: 500 });
    await expect.poll(() => isClosed).toBe(true);
  });
});

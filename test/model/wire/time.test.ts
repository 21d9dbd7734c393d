import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../../source/model/types.js';
import type { Fetch } from '../../../source/model/wire/options.js';
import { createFakeClock, settle } from '../fake-clock.js';
import { apis, ask, failure, hello, open } from './ask.js';
import { beginStream, startServer, type TestServer } from './server.js';
import { answer, chunk, closing, events, opening, piece } from './streams.js';

const stallMs = 60_000;

/** A server that begins a stream with every request and leaves the rest to the test. */
async function startPaused(begin: string): Promise<TestServer & { stream: () => ServerResponse }> {
  let stream: ServerResponse | undefined;
  const server = await startServer((response) => {
    stream = response;
    beginStream(response).write(begin);
  });
  return Object.assign(server, {
    stream: () => {
      if (stream === undefined) throw new Error('nobody has asked');
      return stream;
    },
  });
}

/** A fetch that tells how many bytes have come in. */
function countingFetch(): { fetch: Fetch; bytes: () => number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    async fetch(url, init) {
      const response = await fetch(url, init);
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, out) {
          bytes += chunk.byteLength;
          out.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(counter), response);
    },
  };
}

describe('silence', () => {
  test.each(apis)(
    '%s: a stream that goes silent counts as dead after the limit, and not before',
    async (api) => {
      const clock = createFakeClock();
      const server = await startPaused(opening[api] + piece(api, 'I can'));
      const events = open(api, server.url, { stallMs, clock }).stream(hello)[Symbol.asyncIterator]();
      expect((await events.next()).value).toEqual({ type: 'text', text: 'I can' });
      let isOver = false;
      const next = events.next().finally(() => {
        isOver = true;
      });
      next.catch(() => {});
      await clock.advance(stallMs - 1);
      expect(isOver).toBe(false);
      await clock.advance(1);
      await expect(next).rejects.toMatchObject({
        kind: 'network',
        message: `${server.host} went silent in the middle of its answer: not a byte for 60 s`,
      });
      expect(clock.waiting).toBe(0);
    },
  );

  test.each(apis)('%s: a server that never begins to answer counts as dead', async (api) => {
    const clock = createFakeClock();
    const server = await startServer(() => {});
    const failed = failure(open(api, server.url, { stallMs, clock }));
    await expect.poll(() => server.seen.length).toBe(1);
    await clock.advance(stallMs);
    expect(await failed).toMatchObject({
      kind: 'network',
      message: `${server.host} has not begun to answer: not a byte for 60 s`,
    });
  });

  test.each(apis)('%s: an error whose explanation never ends counts as dead', async (api) => {
    const clock = createFakeClock();
    const server = await startServer((response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).write('{"error":');
    });
    const failed = failure(open(api, server.url, { stallMs, clock }));
    await expect.poll(() => server.seen.length).toBe(1);
    await clock.advance(stallMs);
    expect(await failed).toMatchObject({ kind: 'network' });
  });

  test.each(apis)('%s: a slow stream is read to its end, however long it takes in all', async (api) => {
    const clock = createFakeClock();
    const server = await startPaused(opening[api] + piece(api, 'zero'));
    const events = open(api, server.url, { stallMs, clock }).stream(hello)[Symbol.asyncIterator]();
    let text = '';
    const take = ({ value }: IteratorResult<ChatEvent>) => {
      if (value?.type === 'text') text += value.text;
    };
    take(await events.next());
    for (const word of [' one', ' two', ' three']) {
      const next = events.next();
      await clock.advance(stallMs - 1);
      server.stream().write(piece(api, word));
      take(await next);
    }
    server.stream().end(closing[api]);
    expect((await events.next()).value).toMatchObject({ type: 'done', stop: 'end' });
    expect(text).toBe('zero one two three');
  });

  test.each(apis)('%s: comments that a server sends while it queues keep the request alive', async (api) => {
    const clock = createFakeClock();
    const counting = countingFetch();
    const server = await startPaused(': queueing\n\n');
    const answered = ask(open(api, server.url, { stallMs, clock, fetch: counting.fetch }));
    await expect.poll(() => counting.bytes()).toBeGreaterThan(0);
    for (let at = 0; at < 4; at++) {
      const before = counting.bytes();
      await clock.advance(stallMs - 1);
      server.stream().write(': still queueing\n\n');
      await expect.poll(() => counting.bytes()).toBeGreaterThan(before);
      await settle();
    }
    server.stream().end(answer(api, 'At last'));
    expect((await answered).text).toBe('At last');
  });

  test.each(apis)('%s: a slow consumer is no silent server', async (api) => {
    const clock = createFakeClock();
    const server = await startServer((response) => {
      beginStream(response).end(answer(api, 'a', 'b', 'c'));
    });
    let text = '';
    for await (const event of open(api, server.url, { stallMs, clock }).stream(hello)) {
      if (event.type === 'text') text += event.text;
      await clock.advance(5 * stallMs);
    }
    expect(text).toBe('abc');
  });

  test.each(apis)(
    '%s: a server that keeps the connection open after its last word is not waited for',
    async (api) => {
      const clock = createFakeClock();
      const server = await startPaused(answer(api, 'Hello'));
      let isOver = false;
      const answered = ask(open(api, server.url, { stallMs, clock })).finally(() => {
        isOver = true;
      });
      const began = clock.now();
      while (!isOver) await clock.advance(50);
      expect(await answered).toMatchObject({
        text: 'Hello',
        done: { stop: 'end', usage: { input: 10, output: 5 } },
      });
      expect(clock.now() - began).toBeLessThan(stallMs);
    },
  );

  test.each([
    ['openai-chat', chunk({ content: 'Hello' }) + chunk({}, 'stop')],
    [
      'anthropic',
      opening.anthropic +
        piece('anthropic', 'Hello') +
        events.anthropic('message_delta', {
          delta: { stop_reason: 'end_turn' },
          usage: { output_tokens: 5 },
        }),
    ],
  ] as const)(
    '%s: silence after all was said, without a word that it was all, is taken for the end',
    async (api, said) => {
      const clock = createFakeClock();
      const server = await startPaused(said);
      const answered = ask(open(api, server.url, { stallMs, clock }));
      await expect.poll(() => server.seen.length).toBe(1);
      while ((await Promise.race([answered.then(() => 'over'), settle()])) !== 'over')
        await clock.advance(stallMs / 4);
      expect(await answered).toMatchObject({ text: 'Hello', done: { stop: 'end' } });
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type ServerEvent } from '../../source/target/http/events.js';
import { openHttp, streamed } from './http/http-target.js';
import { startEvents, startServer } from './http/local-server.js';
import { ignore, never, recordProgress, targetErrorOf } from './session-request.js';

/** The events of bytes that arrive in these chunks. */
async function eventsOf(chunks: Uint8Array[]): Promise<ServerEvent[]> {
  async function* arrive() {
    yield* chunks;
  }
  const events: ServerEvent[] = [];
  for await (const event of readEvents(arrive())) events.push(event);
  return events;
}

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('server-sent events', () => {
  it('join data of several lines, and leave out comments and fields that mean nothing', async () => {
    const text = ': hello\nid: 7\ndata: {"a":\ndata:  1}\nretry: 10\n\nevent: done\ndata\n\n\n: bye\n\n';
    expect(await eventsOf([bytes(text)])).toEqual([
      { type: 'message', data: '{"a":\n 1}', isOpen: false },
      { type: 'done', data: '', isOpen: false },
    ]);
  });

  it('are the same wherever the bytes are cut, and whatever ends a line', async () => {
    const event = fc.record({
      type: fc.constantFrom('message', 'delta'),
      lines: fc.array(
        fc.string({ unit: 'grapheme', maxLength: 12 }).map((line) => line.replace(/[\r\n]/g, '')),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(400), { maxLength: 12 }),
        fc.boolean(),
        async (events, end, cuts, hasMark) => {
          const text = events
            .map(({ type, lines }) =>
              [`event: ${type}`, ':comment', ...lines.map((line) => `data: ${line}`), '', ''].join(end),
            )
            .join('');
          const whole = bytes((hasMark ? '\ufeff' : '') + text);
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
            whole.length,
          ];
          const chunks = at.slice(1).map((to, i) => whole.subarray(at[i], to));
          expect(await eventsOf(chunks)).toEqual(
            events.map(({ type, lines }) => ({ type, data: lines.join('\n'), isOpen: false })),
          );
        },
      ),
    );
  });

  it('that the end leaves open are marked', async () => {
    expect(await eventsOf([bytes('data: 1\n\ndata: 2\ndata: {"3')])).toEqual([
      { type: 'message', data: '1', isOpen: false },
      { type: 'message', data: '2\n{"3', isOpen: true },
    ]);
  });

  it('that end in the middle of a character are an error', async () => {
    await expect(eventsOf([bytes('data: "ü').subarray(0, -1)])).rejects.toThrow(
      'cut in the middle of a character',
    );
    await expect(eventsOf([Buffer.from([0x64, 0xff])])).rejects.toThrow('the stream is not UTF-8');
  });

  it('without an end of line are given up before they fill the memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    await expect(eventsOf(Array.from({ length: 17 }, () => chunk))).rejects.toThrow('longer than 16777216');
    const lines = Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n`);
    await expect(eventsOf(Array.from({ length: 17 }, () => lines))).rejects.toThrow(
      'an event of the stream is longer',
    );
  });
});

describe('a streamed reply', () => {
  it('is heard as it grows; the last event with the whole reply counts, with the tool calls it lists', async () => {
    const { url, received } = await startServer((_, response) => {
      startEvents(response);
      const snowman = bytes('data: {"delta": "☃ "}\r\n\r\n');
      const cut = snowman.indexOf(bytes('☃')) + 1;
      response.write(
        ': ready\r\n\r\ndata: {"delta": null, "reply": null, "tools": [{"name": "get_order", "args": {"id": 7}}]}\n\n',
      );
      response.write(snowman.subarray(0, cut));
      setImmediate(() => {
        response.write(snowman.subarray(cut));
        response.write('event: ping\ndata: now\n\ndata: {"delta":\ndata: "melts"}\n\n');
        response.write('data: {"reply": "draft", "distress": 8, "model": "m-1", "usage": {"in": 5}}\n\n');
        response.end(
          'data: {"reply": "☃ melts.", "distress": 6, "usage": {"in": 9, "out": 2}, "quick": [{"label": "Why?"}, "Stop"],' +
            ' "tools": [{"name": "get_order", "arguments": "{\\"id\\":7}", "output": {"status": "lost"}}]}\n\ndata: [DONE]\n\n',
        );
      });
    });
    const session = await openHttp(url, {
      send: {
        ...streamed,
        toolCalls: '$.tools',
        signals: { distress: '$.distress', absent: '$.absent' },
        suggestions: '$.quick',
        model: '$.model',
        usage: { input: '$.usage.in', output: '$.usage.out' },
      },
    });
    const { told, onProgress } = recordProgress();
    const reply = await session.send('hello', onProgress, never);
    expect(reply).toEqual({
      parts: [
        {
          kind: 'tool',
          call: { name: 'get_order', args: { id: 7 }, result: { status: 'lost' }, from: 'product' },
        },
        { kind: 'text', text: '☃ melts.' },
      ],
      text: '☃ melts.',
      usage: { input: 9, output: 2, cacheRead: 0, cacheWrite: 0 },
      steps: 1,
      stop: 'end',
      model: 'm-1',
      signals: { distress: 6 },
      suggestions: ['Why?', 'Stop'],
    });
    expect(told).toEqual([
      { type: 'tool', name: 'get_order' },
      { type: 'text', text: '☃ ' },
      { type: 'text', text: '☃ melts' },
      { type: 'text', text: 'draft' },
      { type: 'text', text: '☃ melts.' },
    ]);
    expect(received[0]?.headers.accept).toBe('text/event-stream');
  });

  it('is its pieces when no path of a whole reply is named', async () => {
    const { reply: _, ...send } = streamed;
    const { url } = await startServer((_request, response) => {
      startEvents(response);
      response.end('data: {"delta": "The 30"}\n\ndata: {"delta": "-day window"}\n\n');
    });
    const session = await openHttp(url, { send });
    expect((await session.send('hello', ignore, never)).text).toBe('The 30-day window');
  });

  it('ends with [DONE], although the connection stays open', async () => {
    const { url } = await startServer((_request, response) => {
      startEvents(response);
      response.write('data: {"reply": "done"}\n\ndata: [DONE]\n\n');
    });
    const session = await openHttp(url, { send: streamed });
    expect((await session.send('hello', ignore, never)).text).toBe('done');
  });

  it('may be missing only when the session has ended', async () => {
    const { url } = await startServer((_request, response) => {
      startEvents(response);
      response.end('data: {"over": true}\n\n');
    });
    const session = await openHttp(url, { send: { ...streamed, ended: '$.over' } });
    expect(await session.send('hello', ignore, never)).toMatchObject({ text: '', parts: [], ended: true });
  });

  it.each([
    [
      'that ends without the whole reply',
      'data: {"delta": "I would"}\n\n',
      'other',
      'reply: $.reply finds nothing, expected the text of the reply; the answer starts: {"delta": "I would"}',
    ],
    ['that ends at once', '', 'network', 'the stream ended without an event'],
    [
      'that ends in the middle of an event',
      'data: {"delta": "I"}\n\ndata: {"reply": "I wou',
      'network',
      'the stream was cut in the middle of an event',
    ],
    [
      'with a garbage line',
      'data: {"delta": "I"}\n\ndata: <oops>\n\n',
      'other',
      'an event is not JSON: <oops>',
    ],
    [
      'that reports an error',
      'event: error\ndata: {"code": 17}\n\n',
      'other',
      'the stream reports an error: {"code": 17}',
    ],
    [
      'whose piece is no text',
      'data: {"delta": 7}\n\n',
      'other',
      'delta: $.delta finds 7, expected a text; the answer starts: {"delta": 7}',
    ],
  ])('%s is an error', async (_, body, kind, message) => {
    const { url } = await startServer((_request, response) => {
      startEvents(response);
      response.end(body);
    });
    const session = await openHttp(url, { send: streamed });
    const error = await targetErrorOf(session.send('hello', ignore, never));
    expect(error.message).toBe(`send POST /chat: ${message}`);
    expect(error.kind).toBe(kind);
  });

  it('that is cut in the middle of a character is the network’s fault, whether the connection ends well or not', async () => {
    const half = bytes('data: {"delta": "Grü').subarray(0, -1);
    for (const isClean of [true, false]) {
      const { url } = await startServer((_request, response) => {
        startEvents(response);
        response.write(half, () => (isClean ? response.end() : response.socket?.destroy()));
      });
      const session = await openHttp(url, { send: streamed });
      const error = await targetErrorOf(session.send('hello', ignore, never));
      expect(error.kind).toBe('network');
      expect(error.message).toContain(
        isClean ? 'cut in the middle of a character' : `cut after ${half.length} bytes`,
      );
    }
  });

  it('that is no stream says what came instead', async () => {
    const { url } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"reply": "all at once"}');
    });
    const session = await openHttp(url, { send: streamed });
    const error = await targetErrorOf(session.send('hello', ignore, never));
    expect(error.message).toBe(
      'send POST /chat: answered 200 with application/json in the place of text/event-stream: {"reply": "all at once"}',
    );
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites name environment variables so
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Session, TargetError } from '../../source/target/types.js';
import { httpTarget, openHttp, streamed } from './http/http-target.js';
import { answerJson, type Respond, startEvents, startServer } from './http/local-server.js';
import { createManualClock, until } from './manual-clock.js';
import { ignore, never, recordProgress, sessionRequest, targetErrorOf } from './session-request.js';

/** The error of a message that a server answers like this. */
async function errorFrom(respond: Respond, more: Parameters<typeof openHttp>[1] = {}): Promise<TargetError> {
  const { url } = await startServer(respond);
  return sendError(await openHttp(url, more));
}

function sendError(session: Session): Promise<TargetError> {
  return targetErrorOf(session.send('hello', ignore, never));
}

describe('a status that is no success', () => {
  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'other'],
    [422, 'other'],
    [429, 'rate-limit'],
    [529, 'rate-limit'],
    [500, 'other'],
    [502, 'network'],
    [503, 'network'],
    [504, 'network'],
  ])('%i is an error of kind %s that names call and status and shows what was said', async (status, kind) => {
    const error = await errorFrom((_, response) => answerJson(response, { detail: 'no' }, status));
    expect(error.kind).toBe(kind);
    expect(error.message).toBe(`send POST /chat: answered ${status}: {"detail":"no"}`);
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('401 names the variables that access comes from, and none of their values', async () => {
    const { url } = await startServer(({ headers }, response) => {
      response.writeHead(401).end(`bad ${headers.authorization} "marked\\"key" marked%22key`);
    });
    const target = httpTarget(
      '${BACKEND_URL}',
      { headers: { authorization: 'Bearer ${BACKEND_TOKEN}' } },
      { env: { BACKEND_URL: url, BACKEND_TOKEN: 'marked"key' } },
    );
    const error = await sendError(await target.open(sessionRequest()));
    expect(error.message).toBe(
      'send POST /chat: answered 401 (access comes from BACKEND_TOKEN, BACKEND_URL): ' +
        'bad Bearer ${BACKEND_TOKEN} "${BACKEND_TOKEN}" ${BACKEND_TOKEN}',
    );
  });

  it('429 keeps Retry-After, given in seconds or as a date', async () => {
    for (const [header, ms] of [
      ['3', 3000],
      ['0.5', 500],
      ['Sat, 01 Mar 2025 12:00:07 GMT', 7000],
      ['Sat, 01 Mar 2025 11:00:00 GMT', undefined],
      ['soon', undefined],
    ] as const) {
      const { url } = await startServer((_, response) =>
        response.writeHead(429, { 'retry-after': header, date: 'Sat, 01 Mar 2025 12:00:00 GMT' }).end(),
      );
      const error = await sendError(await openHttp(url));
      expect(error.message).toBe('send POST /chat: answered 429 with an empty body');
      expect(error.retryAfterMs).toBe(ms);
    }
  });

  it('shows at most 200 characters of the body, and none that a terminal obeys', async () => {
    const error = await errorFrom((_, response) => {
      response.writeHead(500).end(`\u001b[2J\u202eboom\n\n${'x'.repeat(100_000)}`);
    });
    expect(error.message).toContain('500: ␛[2J⟨U+202E⟩boom xxx');
    expect(error.message.length).toBeLessThan(260);
  });

  it('is told although its body never ends', async () => {
    const error = await errorFrom((_, response) => void response.writeHead(500).write('half a rea'), {
      timeoutSeconds: 1,
    });
    expect(error.message).toBe('send POST /chat: answered 500: half a rea');
  });

  it('shows no key that the product repeats, whoever it belongs to', async () => {
    const error = await errorFrom((_, response) => {
      response.writeHead(500).end('Incorrect API key provided: sk-proj-abcdefghijklmnop1234');
    });
    expect(error.message).toBe('send POST /chat: answered 500: Incorrect API key provided: [secret]');
  });

  it('never shows the query of a path', async () => {
    const error = await errorFrom((_, response) => answerJson(response, {}, 404), {
      send: { method: 'POST', path: '/chat?secret=abc', reply: '$.reply' },
    });
    expect(error.message).toBe('send POST /chat: answered 404: {}');
  });
});

describe('an answer that is none', () => {
  it.each([
    ['with its content type', 'text/html; charset=utf-8'],
    ['with the content type of JSON', 'application/json'],
  ])('a web page with status 200 is the network’s fault, %s', async (_, type) => {
    const error = await errorFrom((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end('\n<!DOCTYPE html><html><h1>Sign in</h1></html>');
    });
    expect(error.kind).toBe('network');
    expect(error.message).toBe(
      'send POST /chat: answered 200 with a web page in the place of JSON: <!DOCTYPE html><html><h1>Sign in</h1></html>',
    );
  });

  it('JSON that ends too early is shown', async () => {
    const error = await errorFrom((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"reply": "I am he');
    });
    expect(error.kind).toBe('other');
    expect(error.message).toBe(
      'send POST /chat: answered 200 with what is not JSON (application/json): {"reply": "I am he',
    );
  });

  it('text is shown with its content type, but JSON under a wrong one is read', async () => {
    const error = await errorFrom((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('I am here.');
    });
    expect(error.message).toContain('is not JSON (text/plain): I am here.');
    const { url } = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('\ufeff{"reply": "I am here."}');
    });
    expect((await (await openHttp(url)).send('hello', ignore, never)).text).toBe('I am here.');
  });

  it('an empty one, an event stream and bytes that are no text say what they are', async () => {
    expect((await errorFrom((_, response) => response.writeHead(204).end())).message).toBe(
      'send POST /chat: answered 204 with an empty body',
    );
    expect(
      (
        await errorFrom((_, response) => {
          startEvents(response);
          response.end('data: {}\n\n');
        })
      ).message,
    ).toContain('add "stream: sse"');
    expect(
      (await errorFrom((_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])))).message,
    ).toContain('bytes that are not utf-8');
  });

  it('one that lacks the reply names the path and shows how the answer starts', async () => {
    const error = await errorFrom((_, response) => answerJson(response, { error: { code: 'E7' } }));
    expect(error.kind).toBe('other');
    expect(error.message).toBe(
      'send POST /chat: reply: $.reply finds nothing, expected the text of the reply; the answer starts: {"error":{"code":"E7"}}',
    );
  });

  it('one that is larger than anything a chat says is given up', async () => {
    const error = await errorFrom((_, response) => {
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        if (!response.destroyed) response.write(megabyte, () => setImmediate(more));
      };
      more();
    });
    expect(error.message).toBe('send POST /chat: answered with more than 16777216 bytes');
  });
});

describe('a connection that fails', () => {
  it('says that nothing listens', async () => {
    const { url } = await startServer(() => {});
    const closed = await new Promise<string>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(url.replace(/\d+$/, String(port))));
      });
    });
    const target = httpTarget('${BACKEND_URL}', {}, { env: { BACKEND_URL: closed } });
    const error = await sendError(await target.open(sessionRequest()));
    expect(error.kind).toBe('network');
    expect(error.message).toBe(
      'send POST /chat: the connection was refused: nothing listens there (ECONNREFUSED)',
    );
  });

  it('says that it was closed before an answer', async () => {
    const error = await errorFrom((_, response) => void response.socket?.destroy());
    expect(error.kind).toBe('network');
    expect(error.message).toMatch(
      /^send POST \/chat: the connection was (closed|reset) \((UND_ERR_SOCKET|ECONNRESET)\)$/,
    );
  });

  it('says after how many bytes an answer was cut', async () => {
    const error = await errorFrom((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"reply": ', () => response.socket?.destroy());
    });
    expect(error.kind).toBe('network');
    expect(error.message).toContain('send POST /chat: the answer was cut after 10 bytes: the connection was');
  });

  it('says what speaks no HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await sendError(await openHttp(`http://127.0.0.1:${port}`));
    server.close();
    expect(error.kind).toBe('network');
    expect(error.message).toContain('HPE_');
  });

  it('says that the other side speaks no TLS', async () => {
    const { url } = await startServer(() => {});
    const error = await sendError(await openHttp(url.replace('http:', 'https:')));
    expect(error.kind).toBe('network');
    expect(error.message).toMatch(/^send POST \/chat: .*\([A-Z_0-9]+\)$/);
    expect(error.message).not.toContain('127.0.0.1');
  });
});

describe('a redirect', () => {
  it('is followed on the same origin where the request stays what it is', async () => {
    const { url, received } = await startServer(({ url: path }, response) => {
      if (path === '/chat')
        response.writeHead(307, { location: '/chat/', 'set-cookie': 'a=1; Path=/' }).end();
      else answerJson(response, { reply: 'ok' });
    });
    const reply = await (await openHttp(url)).send('hello', ignore, never);
    expect(reply.text).toBe('ok');
    expect(received[1]).toMatchObject({ method: 'POST', url: '/chat/', body: '{"text":"hello"}' });
    expect(received[1]?.headers.cookie).toBe('a=1');
  });

  it('to another origin is refused, for the headers hold keys', async () => {
    const other = await startServer((_, response) => answerJson(response, { reply: 'stolen' }));
    const error = await errorFrom((_, response) => response.writeHead(307, { location: other.url }).end());
    expect(error.message).toContain('send POST /chat: answered 307, a redirect to another origin');
    expect(other.received).toEqual([]);
  });

  it('that would turn a message into a GET is refused', async () => {
    const error = await errorFrom((_, response) => response.writeHead(302, { location: '/login' }).end());
    expect(error.message).toContain('would turn POST into GET');
  });

  it('that leads in a circle ends', async () => {
    const error = await errorFrom((_, response) => response.writeHead(308, { location: '/chat' }).end());
    expect(error.message).toBe('send POST /chat: answered 308, a redirect after 5 others');
  });
});

describe('silence', () => {
  it('before the answer is an error after the time-out', async () => {
    const clock = createManualClock();
    const { url, received } = await startServer(() => {});
    const sent = sendError(await openHttp(url, { timeoutSeconds: 7 }, { clock }));
    await until(() => received.length === 1);
    clock.pass(7000);
    const error = await sent;
    expect(error.kind).toBe('network');
    expect(error.message).toBe('send POST /chat: no answer within 7 seconds');
  });

  it('in the middle of an answer is an error after the time-out', async () => {
    const clock = createManualClock();
    const { url } = await startServer((_, response) => {
      startEvents(response);
      response.write('data: {"delta": "I"}\n\n');
    });
    const session = await openHttp(url, { send: streamed, timeoutSeconds: 7 }, { clock });
    const { told, onProgress } = recordProgress();
    const sent = targetErrorOf(session.send('hello', onProgress, never));
    await until(() => told.length === 1);
    clock.pass(7000);
    expect((await sent).message).toBe('send POST /chat: no byte after the first 22 within 7 seconds');
  });

  it('is not what a slow stream is: every byte starts the time anew, comments too', async () => {
    // The server waits for the test, not for the clock: time passes when the test says so.
    const clock = createManualClock();
    let write: (text: string) => void = () => {};
    const { url } = await startServer((_, response) => {
      startEvents(response);
      write = (text) => response.write(text);
      write('data: {"delta": "0 "}\n\n');
    });
    const session = await openHttp(url, { send: streamed, timeoutSeconds: 10 }, { clock });
    const { told, onProgress } = recordProgress();
    const sent = session.send('hello', onProgress, never);
    await until(() => told.length === 1);
    for (let i = 1; i <= 5; i++) {
      clock.pass(9000);
      write(`: still here\n\ndata: {"delta": "${i} "}\n\n`);
      await until(() => told.length === i + 1);
    }
    write('data: {"reply": "all of it"}\n\ndata: [DONE]\n\n');
    expect((await sent).text).toBe('all of it');
  });

  it('of closing does not hold up a trial as long as an answer may take', async () => {
    const clock = createManualClock();
    const { url } = await startServer(({ method }, response) => {
      if (method === 'POST') answerJson(response, { reply: 'ok' });
    });
    const session = await openHttp(
      url,
      { close: { method: 'DELETE', path: '/chat' }, timeoutSeconds: 300 },
      { clock },
    );
    const closed = session.close();
    await until(() => clock.waits() === 1);
    clock.pass(10_000);
    await closed;
    expect(session.log?.()).toBe('close DELETE /chat: no answer within 10 seconds');
  });
});

it('an abort throws the reason of the signal, before the answer and in its middle', async () => {
  const { url } = await startServer((_, response) => {
    startEvents(response);
    response.write('data: {"delta": "I"}\n\n');
  });
  const session = await openHttp(url, { send: streamed });
  const reason = new Error('the time limit of the trial');
  await expect(session.send('hello', ignore, AbortSignal.abort(reason))).rejects.toBe(reason);
  const aborting = new AbortController();
  const sent = session.send('hello', () => aborting.abort(reason), aborting.signal);
  await expect(sent).rejects.toBe(reason);
});

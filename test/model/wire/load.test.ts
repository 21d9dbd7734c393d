import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../source/base/clock.js';
import { createRandom } from '../../../source/base/random.js';
import { withPacing } from '../../../source/model/pacing/pace.js';
import { createPacer } from '../../../source/model/pacing/pacer.js';
import { withRetry } from '../../../source/model/retry.js';
import { type Api, apis, ask, open } from './ask.js';
import { beginStream, sendJson, startServer } from './server.js';
import { answer, errorBody } from './streams.js';

const conversations = 500;

/** A server that echoes the user and answers at most so many at once; the others it refuses. */
async function startBusy(api: Api, most: number) {
  let now = 0;
  let peak = 0;
  let refused = 0;
  const server = await startServer(async (response, { body }) => {
    now++;
    peak = Math.max(peak, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const isTooMany = now > most;
    now--;
    if (isTooMany) {
      refused++;
      sendJson(response, 429, errorBody(api, 'rate_limit_error', 'too many at once'), {
        'retry-after-ms': '20',
      });
      return;
    }
    const said = JSON.stringify(body.messages ?? body.input).match(/conversation-\d+/)?.[0] ?? '';
    beginStream(response).end(answer(api, 'I am ', said));
  });
  return { url: server.url, peak: () => peak, refused: () => refused, seen: server.seen };
}

function open500(api: Api, url: string, concurrency: number) {
  const pacer = createPacer({ account: 'busy', clock: systemClock, concurrency });
  const client = open(api, url);
  const model = withRetry(withPacing(client, pacer), {
    clock: systemClock,
    random: createRandom('load'),
    baseMs: 20,
    mostMs: 200,
  });
  let longest = 0;
  pacer.subscribe(() => {
    longest = Math.max(longest, pacer.state().waiting);
  });
  return { model, pacer, longest: () => longest };
}

describe('500 conversations at once', () => {
  test.each(apis)(
    '%s: none is lost or mixed up, the limit holds, and the queue is no longer than they are',
    async (api) => {
      const server = await startBusy(api, Number.POSITIVE_INFINITY);
      const { model, pacer, longest } = open500(api, server.url, 50);
      const answers = await Promise.all(
        Array.from({ length: conversations }, async (_, at) => {
          const first = await ask(model, { messages: [{ role: 'user', text: `conversation-${at}` }] });
          const second = await ask(model, {
            messages: [
              { role: 'user', text: `conversation-${at}` },
              { role: 'assistant', text: first.text, toolRequests: [] },
              { role: 'user', text: 'Sure?' },
            ],
          });
          return [first.text, second.text];
        }),
      );
      for (const [at, texts] of answers.entries()) {
        expect(texts).toEqual([`I am conversation-${at}`, `I am conversation-${at}`]);
      }
      expect(server.seen).toHaveLength(2 * conversations);
      expect(server.peak()).toBeLessThanOrEqual(50);
      expect(server.peak()).toBeGreaterThan(10);
      expect(longest()).toBeLessThanOrEqual(conversations);
      expect(pacer.state()).toEqual({ limit: 50, inFlight: 0, waiting: 0, pausedUntil: undefined });
    },
    60_000,
  );

  test('a server that bears fewer than are sent slows them down, and answers every one of them', async () => {
    const server = await startBusy('openai-chat', 12);
    const { model, pacer } = open500('openai-chat', server.url, 64);
    const answers = await Promise.all(
      Array.from({ length: conversations }, (_, at) =>
        ask(model, { messages: [{ role: 'user', text: `conversation-${at}` }] }),
      ),
    );
    expect(answers.map(({ text }) => text)).toEqual(
      Array.from({ length: conversations }, (_, at) => `I am conversation-${at}`),
    );
    expect(server.refused()).toBeGreaterThan(0);
    expect(server.refused()).toBeLessThan(conversations);
    expect(pacer.state()).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(pacer.state().limit).toBeLessThan(64);
  }, 60_000);

  test('all of them leave at once: nothing is left of them', async () => {
    const server = await startServer(() => {});
    const { model, pacer } = open500('openai-chat', server.url, 20);
    const controller = new AbortController();
    // Node warns of more than ten, which here are 500 on purpose.
    setMaxListeners(0, controller.signal);
    const reason = new Error('stopped');
    const outcomes = Promise.allSettled(
      Array.from({ length: conversations }, () => ask(model, { signal: controller.signal })),
    );
    await expect.poll(() => server.seen.length).toBe(20);
    controller.abort(reason);
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason });
    expect(server.seen).toHaveLength(20);
    expect(pacer.state()).toMatchObject({ inFlight: 0, waiting: 0 });
  });
});

import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../source/base/random.js';
import { withRetry } from '../../../source/model/retry.js';
import { createFakeClock } from '../fake-clock.js';
import { apis, ask, failure, open } from './ask.js';

/** A server that others wrote from the same documents. */
const mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 7 });

beforeAll(async () => {
  // The first one that fits answers: results before the message that they came of.
  mock.onToolResult('call_b', { content: 'Order 7 is shipped.' });
  mock.onMessage('say hello', { content: 'Hello there — wie geht’s? 東京 👋' });
  mock.onMessage('look up', {
    toolCalls: [
      { id: 'call_a', name: 'get_order', arguments: '{"id": 7}' },
      { id: 'call_b', name: 'get_user', arguments: '{"mail": "a@example.org"}' },
    ],
  });
  mock.onMessage('both', {
    content: 'One moment.',
    toolCalls: [{ id: 'call_c', name: 'get_order', arguments: '{"id": 8}' }],
  });
  mock.onMessage('cut', { content: 'I can offer', finishReason: 'length' });
  mock.onMessage('limited', {
    error: { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    status: 429,
    retryAfter: 3,
  });
  await mock.start();
});
afterAll(() => mock.stop());

const tools = ['get_order', 'get_user'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
}));
const user = (text: string) => ({ role: 'user' as const, text });

describe('against an independent server', () => {
  test.each(apis)('%s: a streamed text', async (api) => {
    const { text, done, events } = await ask(open(api, mock.url), { messages: [user('say hello')] });
    expect(text).toBe('Hello there — wie geht’s? 東京 👋');
    expect(events.length).toBeGreaterThan(3);
    expect(done.stop).toBe('end');
  });

  test.each(apis)('%s: parallel tool calls, and the answer to their results', async (api) => {
    const model = open(api, mock.url);
    const first = await ask(model, { messages: [user('look up')], tools });
    expect(first.requests.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: 'get_order', args: { id: 7 } },
      { name: 'get_user', args: { mail: 'a@example.org' } },
    ]);
    expect(first.done.stop).toBe('tool-calls');
    const second = await ask(model, {
      tools,
      messages: [
        user('look up'),
        { role: 'assistant', text: first.text, toolRequests: first.requests },
        ...first.requests.map(({ id, name }) => ({
          role: 'tool' as const,
          toolRequestId: id,
          name,
          content: 'shipped',
          isError: false,
        })),
      ],
    });
    expect(second.text).toBe('Order 7 is shipped.');
    expect(second.done.stop).toBe('end');
  });

  test.each(apis)('%s: a text and a tool call in one answer', async (api) => {
    const { text, requests, done } = await ask(open(api, mock.url), { messages: [user('both')], tools });
    expect(text).toBe('One moment.');
    expect(requests).toMatchObject([{ name: 'get_order', args: { id: 8 } }]);
    expect(done.stop).toBe('tool-calls');
  });

  test.each(apis)('%s: an answer that the token limit cut', async (api) => {
    const { text, done } = await ask(open(api, mock.url), { messages: [user('cut')] });
    expect(text).toBe('I can offer');
    expect(done.stop).toBe('cut-off');
  });

  test.each(apis)('%s: 429 with Retry-After', async (api) => {
    const error = await failure(open(api, mock.url), { messages: [user('limited')] });
    expect(error).toMatchObject({ kind: 'rate-limit', status: 429, retryAfterMs: 3_000 });
  });

  test.each(apis)('%s: 429 once, waited out and answered', async (api) => {
    mock.nextRequestError(429, {
      message: 'slow down',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    });
    const clock = createFakeClock();
    const waits: number[] = [];
    const model = withRetry(open(api, mock.url), {
      clock,
      random: createRandom('test'),
      onRetry: ({ waitMs }) => waits.push(waitMs),
    });
    const answered = ask(model, { messages: [user('say hello')] });
    await expect.poll(() => waits.length).toBe(1);
    // It asks for a second by itself.
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    await clock.advance(1_500);
    expect((await answered).text).toContain('Hello there');
  });
});

import { describe, expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../../source/model/types.js';
import { type Api, apis, ask, failure, markedKey, open, pathOf } from './ask.js';
import { beginStream, type SeenRequest, sendJson, startServer } from './server.js';
import { answer, errorBody } from './streams.js';

const conversation: ChatMessage[] = [
  { role: 'user', text: 'Where are my orders 7 and 8?' },
  {
    role: 'assistant',
    text: 'I will look.',
    toolRequests: [
      { id: 't1', name: 'get_order', args: { id: 7 } },
      { id: 't2', name: 'get_order', args: '{"id": 8' },
    ],
  },
  { role: 'tool', toolRequestId: 't1', name: 'get_order', content: 'shipped', isError: false },
  {
    role: 'tool',
    toolRequestId: 't2',
    name: 'get_order',
    content: 'the arguments are not a JSON object',
    isError: true,
  },
  { role: 'assistant', text: '', toolRequests: [] },
  { role: 'user', text: '  Thanks \n' },
];

const tools = [
  {
    name: 'get_order',
    description: 'Looks an order up.',
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  { name: 'list_tickets', description: 'Lists tickets.', parameters: { type: 'object', properties: {} } },
];

const full: Partial<ChatRequest> = { messages: conversation, tools, temperature: 0, maxTokens: 321 };

/** What a server gets of a request. */
async function sent(api: Api, request: Partial<ChatRequest>, options = {}): Promise<SeenRequest> {
  const server = await startServer((response) => beginStream(response).end(answer(api, 'Hi')));
  await ask(open(api, server.url, options), request);
  const [seen] = server.seen;
  if (seen === undefined) throw new Error('nothing was sent');
  return seen;
}

describe('what is sent to Anthropic', () => {
  const ephemeral = { type: 'ephemeral' };

  test('a whole conversation, its stable prefix marked for the cache', async () => {
    const { path, body } = await sent('anthropic', full);
    expect(path).toBe(pathOf.anthropic);
    expect(body).toEqual({
      model: 'model-under-test',
      max_tokens: 321,
      temperature: 0,
      stream: true,
      system: [{ type: 'text', text: 'You are an agent.', cache_control: ephemeral }],
      tools: [
        { name: 'get_order', description: 'Looks an order up.', input_schema: tools[0]?.parameters },
        {
          name: 'list_tickets',
          description: 'Lists tickets.',
          input_schema: tools[1]?.parameters,
          cache_control: ephemeral,
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Where are my orders 7 and 8?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I will look.' },
            { type: 'tool_use', id: 't1', name: 'get_order', input: { id: 7 } },
            { type: 'tool_use', id: 't2', name: 'get_order', input: { INVALID_JSON: '{"id": 8' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'shipped', is_error: false },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              content: 'the arguments are not a JSON object',
              is_error: true,
            },
            { type: 'text', text: '  Thanks \n', cache_control: ephemeral },
          ],
        },
      ],
    });
  });

  test('what was marked is the beginning of the next request of the conversation, marks aside', async () => {
    const withoutMarks = (body: unknown) =>
      JSON.parse(JSON.stringify(body), (key, value) => (key === 'cache_control' ? undefined : value));
    const first = withoutMarks(
      (await sent('anthropic', { ...full, messages: conversation.slice(0, 1) })).body,
    );
    const next = withoutMarks(
      (await sent('anthropic', { ...full, messages: conversation.slice(0, 4) })).body,
    );
    expect(next.tools).toEqual(first.tools);
    expect(next.system).toEqual(first.system);
    expect(next.messages.slice(0, 1)).toEqual(first.messages);
  });

  test('no marks where caching is off', async () => {
    const { body } = await sent('anthropic', full, { cache: false });
    expect(JSON.stringify(body)).not.toContain('cache_control');
  });

  test('no mark on an empty message, which could not hold one', async () => {
    const { body } = await sent('anthropic', { messages: [{ role: 'user', text: '' }] });
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: '' }] }]);
  });

  test('the API version that takes a temperature goes with a temperature, the newest with none', async () => {
    const warm = await sent('anthropic', { temperature: 0.7 });
    const plain = await sent('anthropic', {});
    expect(warm.headers['anthropic-version']).toBe('2023-06-01');
    expect(warm.body.temperature).toBe(0.7);
    expect(plain.headers['anthropic-version']).toBe('2026-10-21');
    expect(plain.body).not.toHaveProperty('temperature');
  });

  test('nothing is sent for what there is none of', async () => {
    const { body } = await sent('anthropic', { system: '' });
    expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream']);
  });
});

describe('what is sent to chat completions', () => {
  test('a whole conversation', async () => {
    const { path, body } = await sent('openai-chat', full);
    expect(path).toBe(pathOf['openai-chat']);
    expect(body).toEqual({
      model: 'model-under-test',
      max_tokens: 321,
      temperature: 0,
      seed: expect.any(Number),
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Where are my orders 7 and 8?' },
        {
          role: 'assistant',
          content: 'I will look.',
          tool_calls: [
            { id: 't1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } },
            { id: 't2', type: 'function', function: { name: 'get_order', arguments: '{"id": 8' } },
          ],
        },
        { role: 'tool', tool_call_id: 't1', content: 'shipped' },
        { role: 'tool', tool_call_id: 't2', content: 'the arguments are not a JSON object' },
        { role: 'assistant', content: '' },
        { role: 'user', content: '  Thanks \n' },
      ],
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    });
  });

  test('the seed is the same for the same draw and another for another', async () => {
    const [first, again, other] = await Promise.all(
      ['run/1', 'run/1', 'run/2'].map(async (seed) => (await sent('openai-chat', { seed })).body.seed),
    );
    expect(first).toBe(again);
    expect(first).not.toBe(other);
    expect(Number.isInteger(first) && first >= 0 && first < 2 ** 31).toBe(true);
  });

  test('OpenAI itself gets the token limit by the name that its newer models take', async () => {
    let body: Record<string, unknown> = {};
    let url = '';
    const model = open('openai-chat', 'http://unused', {
      baseURL: 'https://api.openai.com/v1',
      async fetch(input, init) {
        url = String(input);
        body = JSON.parse(String(init?.body));
        return new Response(answer('openai-chat', 'Hi'), {
          headers: { 'content-type': 'text/event-stream' },
        });
      },
    });
    await ask(model);
    expect(url).toBe('https://api.openai.com/v1/chat/completions');
    expect(body.max_completion_tokens).toBe(100);
    expect(body).not.toHaveProperty('max_tokens');
  });
});

describe('what is sent to responses', () => {
  test('a whole conversation, to be stored nowhere', async () => {
    const { path, body } = await sent('openai-responses', full);
    expect(path).toBe(pathOf['openai-responses']);
    expect(body).toEqual({
      model: 'model-under-test',
      max_output_tokens: 321,
      temperature: 0,
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'You are an agent.',
      input: [
        { role: 'user', content: 'Where are my orders 7 and 8?' },
        { role: 'assistant', content: 'I will look.' },
        { type: 'function_call', call_id: 't1', name: 'get_order', arguments: '{"id":7}' },
        { type: 'function_call', call_id: 't2', name: 'get_order', arguments: '{"id": 8' },
        { type: 'function_call_output', call_id: 't1', output: 'shipped' },
        { type: 'function_call_output', call_id: 't2', output: 'the arguments are not a JSON object' },
        { role: 'user', content: '  Thanks \n' },
      ],
      tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })),
    });
  });
});

describe('a schema of the answer', () => {
  const answerSchema = {
    type: 'object',
    properties: { reason: { type: 'string' }, pass: { type: 'boolean' } },
    required: ['reason', 'pass'],
    additionalProperties: false,
  };
  const fields = {
    anthropic: ['output_config', { format: { type: 'json_schema', schema: answerSchema } }],
    'openai-chat': [
      'response_format',
      { type: 'json_schema', json_schema: { name: 'answer', schema: answerSchema, strict: true } },
    ],
    'openai-responses': [
      'text',
      { format: { type: 'json_schema', name: 'answer', schema: answerSchema, strict: true } },
    ],
  } as const;

  test.each(apis)('%s: is sent where there is one, and only there', async (api) => {
    const [field, value] = fields[api];
    expect((await sent(api, { answerSchema })).body[field]).toEqual(value);
    expect((await sent(api, {})).body).not.toHaveProperty(field);
  });

  test.each(apis)(
    '%s: is left out for a model that refuses it in whatever words, from then on',
    async (api) => {
      const [field] = fields[api];
      const server = await startServer((response, { body }) => {
        if (field in body)
          sendJson(response, 400, errorBody(api, 'invalid_request_error', 'This model cannot do that.'));
        else beginStream(response).end(answer(api, '{"reason": "fine", "pass": true}'));
      });
      const model = open(api, server.url);
      expect((await ask(model, { answerSchema })).text).toContain('"pass": true');
      expect((await ask(model, { answerSchema })).text).toContain('"pass": true');
      expect(server.seen.map(({ body }) => field in body)).toEqual([true, false, false]);
    },
  );

  test.each(apis)('%s: is sent again when it was something else that was refused', async (api) => {
    const [field] = fields[api];
    let isBroken = true;
    const server = await startServer((response) => {
      if (isBroken) sendJson(response, 400, errorBody(api, 'invalid_request_error', 'messages: too odd'));
      else beginStream(response).end(answer(api, '{}'));
    });
    const model = open(api, server.url);
    expect((await failure(model, { answerSchema })).message).toContain('messages: too odd');
    isBroken = false;
    await ask(model, { answerSchema });
    expect(server.seen.map(({ body }) => field in body)).toEqual([true, false, true]);
  });

  test.each(apis)('%s: is not what a rate limit is about', async (api) => {
    const server = await startServer((response) =>
      sendJson(response, 429, errorBody(api, 'rate_limit_error', 'slow')),
    );
    expect((await failure(open(api, server.url), { answerSchema })).kind).toBe('rate-limit');
    expect(server.seen).toHaveLength(1);
  });
});

describe('headers', () => {
  test.each([
    ['anthropic', 'x-api-key', markedKey],
    ['openai-chat', 'authorization', `Bearer ${markedKey}`],
    ['openai-responses', 'authorization', `Bearer ${markedKey}`],
  ] as const)('%s: the key is in %s and nowhere else', async (api, header, value) => {
    const { headers } = await sent(api, {});
    expect(headers[header]).toBe(value);
    expect(Object.values(headers).filter((text) => String(text).includes(markedKey))).toEqual([value]);
  });

  test.each(apis)('%s: without a key none is sent, also when the environment has one', async (api) => {
    const variables = {
      ANTHROPIC_API_KEY: 'from-env',
      ANTHROPIC_AUTH_TOKEN: 'from-env',
      ANTHROPIC_CUSTOM_HEADERS: 'authorization: Bearer from-env\nx-gateway: from-env',
      OPENAI_API_KEY: 'from-env',
      OPENAI_ADMIN_KEY: 'from-env',
      OPENAI_ORG_ID: 'from-env',
      OPENAI_PROJECT_ID: 'from-env',
      OPENAI_CUSTOM_HEADERS: 'authorization: Bearer from-env\nx-gateway: from-env',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      const { headers } = await sent(api, {}, { apiKey: '' });
      expect(JSON.stringify(headers)).not.toContain('from-env');
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('x-api-key');
    } finally {
      for (const name of Object.keys(variables)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});

describe('base URLs', () => {
  test.each([
    ['http://127.0.0.1:PORT', '/v1/messages'],
    ['http://127.0.0.1:PORT/', '/v1/messages'],
    ['http://127.0.0.1:PORT/v1', '/v1/messages'],
    ['http://127.0.0.1:PORT/v1/', '/v1/messages'],
    ['http://127.0.0.1:PORT/anthropic', '/anthropic/v1/messages'],
  ])('anthropic: %s is asked at %s', async (baseURL, path) => {
    const server = await startServer((response) => beginStream(response).end(answer('anthropic', 'Hi')));
    await ask(
      open('anthropic', server.url, { baseURL: baseURL.replace('http://127.0.0.1:PORT', server.url) }),
    );
    expect(server.seen[0]?.path).toBe(path);
  });

  test.each([
    ['not a url', 'not an http or https URL'],
    ['ftp://127.0.0.1/v1', 'not an http or https URL'],
    ['http://user:secret@127.0.0.1/v1', 'no password and no query'],
    ['http://127.0.0.1/v1?key=secret', 'no password and no query'],
  ])('%s is refused before anything is sent', (baseURL, says) => {
    expect(() => open('openai-chat', '', { baseURL, name: 'local:m' })).toThrow(says);
    expect(() => open('openai-chat', '', { baseURL, name: 'local:m' })).not.toThrow('secret');
  });
});

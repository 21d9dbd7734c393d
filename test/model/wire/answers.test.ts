import { describe, expect, test } from 'vitest';
import type { ChatEvent, StopReason, ToolRequest } from '../../../source/model/types.js';
import { type Api, ask, open } from './ask.js';
import { beginStream, sendJson, startServer } from './server.js';
import { chunk, closing, errorBody, events, opening, piece } from './streams.js';

const { anthropic, responses, chat } = events;
type DoneEvent = Extract<ChatEvent, { type: 'done' }>;

/** A tool call in a stream, its arguments as written, in two pieces. */
function toolCall(api: Api, at: number, id: string, name: string, written: string): string {
  const pieces = [written.slice(0, 3), written.slice(3)];
  switch (api) {
    case 'anthropic':
      return (
        anthropic('content_block_start', {
          index: at,
          content_block: { type: 'tool_use', id, name, input: {} },
        }) +
        pieces
          .map((part) =>
            anthropic('content_block_delta', {
              index: at,
              delta: { type: 'input_json_delta', partial_json: part },
            }),
          )
          .join('') +
        anthropic('content_block_stop', { index: at })
      );
    case 'openai-chat':
      return (
        chunk({
          tool_calls: [{ index: at, id, type: 'function', function: { name, arguments: pieces[0] } }],
        }) + chunk({ tool_calls: [{ index: at, function: { arguments: pieces[1] } }] })
      );
    case 'openai-responses':
      return responses('response.output_item.done', {
        output_index: at,
        item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: written },
      });
  }
}

/** The end of a stream, with the reason that the provider gives. */
function end(api: Api, reason: string): string {
  switch (api) {
    case 'anthropic':
      return (
        anthropic('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 5 } }) +
        anthropic('message_stop', {})
      );
    case 'openai-chat':
      return chunk({}, reason, { usage: { prompt_tokens: 10, completion_tokens: 5 } });
    case 'openai-responses': {
      const isWhole = reason === 'completed';
      return responses(isWhole ? 'response.completed' : 'response.incomplete', {
        response: {
          object: 'response',
          status: isWhole ? 'completed' : 'incomplete',
          incomplete_details: isWhole ? null : { reason },
          output: [],
          usage: { input_tokens: 10, output_tokens: 5 },
        },
      });
    }
  }
}

const plainEnd: Record<Api, string> = {
  anthropic: 'end_turn',
  'openai-chat': 'stop',
  'openai-responses': 'completed',
};

async function answerOf(api: Api, stream: string) {
  const server = await startServer((response) => {
    beginStream(response).end(stream);
  });
  return ask(open(api, server.url));
}

const ends: [api: Api, reason: string, stop: StopReason][] = [
  ['anthropic', 'end_turn', 'end'],
  ['anthropic', 'stop_sequence', 'end'],
  ['anthropic', 'pause_turn', 'end'],
  ['anthropic', 'max_tokens', 'cut-off'],
  ['anthropic', 'model_context_window_exceeded', 'cut-off'],
  ['anthropic', 'refusal', 'refused'],
  ['anthropic', 'a reason of next year', 'end'],
  ['openai-chat', 'stop', 'end'],
  ['openai-chat', 'length', 'cut-off'],
  ['openai-chat', 'content_filter', 'refused'],
  ['openai-chat', 'tool_calls', 'end'],
  ['openai-chat', 'a reason of next year', 'end'],
  ['openai-responses', 'completed', 'end'],
  ['openai-responses', 'max_output_tokens', 'cut-off'],
  ['openai-responses', 'content_filter', 'refused'],
];

describe('how an answer ends', () => {
  test.each(ends)(
    '%s: a text with the reason %s is %s, with the text that came',
    async (api, reason, stop) => {
      const { text, done } = await answerOf(api, opening[api] + piece(api, 'I can offer') + end(api, reason));
      expect(text).toBe('I can offer');
      expect(done).toMatchObject({ stop, usage: { input: 10, output: 5 } });
    },
  );

  test.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
    '%s: an empty answer is an answer without text',
    async (api) => {
      const { events, done } = await answerOf(api, opening[api] + closing[api]);
      expect(events).toHaveLength(1);
      expect(done.stop).toBe('end');
    },
  );

  test.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
    '%s: with tool calls the model stopped to call them, whatever reason it gives',
    async (api) => {
      const { done, requests } = await answerOf(
        api,
        opening[api] + toolCall(api, 0, 't1', 'get_order', '{"id":7}') + end(api, plainEnd[api]),
      );
      expect(requests).toEqual([{ id: 't1', name: 'get_order', args: { id: 7 } }]);
      expect(done.stop).toBe('tool-calls');
    },
  );

  test.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
    '%s: parallel calls come in order, each with its own id',
    async (api) => {
      const { requests } = await answerOf(
        api,
        opening[api] +
          toolCall(api, 1, 't1', 'get_order', '{"id":7}') +
          toolCall(api, 2, 't2', 'get_order', '{"id":8}') +
          toolCall(api, 3, 't3', 'list_tickets', '{}') +
          end(api, plainEnd[api]),
      );
      expect(requests).toEqual([
        { id: 't1', name: 'get_order', args: { id: 7 } },
        { id: 't2', name: 'get_order', args: { id: 8 } },
        { id: 't3', name: 'list_tickets', args: {} },
      ]);
    },
  );

  const written: [what: string, written: string, args: ToolRequest['args']][] = [
    ['JSON that breaks off', '{"id": 7, "reason": "la', '{"id": 7, "reason": "la'],
    ['words', 'order seven, please', 'order seven, please'],
    ['a list', '[7]', '[7]'],
    ['a JSON text', '"{\\"id\\": 7}"', '"{\\"id\\": 7}"'],
    ['null', 'null', 'null'],
    ['nothing', '', {}],
    [
      'a member named __proto__',
      '{"__proto__": {"admin": true}}',
      JSON.parse('{"__proto__": {"admin": true}}'),
    ],
  ];
  const brokenArguments = written.flatMap((row) =>
    (['anthropic', 'openai-chat', 'openai-responses'] as const).map((api) => [api, ...row] as const),
  );
  test.each(brokenArguments)(
    '%s: arguments that are %s are kept as they were written',
    async (api, _what, said, args) => {
      const { requests } = await answerOf(
        api,
        opening[api] + toolCall(api, 0, 't1', 'get_order', said) + end(api, plainEnd[api]),
      );
      expect(requests[0]?.args).toEqual(args);
    },
  );

  test('anthropic: a stop reason is enough for servers that send no message_stop', async () => {
    const { text, done } = await answerOf(
      'anthropic',
      opening.anthropic +
        piece('anthropic', 'Hi') +
        anthropic('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
    );
    expect(text).toBe('Hi');
    expect(done.stop).toBe('end');
  });

  test('a tool call that the token limit cut is told, with the arguments as far as they came', async () => {
    const { requests, done } = await answerOf(
      'openai-chat',
      opening['openai-chat'] +
        toolCall('openai-chat', 0, 't1', 'get_order', '{"id": 12') +
        end('openai-chat', 'length'),
    );
    expect(requests).toEqual([{ id: 't1', name: 'get_order', args: '{"id": 12' }]);
    expect(done.stop).toBe('cut-off');
  });
});

describe('refusals', () => {
  test('openai-chat: the text of a refusal is the answer', async () => {
    const { text, done } = await answerOf(
      'openai-chat',
      chunk({ refusal: 'I cannot ' }) + chunk({ refusal: 'help with that.' }) + end('openai-chat', 'stop'),
    );
    expect(text).toBe('I cannot help with that.');
    expect(done.stop).toBe('refused');
  });

  test('openai-responses: the text of a refusal is the answer', async () => {
    const { text, done } = await answerOf(
      'openai-responses',
      responses('response.refusal.delta', { delta: 'I cannot ' }) +
        responses('response.refusal.delta', { delta: 'help with that.' }) +
        end('openai-responses', 'completed'),
    );
    expect(text).toBe('I cannot help with that.');
    expect(done.stop).toBe('refused');
  });

  test('anthropic: a refusal without a word gives the explanation of the provider', async () => {
    const { text, done } = await answerOf(
      'anthropic',
      opening.anthropic +
        anthropic('message_delta', {
          delta: {
            stop_reason: 'refusal',
            stop_details: { type: 'refusal', category: 'cyber', explanation: 'This may be harmful.' },
          },
          usage: { output_tokens: 1 },
        }) +
        anthropic('message_stop', {}),
    );
    expect(text).toBe('This may be harmful.');
    expect(done.stop).toBe('refused');
  });

  const filtered: [what: string, api: Api, status: number, body: object][] = [
    [
      'a content filter of Azure',
      'openai-chat',
      400,
      {
        error: {
          code: 'content_filter',
          message: 'The response was filtered',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
    ],
    [
      'a flagged prompt',
      'openai-responses',
      400,
      {
        error: {
          code: 'invalid_prompt',
          message: 'Your prompt was flagged as potentially violating our usage policy.',
        },
      },
    ],
  ];
  test.each(filtered)(
    '%s (%s) is a refusal, not an error, and nobody counted its tokens',
    async (_what, api, status, body) => {
      const server = await startServer((response) => sendJson(response, status, body));
      const { events } = await ask(open(api, server.url));
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      expect(events).toEqual([
        { type: 'done', stop: 'refused', usage, usageMissing: true } satisfies DoneEvent,
      ]);
    },
  );

  test('a filter that strikes in the middle of the stream leaves what was said', async () => {
    const error = JSON.stringify(
      errorBody('openai-chat', 'invalid_request_error', 'filtered', 'content_filter'),
    );
    const { text, done } = await answerOf(
      'openai-chat',
      `${chunk({ content: 'To begin, ' })}data: ${error}\n\n`,
    );
    expect(text).toBe('To begin, ');
    expect(done.stop).toBe('refused');
  });
});

describe('usage', () => {
  const usages: [what: string, usage: object, read: object][] = [
    [
      'cached tokens are inside the prompt',
      {
        prompt_tokens: 100,
        completion_tokens: 9,
        total_tokens: 109,
        prompt_tokens_details: { cached_tokens: 64 },
      },
      { input: 100, output: 9, cacheRead: 64, cacheWrite: 0 },
    ],
    [
      'cached tokens that are read and written',
      {
        prompt_tokens: 100,
        completion_tokens: 9,
        total_tokens: 109,
        prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 20 },
      },
      { input: 100, output: 9, cacheRead: 64, cacheWrite: 20 },
    ],
    [
      'reasoning tokens are inside the completion',
      {
        prompt_tokens: 10,
        completion_tokens: 90,
        total_tokens: 100,
        completion_tokens_details: { reasoning_tokens: 80 },
      },
      { input: 10, output: 90, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      'reasoning tokens that only the total counts (xAI, Gemini)',
      {
        prompt_tokens: 10,
        completion_tokens: 10,
        total_tokens: 100,
        completion_tokens_details: { reasoning_tokens: 80 },
      },
      { input: 10, output: 90, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      'hits beside the details (DeepSeek)',
      {
        prompt_tokens: 100,
        completion_tokens: 9,
        total_tokens: 109,
        prompt_cache_hit_tokens: 60,
        prompt_cache_miss_tokens: 40,
      },
      { input: 100, output: 9, cacheRead: 60, cacheWrite: 0 },
    ],
    [
      'more cached tokens than prompt tokens are counted apart',
      { prompt_tokens: 4, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 1000 } },
      { input: 1004, output: 9, cacheRead: 1000, cacheWrite: 0 },
    ],
    [
      'numbers that are none count as nothing, and are said to be missing',
      {
        prompt_tokens: 12,
        completion_tokens: '9',
        total_tokens: null,
        prompt_tokens_details: { cached_tokens: -1 },
      },
      { input: 12, output: 0, cacheRead: 0, cacheWrite: 0 },
    ],
  ];
  test.each(usages)('openai-chat: %s', async (what, usage, read) => {
    const { done } = await answerOf(
      'openai-chat',
      chunk({ content: 'Hi' }, 'stop') + chat({ choices: [], usage }),
    );
    expect(done.usage).toEqual(read);
    expect(done.usageMissing).toBe(what.endsWith('said to be missing') || undefined);
  });

  test('openai-responses: cached and reasoning tokens are inside', async () => {
    const { done } = await answerOf(
      'openai-responses',
      responses('response.completed', {
        response: {
          object: 'response',
          status: 'completed',
          output: [],
          usage: {
            input_tokens: 500,
            input_tokens_details: { cached_tokens: 400, cache_write_tokens: 50 },
            output_tokens: 70,
            output_tokens_details: { reasoning_tokens: 60 },
            total_tokens: 570,
          },
        },
      }),
    );
    expect(done.usage).toEqual({ input: 500, output: 70, cacheRead: 400, cacheWrite: 50 });
  });

  test('anthropic: later totals replace earlier ones, and what they leave out stands', async () => {
    const { done } = await answerOf(
      'anthropic',
      anthropic('message_start', {
        message: {
          type: 'message',
          usage: {
            input_tokens: 3,
            cache_read_input_tokens: 100,
            cache_creation_input_tokens: 20,
            output_tokens: 1,
          },
        },
      }) +
        anthropic('message_delta', {
          delta: { stop_reason: 'end_turn' },
          usage: { output_tokens: 40, cache_read_input_tokens: 100, input_tokens: null },
        }) +
        anthropic('message_stop', {}),
    );
    expect(done.usage).toEqual({ input: 123, output: 40, cacheRead: 100, cacheWrite: 20 });
  });
});

test('anthropic: usage of a stream that never told its input is marked as less than it was', async () => {
  const { done } = await answerOf(
    'anthropic',
    anthropic('content_block_start', { index: 0, content_block: { type: 'text', text: 'Hi' } }) +
      anthropic('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 40 } }) +
      anthropic('message_stop', {}),
  );
  expect(done).toMatchObject({ usage: { input: 0, output: 40 }, usageMissing: true });
});

describe('reasoning of the responses API', () => {
  test('is no text, and its items go back as they came', async () => {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAB-secret' },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 't1',
        name: 'get_order',
        arguments: '{"id":7}',
        status: 'completed',
      },
    ];
    const server = await startServer((response) => {
      const response1 = {
        object: 'response',
        status: 'completed',
        output,
        usage: { input_tokens: 1, output_tokens: 2 },
      };
      beginStream(response).end(
        responses('response.reasoning_summary_text.delta', { delta: 'Let me think.' }) +
          output.map((item) => responses('response.output_item.done', { item })).join('') +
          responses('response.completed', { response: response1 }),
      );
    });
    const model = open('openai-responses', server.url);
    const first = await ask(model);
    expect(first.text).toBe('');
    expect(first.requests).toEqual([{ id: 't1', name: 'get_order', args: { id: 7 } }]);
    await ask(model, {
      messages: [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: '', toolRequests: first.requests, carry: first.done.carry ?? [] },
        { role: 'tool', toolRequestId: 't1', name: 'get_order', content: 'shipped', isError: false },
      ],
    });
    expect(server.seen[1]?.body.input).toEqual([
      { role: 'user', content: 'Hello' },
      ...output,
      { type: 'function_call_output', call_id: 't1', output: 'shipped' },
    ]);
  });

  test('a stream without item events is read from the whole response at its end', async () => {
    const { text, requests, done } = await answerOf(
      'openai-responses',
      responses('response.completed', {
        response: {
          object: 'response',
          status: 'completed',
          output: [
            { type: 'message', content: [{ type: 'output_text', text: 'One moment.' }] },
            { type: 'function_call', call_id: 't1', name: 'get_order', arguments: '{}' },
          ],
          usage: { input_tokens: 1, output_tokens: 2 },
        },
      }),
    );
    expect(text).toBe('One moment.');
    expect(requests).toEqual([{ id: 't1', name: 'get_order', args: {} }]);
    expect(done.stop).toBe('tool-calls');
  });
});

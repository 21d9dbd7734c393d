import { describe, expect, test } from 'vitest';
import type { ToolRequest } from '../../../source/model/types.js';
import { ask, failure, open } from './ask.js';
import { beginStream, sendJson, startServer } from './server.js';
import { answer, chunk, events } from './streams.js';

const { chat } = events;

/** What a compatible server's stream is read as. */
async function answerOf(stream: string) {
  const server = await startServer((response) => beginStream(response).end(stream));
  return ask(open('openai-chat', server.url));
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const done = 'data: [DONE]\n\n';

describe('streams of servers that call themselves compatible', () => {
  test('without usage: zeros that are marked as unknown', async () => {
    const { done: end } = await answerOf(chunk({ content: 'Hi' }) + chunk({}, 'stop') + done);
    expect(end).toMatchObject({ stop: 'end', usage: { input: 0, output: 0 }, usageMissing: true });
  });

  test('usage of which a part is missing, or cannot be: marked as less than it was', async () => {
    for (const part of [{ completion_tokens: 5 }, { prompt_tokens: 1e291, completion_tokens: 5 }]) {
      const { done: end } = await answerOf(chunk({ content: 'Hi' }, 'stop', { usage: part }) + done);
      expect(end).toMatchObject({ usage: { input: 0, output: 5 }, usageMissing: true });
    }
  });

  test('a text that is none: no answer, and not an empty one', async () => {
    for (const content of [42, true, { text: 'Hi' }, [{ type: 'text', text: 7 }]]) {
      const server = await startServer((response) =>
        beginStream(response).end(chunk({ content }) + chunk({}, 'stop', { usage }) + done),
      );
      const { kind, message } = await failure(open('openai-chat', server.url));
      expect({ kind, message }).toMatchObject({
        kind: 'bad-answer',
        message: expect.stringContaining('expected the text of the answer, found '),
      });
    }
  });

  test('usage in every chunk: the last one counts', async () => {
    const grown = (completion_tokens: number) => ({ usage: { prompt_tokens: 10, completion_tokens } });
    const { done: end } = await answerOf(
      chunk({ content: 'a' }, null, grown(1)) +
        chunk({ content: 'b' }, null, grown(2)) +
        chunk({}, 'stop', grown(3)) +
        done,
    );
    expect(end.usage).toMatchObject({ input: 10, output: 3 });
  });

  test('usage in a member of its own (Groq)', async () => {
    const { done: end } = await answerOf(
      chunk({ content: 'a' }) + chunk({}, 'stop', { x_groq: { usage } }) + done,
    );
    expect(end.usage).toMatchObject({ input: 10, output: 5 });
  });

  test('no [DONE]: the finish reason is enough', async () => {
    const { text, done: end } = await answerOf(chunk({ content: 'Hi' }) + chunk({}, 'stop', { usage }));
    expect(text).toBe('Hi');
    expect(end.stop).toBe('end');
  });

  test('no finish reason: [DONE] is enough', async () => {
    const { text, done: end } = await answerOf(chunk({ content: 'Hi' }, null, { usage }) + done);
    expect(text).toBe('Hi');
    expect(end).toMatchObject({ stop: 'end', usage: { input: 10, output: 5 } });
  });

  test('neither: the answer was cut', async () => {
    const server = await startServer((response) =>
      beginStream(response).end(chunk({ content: 'Hi' }, null, { usage })),
    );
    expect(await failure(open('openai-chat', server.url))).toMatchObject({ kind: 'network' });
  });

  test('a text that speaks of [DONE] does not end the stream', async () => {
    const { text } = await answerOf(
      chunk({ content: 'data: [DONE]' }) + chunk({ content: ' is a line' }) + chunk({}, 'stop') + done,
    );
    expect(text).toBe('data: [DONE] is a line');
  });

  test('data without a space after the colon', async () => {
    const { text } = await answerOf(
      (chunk({ content: 'Hi' }) + chunk({}, 'stop') + done).replaceAll('data: ', 'data:'),
    );
    expect(text).toBe('Hi');
  });

  test('chunks with no choices, null choices, null deltas and null contents are passed over', async () => {
    const { text } = await answerOf(
      chat({ choices: [] }) +
        chat({ choices: null }) +
        chat({}) +
        chat({ choices: [{ index: 0, delta: null }] }) +
        chunk({ role: 'assistant', content: null, tool_calls: null, refusal: null }) +
        chunk({ content: 'Hi' }) +
        chunk({}, 'stop') +
        done,
    );
    expect(text).toBe('Hi');
  });

  test('reasoning is no text', async () => {
    const { text } = await answerOf(
      chunk({ reasoning_content: 'Hmm. ' }) +
        chunk({ reasoning: 'Let me see. ' }) +
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Well.' }] }] }) +
        chunk({ content: [{ type: 'text', text: 'It is 42.' }] }) +
        chunk({}, 'stop') +
        done,
    );
    expect(text).toBe('It is 42.');
  });

  test('a whole answer in one JSON, from a server that does not stream', async () => {
    const server = await startServer((response) =>
      sendJson(response, 200, {
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'One moment.',
              tool_calls: [
                { id: 't1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage,
      }),
    );
    const { text, requests, done: end } = await ask(open('openai-chat', server.url));
    expect(text).toBe('One moment.');
    expect(requests).toEqual([{ id: 't1', name: 'get_order', args: { id: 7 } }]);
    expect(end).toMatchObject({ stop: 'tool-calls', usage: { input: 10, output: 5 } });
  });

  test.each([
    [
      'an error with status 200',
      { error: { message: 'model is loading', code: 503 } },
      'overloaded',
      'model is loading',
    ],
    [
      'an error of Ollama with status 200',
      { error: 'model runner has unexpectedly stopped' },
      'overloaded',
      'runner',
    ],
  ])('%s', async (_what, body, kind, says) => {
    const server = await startServer((response) => sendJson(response, 200, body));
    const error = await failure(open('openai-chat', server.url));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(says);
  });

  test('an error event with a numeric code in place of a status (OpenRouter)', async () => {
    const error = JSON.stringify({ error: { code: 429, message: 'Provider is rate limited' }, choices: [] });
    const server = await startServer((response) =>
      beginStream(response).end(`${chunk({ content: 'a' })}data: ${error}\n\n`),
    );
    expect(await failure(open('openai-chat', server.url))).toMatchObject({ kind: 'rate-limit' });
  });

  test('a finish reason that says that the server failed', async () => {
    const server = await startServer((response) =>
      beginStream(response).end(chunk({ content: 'a' }, 'error') + done),
    );
    expect(await failure(open('openai-chat', server.url))).toMatchObject({ kind: 'overloaded' });
  });
});

/** Pieces of `delta.tool_calls`, each in a chunk of its own unless they stand in one list. */
type Piece = object | object[];

const call = (fields: object, name?: string, args?: unknown) => ({
  ...fields,
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});

const two: ToolRequest[] = [
  { id: 'a', name: 'get_order', args: { id: 7 } },
  { id: 'b', name: 'get_user', args: { mail: 'x' } },
];

const assemblies: [what: string, pieces: Piece[], requests: ToolRequest[]][] = [
  [
    'index for each, as OpenAI does',
    [
      call({ index: 0, id: 'a' }, 'get_order', ''),
      call({ index: 0 }, undefined, '{"id"'),
      call({ index: 1, id: 'b' }, 'get_user', '{"mail"'),
      call({ index: 0 }, undefined, ':7}'),
      call({ index: 1 }, undefined, ':"x"}'),
    ],
    two,
  ],
  [
    'no index, whole calls in one chunk (older Ollama)',
    [[call({ id: 'a' }, 'get_order', '{"id":7}'), call({ id: 'b' }, 'get_user', '{"mail":"x"}')]],
    two,
  ],
  [
    'no index, a chunk for each call, continued without an id',
    [
      call({ id: 'a' }, 'get_order', '{"id"'),
      call({}, undefined, ':7}'),
      call({ id: 'b' }, 'get_user', '{"mail"'),
      call({}, undefined, ':"x"}'),
    ],
    two,
  ],
  [
    'index 0 for all (newer Ollama)',
    [
      call({ index: 0, id: 'a' }, 'get_order', '{"id"'),
      call({ index: 0 }, undefined, ':7}'),
      call({ index: 0, id: 'b' }, 'get_user', '{"mail"'),
      call({ index: 0 }, undefined, ':"x"}'),
    ],
    two,
  ],
  [
    'the id again with every piece',
    [
      call({ index: 0, id: 'a' }, 'get_order', '{"id"'),
      call({ index: 0, id: 'a' }, undefined, ':7}'),
      call({ index: 1, id: 'b' }, 'get_user', '{"mail"'),
      call({ index: 1, id: 'b' }, undefined, ':"x"}'),
    ],
    two,
  ],
  [
    'the id again with every piece, and no index',
    [
      call({ id: 'a' }, 'get_order', '{"id"'),
      call({ id: 'b' }, 'get_user', '{"mail"'),
      call({ id: 'a' }, undefined, ':7}'),
      call({ id: 'b' }, undefined, ':"x"}'),
    ],
    two,
  ],
  [
    'the name again with every piece',
    [call({ index: 0, id: 'a' }, 'get_order', '{"id"'), call({ index: 0 }, 'get_order', ':7}')],
    [{ id: 'a', name: 'get_order', args: { id: 7 } }],
  ],
  [
    'an id that comes with a later piece',
    [call({ index: 0 }, 'get_order', '{"id"'), call({ index: 0, id: 'a' }, undefined, ':7}')],
    [{ id: 'a', name: 'get_order', args: { id: 7 } }],
  ],
  [
    'an index that comes with a later piece',
    [call({ id: 'a' }, 'get_order', '{"id"'), call({ index: 0, id: 'a' }, undefined, ':7}')],
    [{ id: 'a', name: 'get_order', args: { id: 7 } }],
  ],
  [
    'an empty id with every piece after the first',
    [call({ index: 0, id: 'a' }, 'get_order', '{"id"'), call({ index: 0, id: '' }, undefined, ':7}')],
    [{ id: 'a', name: 'get_order', args: { id: 7 } }],
  ],
  [
    'the arguments as an object',
    [call({ index: 0, id: 'a' }, 'get_order', { id: 7 })],
    [{ id: 'a', name: 'get_order', args: { id: 7 } }],
  ],
  [
    'no ids: each call gets one of its own',
    [[call({}, 'get_order', '{"id":7}'), call({}, 'get_order', '{"id":8}')]],
    [
      { id: 'call-1-1', name: 'get_order', args: { id: 7 } },
      { id: 'call-1-2', name: 'get_order', args: { id: 8 } },
    ],
  ],
  [
    'one id for two calls: the second gets one of its own',
    [
      call({ index: 0, id: 'a' }, 'get_order', '{"id":7}'),
      call({ index: 1, id: 'a' }, 'get_order', '{"id":8}'),
    ],
    [
      { id: 'a', name: 'get_order', args: { id: 7 } },
      { id: 'call-1-2', name: 'get_order', args: { id: 8 } },
    ],
  ],
];

describe('tool calls in pieces', () => {
  test.each(assemblies)('%s', async (_what, pieces, requests) => {
    const stream = pieces
      .map((piece) => chunk({ tool_calls: Array.isArray(piece) ? piece : [piece] }))
      .join('');
    const answered = await answerOf(stream + chunk({}, 'tool_calls') + done);
    expect(answered.requests).toEqual(requests);
    expect(answered.done.stop).toBe('tool-calls');
  });

  test('a call without a name is no answer', async () => {
    const server = await startServer((response) =>
      beginStream(response).end(
        chunk({ tool_calls: [call({ index: 0, id: 'a' }, undefined, '{}')] }, 'tool_calls') + done,
      ),
    );
    const error = await failure(open('openai-chat', server.url));
    expect(error.kind).toBe('bad-answer');
    expect(error.message).toBe(`${server.host}: the model called a tool without naming it`);
  });
});

describe('fields that a server refuses', () => {
  const refusals: [what: string, field: string, body: object][] = [
    [
      'OpenAI',
      'stream_options',
      { error: { message: 'Unrecognized request argument supplied: stream_options', param: null } },
    ],
    [
      'Mistral',
      'seed',
      {
        object: 'error',
        message: {
          detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }],
        },
      },
    ],
  ];
  test.each(refusals)(
    '%s refuses %s: asked again without it, and never with it from then on',
    async (_who, field, refusal) => {
      const server = await startServer((response, { body }) => {
        if (field in body) sendJson(response, 422, refusal);
        else beginStream(response).end(answer('openai-chat', 'Hi'));
      });
      const model = open('openai-chat', server.url);
      expect((await ask(model)).text).toBe('Hi');
      expect((await ask(model)).text).toBe('Hi');
      expect(server.seen.map(({ body }) => field in body)).toEqual([true, false, false]);
    },
  );

  test('the token limit goes by its other name', async () => {
    const server = await startServer((response, { body }) => {
      if ('max_tokens' in body) {
        const message =
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        sendJson(response, 400, { error: { message, type: 'invalid_request_error', param: 'max_tokens' } });
      } else beginStream(response).end(answer('openai-chat', 'Hi'));
    });
    await ask(open('openai-chat', server.url));
    expect(server.seen.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [100, undefined],
      [undefined, 100],
    ]);
  });

  test('a server that takes neither name of the token limit is not asked for ever', async () => {
    const server = await startServer((response) => {
      sendJson(response, 400, {
        error: { message: 'max_tokens and max_completion_tokens are not supported' },
      });
    });
    expect(await failure(open('openai-chat', server.url))).toMatchObject({ kind: 'bad-request' });
    expect(server.seen.length).toBeLessThanOrEqual(3);
  });

  test('a temperature that a model does not take stays an error: the condition asks for it', async () => {
    const message = "Unsupported value: 'temperature' does not support 0 with this model.";
    const server = await startServer((response) => {
      sendJson(response, 400, { error: { message, param: 'temperature', code: 'unsupported_value' } });
    });
    const error = await failure(open('openai-chat', server.url), { temperature: 0 });
    expect(error).toMatchObject({ kind: 'bad-request' });
    expect(error.message).toContain("'temperature' does not support 0");
    expect(server.seen).toHaveLength(1);
  });

  test('a responses model without reasoning is not asked for its reasoning', async () => {
    const server = await startServer((response, { body }) => {
      if ('include' in body) {
        const message = 'Encrypted content is not supported with this model.';
        sendJson(response, 400, {
          error: { message, type: 'invalid_request_error', param: 'include', code: null },
        });
      } else beginStream(response).end(answer('openai-responses', 'Hi'));
    });
    const model = open('openai-responses', server.url);
    expect((await ask(model)).text).toBe('Hi');
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.body.store).toBe(false);
  });
});

describe('errors in the words of other servers', () => {
  const words: [who: string, status: number, body: unknown, kind: string, says: string][] = [
    [
      'Ollama',
      404,
      { error: 'model "m" not found, try pulling it first' },
      'not-found',
      'try pulling it first',
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens.",
        type: 'BadRequestError',
        code: 400,
      },
      'too-long',
      '4096',
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      },
      'too-long',
      'context size',
    ],
    [
      'llama.cpp, loading',
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'overloaded',
      'Loading model',
    ],
    [
      'FastAPI',
      422,
      { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] },
      'bad-request',
      'body.messages: field required',
    ],
    ['FastAPI, in one text', 401, { detail: 'Not authenticated' }, 'auth', 'Not authenticated'],
    [
      'Gemini',
      400,
      [{ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT' } }],
      'auth',
      'API key not valid',
    ],
    ['a gateway in plain text', 504, 'upstream request timeout', 'overloaded', 'upstream request timeout'],
    [
      'Azure',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist' } },
      'not-found',
      'deployment',
    ],
    [
      'OpenAI, a project without the model',
      403,
      {
        error: {
          message: 'Project `p` does not have access to model `m`',
          type: 'invalid_request_error',
          code: 'model_not_found',
        },
      },
      'not-found',
      'does not have access',
    ],
    [
      'Anthropic, out of money',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
      'auth',
      'nothing left to spend',
    ],
    ['a payment wall', 402, { error: { message: 'Insufficient credits' } }, 'auth', 'nothing left to spend'],
  ];
  test.each(words)('%s', async (_who, status, body, kind, says) => {
    const server = await startServer((response) => {
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
      else sendJson(response, status, body);
    });
    const error = await failure(open('openai-chat', server.url));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(says);
    expect(error.message).toContain(String(status));
    // Read, not dumped.
    expect(error.message).not.toContain('{');
  });

  test('a rate limit that speaks of too many tokens is a rate limit', async () => {
    const server = await startServer((response) => {
      sendJson(response, 429, { message: 'Too many tokens, please wait before trying again.' });
    });
    expect(await failure(open('openai-chat', server.url))).toMatchObject({ kind: 'rate-limit' });
  });

  test('a long explanation without a space costs no time, and its last character is whole', async () => {
    const server = await startServer((response) => {
      sendJson(response, 500, { error: { message: '👋'.repeat(15_000) } });
    });
    const began = performance.now();
    const { message } = await failure(open('openai-chat', server.url));
    expect(message).toContain(`${'👋'.repeat(300)}…`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('an explanation is cut, on one line, and nothing in it moves a cursor', async () => {
    const server = await startServer((response) => {
      sendJson(response, 500, { error: { message: `first\nsecond \u001b[31m\u202e${'x'.repeat(5_000)}` } });
    });
    const { message } = await failure(open('openai-chat', server.url));
    expect(message).toContain('first second ␛[31m⟨U+202E⟩xxx');
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

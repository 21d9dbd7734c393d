import { describe, expect, test } from 'vitest';
import { effectiveInput, type StopReason, type Usage } from '../../../source/model/types.js';
import { type Api, ask, failure, open } from './ask.js';
import { readCassette, replay } from './cassette.js';

interface Recorded {
  api: Api;
  cassette: string;
  at?: number;
  what: string;
  /** The whole text, or how it begins and how long it is. */
  text: string | { begins: string; length: number };
  calls?: [name: string, args: object][];
  stop: StopReason;
  usage: Usage;
  usageMissing?: true;
}

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const recorded: Recorded[] = [
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_message_stream_manager_legacy',
    what: 'a streamed text',
    text: { begins: "Here's a joke about OpenTelemetry:\n\nWhy did the developer", length: 410 },
    stop: 'end',
    usage: { input: 17, output: 108, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_prompt_caching_stream_legacy',
    what: 'a prompt that is written to the cache, 4 tokens beside it',
    text: { begins: 'Here are concise summaries of the three articles:', length: 913 },
    stop: 'end',
    usage: { input: 1169, output: 201, cacheRead: 0, cacheWrite: 1165 },
  },
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_prompt_caching_stream_legacy',
    at: 1,
    what: 'the same prompt read from the cache',
    text: { begins: 'Here are concise summaries of the three articles:', length: 1016 },
    stop: 'end',
    usage: { input: 1169, output: 221, cacheRead: 1165, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_thinking_streaming_legacy',
    what: 'thinking, which counts as output and is no text',
    text: 'The letter \'r\' appears 3 times in the word "strawberry".',
    stop: 'end',
    usage: { input: 52, output: 216, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'pydantic-ai/test_anthropic_model_thinking_part_stream',
    what: 'thinking with usage in both ends of the stream',
    text: { begins: 'Here are the basic steps for safely crossing the street:', length: 1021 },
    stop: 'end',
    usage: { input: 43, output: 282, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_tools_streaming_legacy',
    what: 'two streamed tool calls after a text',
    text: { begins: 'Certainly! I can help you with that information.', length: 175 },
    calls: [
      ['get_weather', { location: 'San Francisco, CA', unit: 'celsius' }],
      ['get_time', { timezone: 'America/Los_Angeles' }],
    ],
    stop: 'tool-calls',
    usage: { input: 506, output: 153, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'openllmetry/test_anthropic_tools_legacy',
    what: 'an answer in one compressed piece',
    text: { begins: "Certainly! I'd be happy to help you with both", length: 168 },
    calls: [
      ['get_weather', { location: 'New York, NY', unit: 'fahrenheit' }],
      ['get_time', { timezone: 'America/New_York' }],
    ],
    stop: 'tool-calls',
    usage: { input: 514, output: 152, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'anthropic',
    cassette: 'pydantic-ai/test_multiple_parallel_tool_calls',
    what: 'four parallel calls of one tool',
    text: { begins: "I'll help you find out who is the youngest", length: 156 },
    calls: ['Alice', 'Bob', 'Charlie', 'Daisy'].map((name) => ['retrieve_entity_info', { name }]),
    stop: 'tool-calls',
    usage: { input: 423, output: 202, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-chat',
    cassette: 'openllmetry/test_chat_streaming_with_events_with_content',
    what: 'a stream without any usage',
    text: 'Why did the opentelemetry developer go broke? \nBecause they kept trying to trace their steps back too far!',
    stop: 'end',
    usage: noTokens,
    usageMissing: true,
  },
  {
    api: 'openai-chat',
    cassette: 'pydantic-ai/test_run_stream_sync_streams_real_model',
    what: 'a tool call, usage in a last chunk without choices',
    text: '',
    calls: [['get_capital', { country: 'UK' }]],
    stop: 'tool-calls',
    usage: { input: 53, output: 15, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-chat',
    cassette: 'pydantic-ai/test_run_stream_sync_streams_real_model',
    at: 1,
    what: 'a text, usage in a last chunk without choices',
    text: 'The capital of the UK is London.',
    stop: 'end',
    usage: { input: 78, output: 9, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-chat',
    cassette: 'openllmetry/test_chat_reasoning',
    what: '192 reasoning tokens inside 203 of output, not on top of them',
    text: '3',
    stop: 'end',
    usage: { input: 11, output: 203, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-chat',
    cassette: 'openllmetry/test_chat_tool_calls',
    what: 'an answer in one compressed piece',
    text: 'The weather in San Francisco is 70 degrees and sunny.',
    stop: 'end',
    usage: { input: 40, output: 12, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-responses',
    cassette: 'pydantic-ai/test_openai_responses_stream',
    what: 'a streamed function call',
    text: '',
    calls: [['get_capital', { country: 'France' }]],
    stop: 'tool-calls',
    usage: { input: 255, output: 16, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-responses',
    cassette: 'pydantic-ai/test_openai_responses_stream',
    at: 1,
    what: 'a streamed text',
    text: 'The capital of France is Paris.',
    stop: 'end',
    usage: { input: 278, output: 9, cacheRead: 0, cacheWrite: 0 },
  },
  {
    api: 'openai-responses',
    cassette: 'pydantic-ai/test_openai_responses_model_retry',
    what: 'two parallel calls, with zeros for usage',
    text: '',
    calls: [
      ['get_location', { loc_name: 'Londos' }],
      ['get_location', { loc_name: 'London' }],
    ],
    stop: 'tool-calls',
    usage: noTokens,
    usageMissing: true,
  },
  {
    api: 'openai-responses',
    cassette: 'pydantic-ai/test_openai_responses_model_retry',
    at: 1,
    what: 'a text that is not all ASCII',
    text: 'It seems "Londos" might be incorrect or unknown. If you meant something else, please clarify.\n\nFor **London**, it\'s located at approximately latitude 51° N and longitude 0° W.',
    stop: 'end',
    usage: { input: 335, output: 44, cacheRead: 0, cacheWrite: 0 },
  },
];

describe('recorded exchanges', () => {
  test.each(recorded)(
    '$api reads $what',
    async ({ api, cassette, at = 0, text, calls = [], stop, usage, usageMissing }) => {
      const server = await replay(cassette, at);
      const answer = await ask(open(api, server.url));
      if (typeof text === 'string') {
        expect(answer.text).toBe(text);
      } else {
        expect(answer.text.slice(0, text.begins.length)).toBe(text.begins);
        expect(answer.text).toHaveLength(text.length);
      }
      expect(answer.requests.map(({ name, args }) => [name, args])).toEqual(calls);
      expect(new Set(answer.requests.map(({ id }) => id)).size).toBe(calls.length);
      expect(answer.done).toMatchObject({ stop, usage });
      expect(answer.done.usageMissing).toBe(usageMissing);
    },
  );

  test('a cached token is counted once: writing and reading the same prompt take the same input', async () => {
    const [cold, warm] = await Promise.all(
      [0, 1].map(async (at) => {
        const server = await replay('openllmetry/test_anthropic_prompt_caching_stream_legacy', at);
        return (await ask(open('anthropic', server.url))).done.usage;
      }),
    );
    expect(cold?.input).toBe(warm?.input);
    expect(effectiveInput(cold as Usage)).toBeCloseTo(4 + 1.25 * 1165);
    expect(effectiveInput(warm as Usage)).toBeCloseTo(4 + 0.1 * 1165);
  });

  test('signed thinking is carried and goes back word for word, where it stood', async () => {
    const cassette = 'openllmetry/test_anthropic_thinking_streaming_legacy';
    const body = String(readCassette(cassette)[0]?.response.body?.string);
    const signature = /"signature_delta","signature":"([^"]+)"/.exec(body)?.[1];
    expect(signature).toBeDefined();
    const server = await replay(cassette);
    const model = open('anthropic', server.url);
    const first = await ask(model);
    await ask(model, {
      messages: [
        { role: 'user', text: 'How many r?' },
        { role: 'assistant', text: first.text, toolRequests: [], carry: first.done.carry ?? [] },
        { role: 'user', text: 'Sure?' },
      ],
    });
    const sent = server.seen[1]?.body.messages[1];
    expect(sent.role).toBe('assistant');
    expect(sent.content).toHaveLength(2);
    expect(sent.content[0]).toMatchObject({ type: 'thinking', signature });
    expect(sent.content[0].thinking).toContain("So the letter 'r' appears 3 times");
    expect(sent.content[1]).toEqual({ type: 'text', text: first.text });
  });

  test.each([
    ['anthropic', 'pydantic-ai/test_anthropic_count_tokens_error', 0, 'model: claude-does-not-exist'],
    [
      'openai-chat',
      'openllmetry/test_chat_reasoning',
      1,
      'The API deployment for this resource does not exist.',
    ],
  ] as const)('%s says that there is no such model', async (api, cassette, at, detail) => {
    const server = await replay(cassette, at);
    const error = await failure(open(api, server.url, { model: 'no-such-model' }));
    expect(error.kind).toBe('not-found');
    expect(error.status).toBe(404);
    expect(error.message).toContain('"no-such-model"');
    expect(error.message).toContain(server.host);
    expect(error.message).toContain(detail);
  });
});

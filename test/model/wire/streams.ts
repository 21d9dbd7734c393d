import type { Api } from './ask.js';

/** The bytes of answers as each API streams them, event by event, so that a test can cut them where it likes. */

function anthropic(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function chat(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'm', ...fields })}\n\n`;
}

function responses(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

export const events = { anthropic, chat, responses };

/** One chunk of a chat completion with one choice. */
export function chunk(delta: object, finish: string | null = null, fields: object = {}): string {
  return chat({ choices: [{ index: 0, delta, finish_reason: finish }], ...fields });
}

/** How an answer of a text begins, up to and without its first word. */
export const opening: Record<Api, string> = {
  anthropic:
    anthropic('message_start', {
      message: { type: 'message', usage: { input_tokens: 10, output_tokens: 1 } },
    }) + anthropic('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  'openai-chat': chunk({ role: 'assistant', content: '' }),
  'openai-responses': responses('response.created', {
    response: { object: 'response', status: 'in_progress' },
  }),
};

/** One piece of text. */
export function piece(api: Api, text: string): string {
  switch (api) {
    case 'anthropic':
      return anthropic('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
    case 'openai-chat':
      return chunk({ content: text });
    case 'openai-responses':
      return responses('response.output_text.delta', { output_index: 0, delta: text });
  }
}

/** How an answer of a text ends, with 10 tokens in and 5 out. */
export const closing: Record<Api, string> = {
  anthropic:
    anthropic('content_block_stop', { index: 0 }) +
    anthropic('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }) +
    anthropic('message_stop', {}),
  'openai-chat': `${chunk({}, 'stop')}${chat({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}data: [DONE]\n\n`,
  'openai-responses': responses('response.completed', {
    response: {
      object: 'response',
      status: 'completed',
      output: [],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    },
  }),
};

/** A whole streamed answer. */
export function answer(api: Api, ...texts: string[]): string {
  return opening[api] + texts.map((text) => piece(api, text)).join('') + closing[api];
}

/** A stream that is on its way to a tool call: its name, and only half of its arguments. */
export const halfToolCall: Record<Api, string> = {
  anthropic:
    opening.anthropic +
    anthropic('content_block_stop', { index: 0 }) +
    anthropic('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: 't1', name: 'get_order', input: {} },
    }) +
    anthropic('content_block_delta', {
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"id":' },
    }),
  'openai-chat': chunk({
    tool_calls: [{ index: 0, id: 't1', function: { name: 'get_order', arguments: '{"id":' } }],
  }),
  'openai-responses':
    responses('response.output_item.added', {
      output_index: 0,
      item: { type: 'function_call', call_id: 't1', name: 'get_order', arguments: '' },
    }) + responses('response.function_call_arguments.delta', { output_index: 0, delta: '{"id":' }),
};

/** An error in the form of each API. */
export function errorBody(api: Api, type: string, message: string, code: string | null = null): object {
  return api === 'anthropic'
    ? { type: 'error', error: { type, message } }
    : { error: { type, message, code, param: null } };
}

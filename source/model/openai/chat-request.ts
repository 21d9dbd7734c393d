import { hash } from 'node:crypto';
import type { OpenAI } from 'openai';
import type { ToolDefinition } from '../../suite/types.js';
import type { ChatMessage, ChatRequest } from '../types.js';
import type { OptionalFields } from '../wire/adjust.js';
import { writeToolArguments } from '../wire/reading.js';

type Message = OpenAI.ChatCompletionMessageParam;

/** What the request's form depends on: whose server it is, and which fields it has refused. */
export interface ChatShape {
  isOpenAi: boolean;
  refused: ReadonlySet<string>;
}

function tokenLimitField({ isOpenAi, refused }: ChatShape): 'max_completion_tokens' | 'max_tokens' {
  const [first, second] = isOpenAi
    ? (['max_completion_tokens', 'max_tokens'] as const)
    : (['max_tokens', 'max_completion_tokens'] as const);
  return refused.has(first) ? second : first;
}

/** Fields that are left out, or named otherwise, for a server that refuses them. */
export function optionalChatFields(isOpenAi: boolean): OptionalFields {
  return {
    named: (refused) => ['stream_options', 'seed', tokenLimitField({ isOpenAi, refused })],
    schema: 'response_format',
  };
}

/**
 * A request in the form of chat completions. The token limit is `max_completion_tokens` for OpenAI, whose newer
 * models take no other, and `max_tokens` for compatible servers, of which many silently ignore the new name; the
 * other one once the first is refused.
 */
export function toChatRequest(
  request: ChatRequest,
  model: string,
  shape: ChatShape,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const { system, tools, temperature, maxTokens, seed, answerSchema } = request;
  const { refused } = shape;
  const body: OpenAI.ChatCompletionCreateParamsStreaming = {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...request.messages.map(toMessage),
    ],
    stream: true,
  };
  body[tokenLimitField(shape)] = maxTokens;
  // A gateway that caches would otherwise give every repeat the same answer.
  if (!refused.has('seed')) body.seed = toNumber(seed);
  if (!refused.has('stream_options')) body.stream_options = { include_usage: true };
  if (answerSchema !== undefined && !refused.has('response_format')) {
    body.response_format = {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: answerSchema, strict: true },
    };
  }
  if (temperature !== undefined) body.temperature = temperature;
  // An empty list is refused by some servers.
  if (tools.length > 0) body.tools = tools.map(toTool);
  return body;
}

/** The APIs take a number: 31 bits of the seed's hash. */
function toNumber(seed: string): number {
  return hash('sha256', seed, 'buffer').readUInt32LE(0) >>> 1;
}

function toTool({ name, description, parameters }: ToolDefinition): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } };
}

function toMessage(message: ChatMessage): Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolRequestId, content: message.content };
    case 'assistant': {
      const { text, toolRequests } = message;
      if (toolRequests.length === 0) return { role: 'assistant', content: text };
      return {
        role: 'assistant',
        content: text === '' ? null : text,
        tool_calls: toolRequests.map(({ id, name, args }) => ({
          id,
          type: 'function',
          function: { name, arguments: writeToolArguments(args) },
        })),
      };
    }
  }
}

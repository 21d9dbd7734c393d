import type Anthropic from '@anthropic-ai/sdk';
import type { JsonObject } from '../../base/json.js';
import type { ToolDefinition } from '../../suite/types.js';
import type { ChatMessage, ChatRequest, ToolRequest } from '../types.js';
import type { OptionalFields } from '../wire/adjust.js';

type Block = Anthropic.ContentBlockParam;

/** What is sent. The SDK's type has no temperature any more, the API's first version still does. */
export type AnthropicRequest = Anthropic.MessageCreateParamsStreaming & { temperature?: number };

/**
 * The API version that takes a temperature. Since 2026-10-21, which the SDK sends, none does, not even for the
 * models that have one; so a condition that names a temperature is asked for in the version before.
 */
export const versionWithTemperature = '2023-06-01';

/** Fields that are left out for a server, or a model, that refuses them. */
export const optionalAnthropicFields: OptionalFields = { named: () => [], schema: 'output_config' };

/** Breaks off the prefix that the provider caches, up to and including the block that has it. */
const breakpoint = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A request in Anthropic's form. With `cache` it marks the tools, the system prompt and the last message: what comes
 * before the mark is the same in every later request of the conversation, so that each request reads what the one
 * before it wrote.
 */
export function toAnthropicRequest(
  request: ChatRequest,
  model: string,
  { cache, refused }: { cache: boolean; refused: ReadonlySet<string> },
): AnthropicRequest {
  const { system, tools, temperature, maxTokens, answerSchema } = request;
  const body: AnthropicRequest = {
    model,
    max_tokens: maxTokens,
    messages: toMessages(request.messages),
    stream: true,
  };
  if (system !== '') body.system = [{ type: 'text', text: system, ...(cache ? breakpoint : {}) }];
  if (tools.length > 0) body.tools = tools.map(toTool);
  if (temperature !== undefined) body.temperature = temperature;
  if (answerSchema !== undefined && !refused.has('output_config')) {
    body.output_config = { format: { type: 'json_schema', schema: answerSchema } };
  }
  if (cache) markCache(body);
  return body;
}

function toTool({ name, description, parameters }: ToolDefinition): Anthropic.Tool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}

function markCache(body: AnthropicRequest): void {
  const tool = body.tools?.at(-1);
  if (tool !== undefined) Object.assign(tool, breakpoint);
  const content = body.messages.at(-1)?.content;
  const block = Array.isArray(content) ? content.at(-1) : undefined;
  // An empty text can hold no mark; thinking cannot either, and ends no message of ours.
  if (block?.type === 'tool_result' || (block?.type === 'text' && block.text !== '')) {
    Object.assign(block, breakpoint);
  }
}

/** Neighbours of the same role become one message: results of parallel calls have to stand together. */
function toMessages(messages: readonly ChatMessage[]): Anthropic.MessageParam[] {
  const sent: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toBlocks(message);
    // An empty answer cannot be sent back: no block may be empty, and no message without one.
    if (content.length === 0) continue;
    const last = sent.at(-1);
    if (last?.role === role) last.content.push(...content);
    else sent.push({ role, content });
  }
  return sent;
}

function toBlocks(message: ChatMessage): Block[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'text', text: message.text }];
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: message.toolRequestId,
          content: message.content,
          is_error: message.isError,
        },
      ];
    case 'assistant': {
      // Made by the reader of this API from the blocks that came; signed thinking is good only word for word.
      if (message.carry !== undefined) return message.carry as unknown as Block[];
      const text: Block[] = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
      const calls = message.toolRequests.map(
        ({ id, name, args }): Block => ({ type: 'tool_use', id, name, input: toToolInput(args) }),
      );
      return [...text, ...calls];
    }
  }
}

/** The API takes objects alone; arguments that were none go back under a name that says so. */
export function toToolInput(args: ToolRequest['args']): JsonObject {
  return typeof args === 'string' ? { INVALID_JSON: args } : args;
}

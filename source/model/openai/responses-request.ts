import type { OpenAI } from 'openai';
import type { ToolDefinition } from '../../suite/types.js';
import type { ChatMessage, ChatRequest } from '../types.js';
import type { OptionalFields } from '../wire/adjust.js';
import { writeToolArguments } from '../wire/reading.js';

type Item = OpenAI.Responses.ResponseInputItem;

/** Fields that are left out for a server, or a model, that refuses them. */
export const optionalResponseFields: OptionalFields = { named: () => ['include', 'store'], schema: 'text' };

/**
 * A request in the form of the responses API. Nothing is stored at the provider, so reasoning comes encrypted and is
 * sent back with the conversation; models without reasoning refuse to be asked for it.
 */
export function toResponsesRequest(
  request: ChatRequest,
  model: string,
  refused: ReadonlySet<string>,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { system, tools, temperature, maxTokens, messages, answerSchema } = request;
  const body: OpenAI.Responses.ResponseCreateParamsStreaming = {
    model,
    input: messages.flatMap(toItems),
    max_output_tokens: maxTokens,
    stream: true,
  };
  if (!refused.has('store')) body.store = false;
  if (!refused.has('include')) body.include = ['reasoning.encrypted_content'];
  if (answerSchema !== undefined && !refused.has('text')) {
    body.text = { format: { type: 'json_schema', name: 'answer', schema: answerSchema, strict: true } };
  }
  if (system !== '') body.instructions = system;
  if (temperature !== undefined) body.temperature = temperature;
  if (tools.length > 0) body.tools = tools.map(toTool);
  return body;
}

function toTool({ name, description, parameters }: ToolDefinition): OpenAI.Responses.FunctionTool {
  // Strict would change the schema's meaning: every property required, no others allowed.
  return { type: 'function', name, description, parameters, strict: false };
}

function toItems(message: ChatMessage): Item[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.toolRequestId, output: message.content }];
    case 'assistant': {
      // Made by the reader of this API from the items that came.
      if (message.carry !== undefined) return message.carry as unknown as Item[];
      const text: Item[] = message.text === '' ? [] : [{ role: 'assistant', content: message.text }];
      const calls = message.toolRequests.map(
        ({ id, name, args }): Item => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: writeToolArguments(args),
        }),
      );
      return [...text, ...calls];
    }
  }
}

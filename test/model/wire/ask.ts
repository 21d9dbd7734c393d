import { openAnthropic } from '../../../source/model/anthropic/open.js';
import { openOpenAiChat } from '../../../source/model/openai/chat.js';
import { openOpenAiResponses } from '../../../source/model/openai/responses.js';
import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  ModelError,
  type ToolRequest,
} from '../../../source/model/types.js';
import type { ProviderOptions } from '../../../source/model/wire/options.js';

export type Api = 'anthropic' | 'openai-chat' | 'openai-responses';
export const apis: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

const openers = {
  anthropic: openAnthropic,
  'openai-chat': openOpenAiChat,
  'openai-responses': openOpenAiResponses,
};

/** The path that a client of this API asks below the server's root, given `baseURL` as `baseOf` makes it. */
export const pathOf: Record<Api, string> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
};

export const markedKey = 'sk-marked-7f3a9c0b1d5e8f2a4c6b';

/** A client of an API for a server on this machine. */
export function open(api: Api, serverUrl: string, options: Partial<ProviderOptions> = {}): ChatModel {
  return openers[api]({
    model: 'model-under-test',
    name: `${api}:model-under-test`,
    apiKey: markedKey,
    baseURL: `${serverUrl}/v1`,
    ...options,
  });
}

export const hello: ChatRequest = {
  system: 'You are an agent.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  maxTokens: 100,
  seed: 'seed-1',
};

export interface Answer {
  text: string;
  requests: ToolRequest[];
  done: Extract<ChatEvent, { type: 'done' }>;
  events: ChatEvent[];
}

/** Everything that a model answers. */
export async function ask(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<Answer> {
  const events: ChatEvent[] = [];
  for await (const event of model.stream({ ...hello, ...request })) events.push(event);
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error('the answer does not end with done');
  return {
    text: events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''),
    requests: events.flatMap((event) => (event.type === 'tool-request' ? [event.request] : [])),
    done,
    events,
  };
}

/** The error of a request that has to fail. */
export async function failure(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ModelError> {
  try {
    await ask(model, request);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('the request was answered');
}

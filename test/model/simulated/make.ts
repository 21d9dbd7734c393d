import { expect } from 'vitest';
import type { Clock } from '../../../source/base/clock.js';
import { compileBehaviours } from '../../../source/model/simulated/compile.js';
import { findMistakes } from '../../../source/model/simulated/mistakes.js';
import { createSimulatedModel } from '../../../source/model/simulated/model.js';
import { type BehavioursFile, behavioursSchema } from '../../../source/model/simulated/schema.js';
import type { ChatEvent, ChatMessage, ChatModel, ChatRequest } from '../../../source/model/types.js';
import { createFakeClock } from '../fake-clock.js';

/** What a file of behaviours says, without what every file must say. */
export type Behaviours = Omit<BehavioursFile, 'name' | 'otherwise'> & Partial<BehavioursFile>;

export const otherwiseSays = 'I do not know.';

/** A model that answers at once, unless told otherwise. */
export function makeModel(
  file: Behaviours,
  { clock = createFakeClock(), latencyFactor = 0 }: { clock?: Clock; latencyFactor?: number } = {},
): ChatModel {
  const whole = { name: 'made-up', otherwise: { steps: [{ say: otherwiseSays }] }, ...file };
  expect(findMistakes(whole, whole.name)).toEqual([]);
  return createSimulatedModel(compileBehaviours(behavioursSchema.parse(whole)), { clock, latencyFactor });
}

export const user = (text: string): ChatMessage => ({ role: 'user', text });

export const assistant = (text: string, ...tools: string[]): ChatMessage => ({
  role: 'assistant',
  text,
  toolRequests: tools.map((name, at) => ({ id: `${name}-${at}`, name, args: {} })),
});

export const toolResult = (name: string, content: string): ChatMessage => ({
  role: 'tool',
  toolRequestId: `${name}-0`,
  name,
  content,
  isError: false,
});

/** A request with sensible parts; a text stands for a conversation of one message. */
export function makeRequest(messages: string | ChatMessage[], more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    system: 'You are a support agent.',
    messages: typeof messages === 'string' ? [user(messages)] : messages,
    tools: [],
    maxTokens: 800,
    seed: 'seed/1',
    ...more,
  };
}

export interface Answered {
  text: string;
  calls: { name: string; args: unknown }[];
  stop: string;
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number };
  events: ChatEvent[];
}

/** Reads a whole answer. */
export async function ask(
  model: ChatModel,
  messages: string | ChatMessage[],
  more: Partial<ChatRequest> = {},
): Promise<Answered> {
  const events: ChatEvent[] = [];
  for await (const event of model.stream(makeRequest(messages, more))) events.push(event);
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error('the answer has no end');
  return {
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) =>
      event.type === 'tool-request' ? [{ name: event.request.name, args: event.request.args }] : [],
    ),
    stop: done.stop,
    usage: done.usage,
    events,
  };
}

/** The text alone. */
export async function say(
  model: ChatModel,
  messages: string | ChatMessage[],
  more: Partial<ChatRequest> = {},
): Promise<string> {
  return (await ask(model, messages, more)).text;
}

import type { ChatEvent, ChatModel, ChatRequest, ModelError } from '../../source/model/types.js';

export const request: ChatRequest = {
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  maxTokens: 10,
  seed: 'seed',
};

export const done: ChatEvent = {
  type: 'done',
  stop: 'end',
  usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
};

export const say = (text: string): ChatEvent => ({ type: 'text', text });

/** A model that plays one line of its script for each request: events, and an error in the place of one. */
export function scripted(
  ...script: (ChatEvent | ModelError | Error)[][]
): ChatModel & { readonly asked: number } {
  let asked = 0;
  return {
    name: 'scripted:model',
    get asked() {
      return asked;
    },
    async *stream() {
      const line = script[Math.min(asked++, script.length - 1)] ?? [];
      for (const event of line) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

/** All events of an answer. */
export async function collect(model: ChatModel, changes: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of model.stream({ ...request, ...changes })) events.push(event);
  return events;
}

import { createPieceReplacer, type Matcher, replaceInJson } from '../../project/matcher.js';
import type { ChatEvent, ChatModel, ToolRequest } from '../types.js';

/**
 * The model, with keys taken out of what it answers, also where one is split over pieces of the stream. What it wants
 * back word for word stays: it is kept nowhere.
 */
export function withoutKeys(model: ChatModel, keys: Matcher): ChatModel {
  if (keys.isEmpty) return model;
  const redact = ({ id, name, args }: ToolRequest): ToolRequest => ({
    id,
    name: keys.replace(name),
    args: replaceInJson(keys, args),
  });
  return {
    ...model,
    async *stream(request) {
      const replacer = createPieceReplacer(keys);
      const textEvent = (text: string): ChatEvent[] => (text === '' ? [] : [{ type: 'text', text }]);
      for await (const event of model.stream(request)) {
        if (event.type === 'text') {
          yield* textEvent(replacer.push(event.text));
          continue;
        }
        yield* textEvent(replacer.end());
        yield event.type === 'tool-request' ? { ...event, request: redact(event.request) } : event;
      }
    },
  };
}

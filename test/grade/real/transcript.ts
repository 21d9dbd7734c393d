import type { Json, JsonObject } from '../../../source/base/json.js';
import { isJsonObject } from '../../../source/base/json.js';
import type { Transcript } from '../../../source/play/types.js';
import { conversationOf, type Said } from '../transcripts.js';
import type { RecordedMessage } from './read-data.js';

/** A conversation in OpenAI's form as a transcript: a turn for each user message with what came before the next one. */
export function transcriptOf(messages: readonly RecordedMessage[]): Transcript {
  const results = new Map(messages.map((message) => [message.tool_call_id, message.content]));
  const turns: { message: string; said: Said[] }[] = [];
  for (const { role, content, tool_calls: calls = [] } of messages) {
    if (role === 'user') turns.push({ message: content ?? '', said: [] });
    if (role !== 'assistant') continue;
    const said = turns.at(-1)?.said;
    if (!said) throw new Error('the agent spoke first');
    if (content) said.push(content);
    for (const { id, function: called } of calls) {
      const args = readJson(called.arguments);
      said.push({
        kind: 'tool',
        call: {
          name: called.name,
          args: isJsonObject(args) ? (args as JsonObject) : called.arguments,
          result: readJson(results.get(id) ?? ''),
          from: 'fixture',
        },
      });
    }
  }
  // The simulated user's farewell ends the conversation: nobody answers it.
  if (turns.at(-1)?.said.length === 0) turns.pop();
  return conversationOf(turns);
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

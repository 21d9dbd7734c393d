import { isJsonObject } from '../../base/json.js';
import type { ChatEvent, StopReason } from '../types.js';
import type { AnswerReader } from '../wire/client.js';
import { BrokenAnswer, ServerComplaint } from '../wire/complaint.js';
import { listAt, objectAt, textAt } from '../wire/reading.js';
import { metered, readOpenAiUsage } from '../wire/usage.js';
import { writtenAt } from '../wire/written.js';
import { createToolCallAssembler } from './tool-calls.js';

/**
 * Reads an answer of the chat completions API, OpenAI's and that of servers that imitate it:
 * - the answer is whole when there was a finish reason or the `[DONE]` line; a stream that ends with neither was cut;
 * - usage may come with any chunk, with a last one that has no choices, or never, which is said with `done`;
 * - reasoning (`reasoning_content`, `reasoning`, thinking parts) is no part of the text;
 * - a finish reason that contradicts what came is corrected: with tool calls the model stopped to call them.
 */
export function createChatReader(idPrefix: string): AnswerReader {
  const calls = createToolCallAssembler(idPrefix);
  let usage: unknown;
  let finishReason = '';
  let hasRefused = false;
  let cameWhole = false;

  function takeDelta(delta: unknown): ChatEvent[] {
    const refusal = textAt(delta, 'refusal');
    if (refusal !== '') hasRefused = true;
    for (const call of listAt(delta, 'tool_calls')) calls.take(call);
    return [readContent(delta), refusal]
      .filter((text) => text !== '')
      .map((text) => ({ type: 'text', text }));
  }

  function take(chunk: unknown): ChatEvent[] {
    // Groq puts it into a member of its own.
    usage = objectAt(chunk, 'usage') ?? objectAt(objectAt(chunk, 'x_groq'), 'usage') ?? usage;
    const choice = listAt(chunk, 'choices')[0];
    finishReason = textAt(choice, 'finish_reason') || finishReason;
    if (finishReason === 'error' || finishReason === 'insufficient_system_resource') {
      throw new ServerComplaint({ message: `finish_reason ${finishReason}` });
    }
    return takeDelta(objectAt(choice, 'delta') ?? objectAt(choice, 'message'));
  }

  return {
    get isWhole() {
      return finishReason !== '' && usage !== undefined;
    },
    get usage() {
      return usage === undefined ? undefined : readOpenAiUsage(usage);
    },
    take,
    takeWhole(body) {
      if (!isJsonObject(listAt(body, 'choices')[0])) throw new BrokenAnswer('the answer has no choices');
      cameWhole = true;
      return take(body);
    },
    finish({ doneMarker }) {
      if (finishReason === '' && !doneMarker && !cameWhole) return undefined;
      const requests = calls.requests();
      const stop = toStop(finishReason, hasRefused, requests.length > 0);
      return [
        ...requests.map((request): ChatEvent => ({ type: 'tool-request', request })),
        { type: 'done', stop, ...metered(readOpenAiUsage(usage), [usage]) },
      ];
    },
  };
}

/** A text, or a list of parts of which the text parts are the answer (Mistral's thinking models). */
function readContent(delta: unknown): string {
  const parts = listAt(delta, 'content');
  if (parts.length === 0) return writtenAt(delta, 'content');
  return parts
    .filter((part) => textAt(part, 'type') === 'text')
    .map((part) => writtenAt(part, 'text'))
    .join('');
}

function toStop(reason: string, hasRefused: boolean, hasCalls: boolean): StopReason {
  if (reason === 'content_filter' || hasRefused) return 'refused';
  if (reason === 'length' || reason === 'model_length' || reason === 'max_tokens') return 'cut-off';
  return hasCalls ? 'tool-calls' : 'end';
}

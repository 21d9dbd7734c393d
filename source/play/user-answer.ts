import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json.js';
import { parseJsonText } from '../base/json-text.js';
import { quote } from '../base/quote.js';
import type { StopReason } from '../model/types.js';

/** What the simulated user is asked for. */
const answerShape = z.object({ message: z.string(), done: z.boolean() });

/** The same as JSON Schema, for providers that can enforce one. */
export const userAnswerSchema: JsonObject = {
  type: 'object',
  properties: { message: { type: 'string' }, done: { type: 'boolean' } },
  required: ['message', 'done'],
  additionalProperties: false,
};

/** What the simulated user says next. */
export interface UserSays {
  /** Undefined: nothing is sent. */
  message: string | undefined;
  /** The goal is reached, or there is nothing left to say. */
  isDone: boolean;
}

/** An answer of the model, whole. */
export interface RawAnswer {
  text: string;
  stop: StopReason;
  /** Whether it asked for a tool; there are none. */
  calledTool: boolean;
}

/** A line that begins with the name of the other side. Behind a mark of quotation it is a quotation. */
const agentLine =
  /^[ \t]*(?:\*{1,2}|__|\[|<)?(?:ai |support |customer service |virtual )?(?:agent|assistant|bot|chatbot|support|representative|operator)(?:\*{1,2}|__|\]|>)?[ \t]*:(?:\*{1,2})?/im;

/** The name of the user's own side before what it says: people type no such thing. */
const ownLabel = /^(?:\*{1,2})?(?:user|customer|human|person|client)(?:\*{1,2})?[ \t]*:/i;

/** As many characters as nobody says by chance word for word like somebody else. */
const noChance = 40;

/** White space folded, for comparing what was said. */
function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The text without a byte order mark, zero-width characters at its ends, and a code fence around all of it. */
function unwrap(text: string): string {
  const bare = text.replace(/^[\s\ufeff\u200b-\u200d\u2060]+|[\s\ufeff\u200b-\u200d\u2060]+$/g, '');
  return /^```[a-z]*\s*\n?([\s\S]*?)\n?\s*```$/i.exec(bare)?.[1] ?? bare;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = parseJsonText(text);
    return isJsonObject(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads an answer of the model that plays the user: one JSON object, alone. `lastReply`: what the agent said last,
 * undefined when nobody has spoken. Gives what is wrong where it could not be sent: it is no such object, it is
 * empty without being done, or it speaks for the agent.
 */
export function readUserAnswer(
  answer: RawAnswer,
  lastReply: string | undefined,
): UserSays | { mistake: string } {
  if (answer.calledTool) return { mistake: 'it calls a tool, and there are none' };
  if (answer.stop === 'refused') return { mistake: 'the model refused to answer' };
  if (answer.stop === 'cut-off') return { mistake: 'it was cut off at the limit of output tokens' };
  const object = parseObject(unwrap(answer.text));
  if (object === undefined) return { mistake: 'it is not one JSON object and nothing else' };
  const read = answerShape.safeParse(object);
  if (!read.success) {
    const key = String(read.error.issues[0]?.path[0] ?? 'message');
    const wanted = key === 'done' ? 'true or false' : 'a text';
    return { mistake: `"${key}" is ${key in object ? 'not' : 'missing: it has to be'} ${wanted}` };
  }
  const { done: isDone } = read.data;
  const message = read.data.message.trim();
  if (message === '') {
    if (isDone && lastReply !== undefined) return { message: undefined, isDone };
    const why = isDone ? 'nobody has spoken yet' : '"done" is false';
    return { mistake: `the message is empty, and ${why}` };
  }
  const spoken = agentLine.exec(message)?.[0];
  if (spoken !== undefined)
    return { mistake: `it speaks for the agent: a line begins with ${quote(spoken.trim())}` };
  if (ownLabel.test(message)) return { mistake: 'it begins with the name of a speaker' };
  if (message.length >= noChance && lastReply !== undefined && fold(message) === fold(lastReply))
    return { mistake: 'it says word for word what the agent has said' };
  return { message, isDone };
}

import { isJsonObject, type Json, type JsonObject } from '../../base/json.js';
import { parseJsonText } from '../../base/json-text.js';
import type { ToolCall } from '../types.js';

/** A tool call that could not be understood: `key` leads to what is wrong, as in `[2].name`. */
export interface ToolCallMistake {
  key: string;
  message: string;
}

function firstOf(value: JsonObject, ...keys: string[]): Json | undefined {
  for (const key of keys) if (value[key] !== undefined) return value[key];
  return undefined;
}

/** Arguments as the product wrote them; a text that holds a JSON object is that object. */
function readArguments(value: Json | undefined): JsonObject | string | undefined {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = parseJsonText(value);
    return isJsonObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

/**
 * One tool call in any of the shapes that products report: `name` (or `tool`, `toolName`) with `args` (or
 * `arguments`, `input`, `parameters`) and `result` (or `output`, `response`) or `error`; or the OpenAI shape with
 * all of that under `function`. Arguments may be JSON in a text.
 */
function readToolCall(value: Json): ToolCall | ToolCallMistake {
  if (!isJsonObject(value)) return { key: '', message: 'expected an object with name, args and result' };
  const call = isJsonObject(value.function) ? { ...value, ...value.function } : value;
  const name = firstOf(call, 'name', 'tool', 'toolName');
  if (typeof name !== 'string' || name === '') {
    return { key: '.name', message: 'expected the name of the tool, a text that is not empty' };
  }
  const args = readArguments(firstOf(call, 'args', 'arguments', 'input', 'parameters'));
  if (args === undefined)
    return { key: '.args', message: 'expected an object of arguments, or one as JSON text' };
  const read: ToolCall = { name, args, from: 'product' };
  const error = firstOf(call, 'error');
  const result = firstOf(call, 'result', 'output', 'response');
  if (error !== undefined && error !== null && error !== false) {
    read.error = typeof error === 'string' ? error : JSON.stringify(error);
  } else if (result !== undefined) {
    read.result = result;
  }
  return read;
}

/** The calls, or the first one that could not be understood. */
export function readToolCalls(values: readonly Json[]): ToolCall[] | ToolCallMistake {
  const calls: ToolCall[] = [];
  for (const [index, value] of values.entries()) {
    const call = readToolCall(value);
    if ('key' in call) return { key: `[${index}]${call.key}`, message: call.message };
    calls.push(call);
  }
  return calls;
}

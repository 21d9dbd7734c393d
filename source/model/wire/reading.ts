import { isJsonObject, type JsonObject } from '../../base/json.js';
import { parseJsonText } from '../../base/json-text.js';
import type { ToolRequest } from '../types.js';

/**
 * Reading what a server sent. Servers that call themselves compatible leave members out, send null for them or
 * another type, so nothing is taken for granted: what is not there reads as empty.
 */

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : undefined;
}

export function listAt(value: unknown, key: string): unknown[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(member) ? member : [];
}

export function textAt(value: unknown, key: string): string {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : '';
}

/** No request takes more tokens than this, by orders of magnitude: a larger number counts something else. */
export const mostTokens = 1e9;

/** A number of tokens, or undefined when there is none: negative, broken and impossible numbers are none. */
export function countAt(value: unknown, key: string): number | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'number' && member >= 0 && member <= mostTokens ? Math.round(member) : undefined;
}

/**
 * The arguments of a tool call. A JSON object is parsed, nothing at all is a call without arguments, and
 * anything else stays the text that the model wrote.
 */
export function readToolArguments(written: string): ToolRequest['args'] {
  if (written.trim() === '') return {};
  try {
    const value: unknown = parseJsonText(written);
    return isJsonObject(value) ? value : written;
  } catch {
    return written;
  }
}

/** Tool arguments as a provider gets them back that takes them as text: what was written, or its JSON. */
export function writeToolArguments(args: ToolRequest['args']): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}

import { isJsonObject, type Json } from '../../base/json.js';
import { parseJsonText } from '../../base/json-text.js';

/** Bytes of what one tool may answer; a model reads no more. */
export const largestResult = 4 * 1024 * 1024;

/** What a tool wrote, as its answer: JSON, else the text as it is; `{"error": text}` alone is an error of the tool. */
export function readResult(text: string): { result: Json } | { error: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { result: null };
  let value: Json;
  try {
    value = parseJsonText(trimmed);
  } catch {
    return { result: trimmed };
  }
  if (isJsonObject(value) && typeof value.error === 'string' && Object.keys(value).length === 1)
    return { error: value.error };
  return { result: value };
}

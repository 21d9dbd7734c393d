import { isJsonObject, type Json } from '../../base/json.js';
import { jsonMistake, parseUnambiguous } from '../../base/json-text.js';
import { type ProductError, readProductError } from '../product/product-error.js';

/** A line that a program wrote, read. `id` is that of the request it belongs to. */
export type ProtocolMessage =
  | { kind: 'delta'; id: number; delta: string }
  | { kind: 'result'; id: number; result: Json }
  | { kind: 'error'; id: number; error: ProductError };

/** Reads one line. `mistake`: what is wrong with it, to follow "a line". */
export function readMessage(line: string): ProtocolMessage | { mistake: string } {
  let value: unknown;
  try {
    value = parseUnambiguous(line.replace(/^\ufeff/, ''));
  } catch (error) {
    return { mistake: `that ${jsonMistake(error)}` };
  }
  if (!isJsonObject(value)) return { mistake: 'that is not a JSON object' };
  const { id, delta, result, error } = value;
  if (typeof id !== 'number') return { mistake: 'without the id of its request' };
  if (error !== undefined) return { kind: 'error', id, error: readProductError(error) };
  if (result !== undefined) return { kind: 'result', id, result };
  if (typeof delta === 'string') return { kind: 'delta', id, delta };
  return { mistake: delta === undefined ? 'without delta, result or error' : 'whose delta is not a text' };
}

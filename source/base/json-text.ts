import type { Json } from './json.js';
import { deepestNesting } from './nodes.js';

const tooDeep = `nested deeper than ${deepestNesting} levels`;

/**
 * Reads JSON that a model, a product or a tool wrote. Throws SyntaxError for what is none, and for what is nested so
 * deeply that writing it or walking through it again would exhaust the stack.
 */
export function parseJsonText(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (isTooDeep(value)) throw new SyntaxError(tooDeep);
  return value;
}

/** Whether a value is nested deeper than is read. Takes no stack itself. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) return true;
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const child of Object.values(one))
        if (typeof child === 'object' && child !== null) below.push(child);
    }
    level = below;
  }
  return false;
}

/** What is wrong with a JSON text, to follow "what"; undefined where nothing is. */
export function jsonMistake(error: unknown): string {
  return error instanceof SyntaxError && error.message === tooDeep ? `is ${tooDeep}` : 'is not JSON';
}

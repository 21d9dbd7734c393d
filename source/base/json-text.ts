import type { Json } from './json.js';
import { deepestNesting } from './nodes.js';
import { quote } from './quote.js';

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

/** An object that has two members of one name: readers differ in which of them counts. */
class RepeatedNameError extends SyntaxError {}

/**
 * The same of JSON in which what was meant is to be beyond doubt: throws SyntaxError also for an object that names a
 * member twice.
 */
export function parseUnambiguous(text: string): Json {
  const value = parseJsonText(text);
  const name = repeatedName(text);
  if (name !== undefined) throw new RepeatedNameError(`names ${quote(name)} twice in one object`);
  return value;
}

/** The first member's name, in a text that is JSON, that its object has already. */
function repeatedName(text: string): string | undefined {
  // One for every object or list that is open; lists name nothing.
  const open: (Set<string> | undefined)[] = [];
  const marks = /[{}[\],"]/g;
  let isNameNext = false;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const [mark] = found;
    const names = open.at(-1);
    if (mark === '"') {
      const end = endOfText(text, found.index);
      marks.lastIndex = end;
      if (!isNameNext || names === undefined) continue;
      isNameNext = false;
      const name = String(JSON.parse(text.slice(found.index, end)));
      if (names.has(name)) return name;
      names.add(name);
    } else {
      if (mark === '{' || mark === '[') open.push(mark === '{' ? new Set() : undefined);
      else if (mark !== ',') open.pop();
      isNameNext = mark === '{' || (mark === ',' && names !== undefined);
    }
  }
  return undefined;
}

/** Behind the quotation mark that ends what begins with one. A pattern for it would take a stack for a long text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let backslashes = 0;
    while (text.charAt(at - 1 - backslashes) === '\\') backslashes++;
    if (at < 0) return text.length;
    if (backslashes % 2 === 0) return at + 1;
  }
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
  if (error instanceof RepeatedNameError) return error.message;
  return error instanceof SyntaxError && error.message === tooDeep ? `is ${tooDeep}` : 'is not JSON';
}

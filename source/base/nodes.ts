import type { Problem } from './errors.js';
import type { Json, JsonObject } from './json.js';

/** Line and column count from 1, columns in UTF-16 units as editors count them. */
export interface Position {
  line: number;
  column: number;
}

/** A value with the place of each of its parts, whatever format it was written in. */
export type DataNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: 'scalar';
  at: Position;
  value: null | boolean | number | string;
  /** How a value that is no text was written (`007`); empty where nothing was written (`key:`). */
  source?: string;
}

export interface ListNode {
  kind: 'list';
  at: Position;
  items: DataNode[];
}

/** Keys are unique. */
export interface MapNode {
  kind: 'map';
  at: Position;
  entries: MapEntry[];
}

export interface MapEntry {
  key: string;
  keyAt: Position;
  value: DataNode;
}

/** Deepest nesting that is read: deeper data is a mistake or an attack, and would exhaust the stack. */
export const deepestNesting = 200;

/** The value alone. Parts that an alias repeats are repeated. */
export function toPlain(node: DataNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(toPlain);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlain(value)])) as JsonObject;
  }
}

export function entryOf(node: DataNode, key: string): MapEntry | undefined {
  return node.kind === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;
}

/** The node at a path of keys and indexes, undefined where there is none. */
export function nodeAt(node: DataNode, path: readonly PropertyKey[]): DataNode | undefined {
  let current: DataNode | undefined = node;
  for (const step of path) {
    if (current?.kind === 'list') current = typeof step === 'number' ? current.items[step] : undefined;
    else if (current?.kind === 'map') current = entryOf(current, String(step))?.value;
    else return undefined;
  }
  return current;
}

/** Where the node at a path stands; where there is none, its nearest ancestor that exists. */
export function positionAt(node: DataNode, path: readonly PropertyKey[]): Position {
  for (let length = path.length; length > 0; length--) {
    const found = nodeAt(node, path.slice(0, length));
    if (found !== undefined) return found.at;
  }
  return node.at;
}

export function problemAt(file: string, at: Position, message: string): Problem {
  return { file, line: at.line, column: at.column, message };
}

/** Gives line and column of a UTF-16 offset into a text whose lines end in `\n`. */
export function createLineTable(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** What is wrong with a number that was written as `source`, undefined when JSON can hold it. */
export function numberMistake(source: string, value: number): string | undefined {
  if (!Number.isFinite(value)) return `${source} is no number that JSON can hold; put it in quotes`;
  // A whole number that a program wrote comes back as the same digits; one that does not would be another number.
  if (/^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value) && !isSameWhole(source, value)) {
    return `${source} has more digits than a number keeps; put it in quotes to keep it as it is`;
  }
  return undefined;
}

function isSameWhole(source: string, value: number): boolean {
  const digits = String(value);
  return BigInt(source) === (digits.includes('e') ? BigInt(value) : BigInt(digits));
}

const unpairedSurrogate = /\p{Surrogate}/u;

/** What is wrong with a text, undefined when it can be sent and stored as UTF-8. */
export function textMistake(text: string): string | undefined {
  const found = unpairedSurrogate.exec(text)?.[0];
  if (found === undefined) return undefined;
  return `the escape \\u${found.charCodeAt(0).toString(16)} is half of a surrogate pair, which is no character; write both halves`;
}

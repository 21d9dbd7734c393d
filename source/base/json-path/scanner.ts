import { JsonPathError } from './types.js';

/** A text that is read from left to right. */
export interface Scanner {
  at(): number;
  /** Goes back to a place that `at` gave. */
  back(offset: number): void;
  isOver(): boolean;
  /** Whether this stands next; reads nothing. */
  sees(text: string): boolean;
  /** Reads this where it stands next. */
  takes(text: string): boolean;
  /** Reads what the expression, which is sticky, finds here. */
  match(expression: RegExp): string | undefined;
  skipBlank(): void;
  /** The error that something else was expected here. */
  fail(expected: string): JsonPathError;
}

export function createScanner(text: string): Scanner {
  let offset = 0;
  const scanner: Scanner = {
    at: () => offset,
    back: (to) => {
      offset = to;
    },
    isOver: () => offset >= text.length,
    sees: (part) => text.startsWith(part, offset),
    takes: (part) => {
      if (!text.startsWith(part, offset)) return false;
      offset += part.length;
      return true;
    },
    match: (expression) => {
      expression.lastIndex = offset;
      const found = expression.exec(text)?.[0];
      offset += found?.length ?? 0;
      return found;
    },
    skipBlank: () => {
      scanner.match(/[ \t\n\r]*/y);
    },
    fail: (expected) => {
      const [next] = text.slice(offset, offset + 2);
      const seen = next === undefined ? 'the end' : JSON.stringify(next);
      return new JsonPathError(`expected ${expected}, saw ${seen}`, offset);
    },
  };
  return scanner;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads a text in single or double quotes; undefined where none stands. Throws JsonPathError. */
export function readText(scanner: Scanner): string | undefined {
  const end = scanner.takes("'") ? "'" : scanner.takes('"') ? '"' : undefined;
  if (end === undefined) return undefined;
  const plain = end === "'" ? /[^\u0000-\u001f'\\\p{Surrogate}]+/uy : /[^\u0000-\u001f"\\\p{Surrogate}]+/uy;
  let value = '';
  while (!scanner.takes(end)) {
    const part = scanner.match(plain);
    if (part !== undefined) value += part;
    else if (scanner.takes('\\')) value += readEscape(scanner, end);
    else throw scanner.fail(`the end of the text, ${end}`);
  }
  return value;
}

function readEscape(scanner: Scanner, end: string): string {
  const character = scanner.match(/[bfnrt/\\'"]/y);
  if (character !== undefined) {
    if ((character === "'" || character === '"') && character !== end) {
      scanner.back(scanner.at() - 1);
      throw scanner.fail('an escape');
    }
    return escapes[character] ?? character;
  }
  const code = scanner.match(
    /u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?![dD][89a-fA-F])[0-9a-fA-F]{4})/y,
  );
  if (code === undefined) throw scanner.fail('an escape');
  return JSON.parse(`"\\${code}"`) as string;
}

/** Reads a whole number as names and slices have it; undefined where none stands. Throws JsonPathError. */
export function readWhole(scanner: Scanner): number | undefined {
  const from = scanner.at();
  const digits = scanner.match(/0(?!\d)|-?[1-9]\d*/y);
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  scanner.back(from);
  throw scanner.fail('a smaller number');
}

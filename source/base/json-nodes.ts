import type { Problem } from './errors.js';
import {
  createLineTable,
  type DataNode,
  deepestNesting,
  type MapEntry,
  numberMistake,
  type Position,
  problemAt,
  textMistake,
} from './nodes.js';
import { quote } from './quote.js';

/** A place where the text stops being JSON. */
class JsonMistake extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const wordForm = /[\p{L}\p{N}_.+-]+/uy;
const spaces = /[ \t\n\r]*/y;

/**
 * Reads one JSON text with the place of each part. Strict, as any other reader of the file will be: no comments,
 * no comma before a closing bracket. A key that is given twice is a mistake; JSON.parse would drop one silently.
 * `lineOffset` lines stand above the text in its file.
 * The node is undefined where the text is not JSON.
 */
export function parseJsonNodes(
  text: string,
  file: string,
  lineOffset = 0,
): { node: DataNode | undefined; problems: Problem[] } {
  const toPosition = createLineTable(text);
  const problems: Problem[] = [];
  let at = 0;

  const place = (offset: number): Position => {
    const { line, column } = toPosition(offset);
    return { line: line + lineOffset, column };
  };
  const report = (offset: number, message: string | undefined) => {
    if (message !== undefined) problems.push(problemAt(file, place(offset), message));
  };
  const match = (form: RegExp): string => {
    form.lastIndex = at;
    return form.exec(text)?.[0] ?? '';
  };
  const skipSpace = () => {
    at += match(spaces).length;
  };
  const found = (): string => {
    const character = text.codePointAt(at);
    return character === undefined ? 'the end of the text' : quote(String.fromCodePoint(character));
  };

  function readText(): string {
    const start = at;
    at++;
    for (;;) {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code)) throw new JsonMistake(start, 'this text has no closing double quote');
      if (code === 0x0a) throw new JsonMistake(at, 'a text goes over the end of the line; write \\n in it');
      if (code < 0x20) {
        throw new JsonMistake(
          at,
          `a control character stands in a text; write it as ${found().slice(1, -1)}`,
        );
      }
      if (code === 0x22) break;
      if (code === 0x5c && !/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6))) {
        throw new JsonMistake(at, 'this is no escape of JSON; a backslash itself is written \\\\');
      }
      at += code === 0x5c ? 2 : 1;
    }
    at++;
    const value = String(JSON.parse(text.slice(start, at)));
    report(start, textMistake(value));
    return value;
  }

  function readPlain(): DataNode {
    const start = at;
    const word = match(wordForm);
    const number = match(numberForm);
    if (number !== '' && number.length >= word.length) {
      at += number.length;
      const value = Number(number);
      report(start, numberMistake(number, value));
      return { kind: 'scalar', at: place(start), value, source: number };
    }
    const known = { true: true, false: false, null: null }[word];
    if (known === undefined) {
      const hint = text.startsWith('//', at) || text.startsWith('/*', at) || text[at] === '#';
      if (hint) throw new JsonMistake(at, 'JSON has no comments');
      if (text[at] === "'") throw new JsonMistake(at, 'texts of JSON stand in double quotes');
      if (word !== '')
        throw new JsonMistake(at, `${quote(word)} is no value of JSON; a text stands in double quotes`);
      throw new JsonMistake(at, `expected a value, found ${found()}`);
    }
    at += word.length;
    return { kind: 'scalar', at: place(start), value: known, source: word };
  }

  /** Reads what stands between brackets; `readItem` reads one item. */
  function readItems(close: string, readItem: () => void): void {
    at++;
    skipSpace();
    if (text[at] === close) {
      at++;
      return;
    }
    for (;;) {
      readItem();
      skipSpace();
      if (text[at] === close) {
        at++;
        return;
      }
      if (text[at] !== ',') throw new JsonMistake(at, `expected "," or "${close}", found ${found()}`);
      const comma = at;
      at++;
      skipSpace();
      if (text[at] === close) throw new JsonMistake(comma, `JSON has no comma before "${close}"`);
    }
  }

  function readMap(depth: number): DataNode {
    const start = at;
    const entries: MapEntry[] = [];
    const seen = new Map<string, Position>();
    readItems('}', () => {
      const keyAt = place(at);
      const keyOffset = at;
      if (text[at] !== '"') throw new JsonMistake(at, `expected a key in double quotes, found ${found()}`);
      const key = readText();
      skipSpace();
      if (text[at] !== ':') throw new JsonMistake(at, `expected ":" after the key, found ${found()}`);
      at++;
      const value = readValue(depth);
      const first = seen.get(key);
      report(keyOffset, keyMistake(key));
      if (first === undefined) {
        seen.set(key, keyAt);
        entries.push({ key, keyAt, value });
      } else {
        report(keyOffset, duplicateKey(key, first));
      }
    });
    return { kind: 'map', at: place(start), entries };
  }

  function readValue(depth: number): DataNode {
    skipSpace();
    if (depth > deepestNesting) throw new JsonMistake(at, `nested deeper than ${deepestNesting} levels`);
    const start = at;
    if (text[at] === '{') return readMap(depth + 1);
    if (text[at] === '"') return { kind: 'scalar', at: place(start), value: readText() };
    if (text[at] !== '[') return readPlain();
    const items: DataNode[] = [];
    readItems(']', () => items.push(readValue(depth + 1)));
    return { kind: 'list', at: place(start), items };
  }

  try {
    const node = readValue(0);
    skipSpace();
    if (at < text.length) throw new JsonMistake(at, `expected the end of the text, found ${found()}`);
    return { node, problems };
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    report(error.offset, error.message);
    return { node: undefined, problems };
  }
}

/** What is wrong with a key, in every format; undefined when nothing is. */
export function keyMistake(key: string): string | undefined {
  // Whatever builds an object from keys one by one drops it without a word.
  return key === '__proto__' ? `${quote(key)} cannot be a key: JavaScript keeps it for itself` : undefined;
}

/** The message about a key that is given twice, for every format. */
export function duplicateKey(key: string, first: Position): string {
  return `key ${quote(key)} is given twice, first at ${first.line}:${first.column}; keep one`;
}

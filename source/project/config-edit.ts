import { parseJsonNodes } from '../base/json-nodes.js';
import { entryOf, type Position } from '../base/nodes.js';

/** One entry that is to stand in a section of `.evalrc.json`, as in `models` → `agent` → `"simulated:x"`. */
export interface ConfigEntry {
  section: string;
  key: string;
  value: string | Readonly<Record<string, string>>;
}

/**
 * The text of an `.evalrc.json` with more entries, each after the last of its section. Every character that stood there
 * before still does, in the same order. `text` is a JSON object without mistakes, and has none of the entries.
 */
export function addToConfig(text: string, entries: readonly ConfigEntry[]): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + entries.reduce(addEntry, text.slice(mark.length));
}

function addEntry(text: string, { section, key, value }: ConfigEntry): string {
  const { node } = parseJsonNodes(text, '');
  if (node?.kind !== 'map') throw new Error('a config that is no object is edited');
  const inside = entryOf(node, section)?.value;
  const entry = `${JSON.stringify(key)}: ${spaced(value)}`;
  return inside === undefined
    ? insert(text, offsetOf(text, node.at), `${JSON.stringify(section)}: { ${entry} }`)
    : insert(text, offsetOf(text, inside.at), entry);
}

/** JSON as people write it on one line: `{ "deployed": "prompts/v1.md" }`. */
function spaced(value: ConfigEntry['value']): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, text]) => `${JSON.stringify(key)}: ${JSON.stringify(text)}`);
  return `{ ${parts.join(', ')} }`;
}

/** Puts an entry at the end of the object that begins at an offset, in the way its other entries stand. */
function insert(text: string, open: number, entry: string): string {
  const close = closingBrace(text, open);
  const inner = text.slice(open + 1, close);
  const end = open + 1 + inner.trimEnd().length;
  if (inner.trim() === '') return `${text.slice(0, open)}{ ${entry} }${text.slice(close + 1)}`;
  const [, lineEnd, indent] = /^[ \t]*(\r?\n)(?:[ \t]*\r?\n)*([ \t]*)\S/.exec(inner) ?? [];
  const before = lineEnd === undefined ? ', ' : `,${lineEnd}${indent}`;
  return text.slice(0, end) + before + entry + text.slice(end);
}

/** The offset of the brace that closes the one at `open`; braces in texts are none. */
function closingBrace(text: string, open: number): number {
  const parts = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  parts.lastIndex = open;
  let depth = 0;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if (part[0] === '{') depth++;
    else if (part[0] === '}') depth--;
    if (depth === 0) return part.index;
  }
  throw new Error('an object without its end is edited');
}

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

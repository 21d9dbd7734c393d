import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Problem } from './errors.js';
import { parseJsonNodes } from './json-nodes.js';
import { type DataNode, problemAt } from './nodes.js';
import { oddFileMistake } from './odd-file.js';

export type DataFormat = 'yaml' | 'json' | 'jsonl';

/** What was read of one file. `documents` holds what could be read, also where `problems` is not empty. */
export interface ParsedFile {
  /** As it stands in problems. */
  file: string;
  documents: DataNode[];
  problems: Problem[];
}

const formats = new Map<string, DataFormat>([
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/** Endings of files that can be read, with the dot. */
export const dataExtensions: readonly string[] = [...formats.keys()];

/** The format that a file's ending says, undefined for other endings. */
export function formatOf(path: string): DataFormat | undefined {
  return formats.get(extname(path).toLowerCase());
}

/**
 * Reads one file of YAML (one or several documents), JSON, or JSON lines (a document each), by its ending.
 * `file` is how it is called in problems. Never throws: what cannot be read is a problem, and so is a file with
 * nothing in it.
 */
export async function readDocuments(path: string, file: string): Promise<ParsedFile> {
  const format = formatOf(path);
  if (format === undefined) {
    const endings = dataExtensions.join(', ');
    return {
      file,
      documents: [],
      problems: [problemOfFile(file, `the ending does not say the format; name it with one of ${endings}`)],
    };
  }
  const { text, problems } = await readTextFile(path, file);
  return text === undefined ? { file, documents: [], problems } : parseDocuments(text, file, format);
}

/** As `readDocuments`, of a text that has been read already. */
export async function parseDocuments(text: string, file: string, format: DataFormat): Promise<ParsedFile> {
  const parsed = await parse(normaliseText(text), format, file);
  if (parsed.documents.length === 0 && parsed.problems.length === 0) {
    parsed.problems.push(problemOfFile(file, 'the file is empty; write something in it, or delete it'));
  }
  return parsed;
}

async function parse(text: string, format: DataFormat, file: string): Promise<ParsedFile> {
  if (format === 'yaml') {
    // Loaded late: most commands read nothing but JSON.
    const { parseYamlNodes } = await import('./yaml-nodes.js');
    const { nodes, problems } = parseYamlNodes(text, file);
    return { file, documents: nodes, problems };
  }
  const documents: DataNode[] = [];
  const problems: Problem[] = [];
  const pieces = format === 'json' ? [text] : text.split('\n');
  for (const [index, piece] of pieces.entries()) {
    if (piece.trim() === '') continue;
    const parsed = parseJsonNodes(piece, file, index);
    problems.push(...parsed.problems);
    if (parsed.node !== undefined) documents.push(parsed.node);
  }
  return { file, documents, problems };
}

/** The same text whatever system wrote it: no byte order mark, and lines that end in `\n`. */
export function normaliseText(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/**
 * Reads a file that must be UTF-8. `text` is not normalised, and undefined where there is a problem: the file
 * is missing, no regular file, too long, cannot be read, or holds a byte that is not UTF-8, whose offset is named.
 */
export async function readTextFile(
  path: string,
  file: string,
): Promise<{ text: string | undefined; problems: Problem[] }> {
  let bytes: Uint8Array;
  try {
    const odd = oddFileMistake(await stat(path));
    if (odd !== undefined) return { text: undefined, problems: [problemOfFile(file, odd)] };
    bytes = await readFile(path);
  } catch (error) {
    return { text: undefined, problems: [problemOfFile(file, explainReadError(error))] };
  }
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return { text: decoded.text, problems: [] };
  return { text: undefined, problems: [problemAt(file, decoded.at, decoded.message)] };
}

/** Why a file could not be read, as the end of a sentence about it. */
export function explainReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder; a file was expected';
    case 'EACCES':
    case 'EPERM':
      return 'the file may not be read; check its permissions';
    default:
      return `the file cannot be read (${code || String(error)})`;
  }
}

/** The text of UTF-8 bytes, or the place (byte column of its line) and offset of the first byte that is wrong. */
function decodeUtf8(
  bytes: Uint8Array,
): { text: string } | { at: { line: number; column: number }; message: string } {
  const start = { line: 1, column: 1 };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { at: start, message: 'the file is UTF-16; save it as UTF-8' };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const offset = firstInvalidByte(bytes);
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset));
    const lines = before.split('\n');
    const value = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    return {
      at: { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 },
      message: `the file is not UTF-8: byte 0x${value} at offset ${offset}; save it as UTF-8`,
    };
  }
}

/** Offset of the first byte that no UTF-8 text has there: found by halving, as prefixes stay valid. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  // The sequence that is broken may begin before the byte that shows it.
  let offset = valid;
  while (offset > 0 && valid - offset < 3 && !isWhole(bytes.subarray(0, offset))) offset--;
  return offset;
}

/** Whether more bytes could make these bytes UTF-8. */
function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isWhole(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A problem of a whole file: it has no line. */
export function problemOfFile(file: string, message: string): Problem {
  return { file, line: 0, column: 0, message };
}

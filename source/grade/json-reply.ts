import type { Json } from '../base/json.js';
import { compileJsonPath } from '../base/json-path/compile.js';
import { JsonPathError } from '../base/json-path/types.js';
import { parseJsonText } from '../base/json-text.js';
import type { Turn } from '../play/types.js';
import type { Evidence } from './types.js';

/** The JSON that a reply consists of. */
export interface JsonReply {
  turn: Turn;
  value: Json;
  /** The part that holds it; not set where it is spread over several. */
  evidence: Evidence;
}

/**
 * Reads a reply as JSON: its whole text, or else its last text part (what was said after the last tool call).
 * White space, a byte order mark and one code fence around it are taken off; JSON in the middle of prose is not
 * JSON, because a product that parses its model's reply would fail on it too.
 */
export function readJsonReply(turn: Turn): JsonReply | undefined {
  const whole = parseJson(turn.reply.text);
  const part = turn.reply.parts.findLastIndex((one) => one.kind === 'text' && one.text.trim() !== '');
  const last = turn.reply.parts[part];
  const evidence = part >= 0 ? { turn: turn.index, part } : { turn: turn.index };
  if (whole !== undefined) {
    const isOnePart = last?.kind === 'text' && last.text.trim() === turn.reply.text.trim();
    return { turn, value: whole, evidence: isOnePart ? evidence : { turn: turn.index } };
  }
  const value = last?.kind === 'text' ? parseJson(last.text) : undefined;
  return value === undefined ? undefined : { turn, value, evidence };
}

/** The last of the turns whose reply is JSON. */
export function lastJsonReply(turns: readonly Turn[]): JsonReply | undefined {
  for (const turn of turns.toReversed()) {
    const reply = readJsonReply(turn);
    if (reply) return reply;
  }
  return undefined;
}

function parseJson(text: string): Json | undefined {
  const trimmed = text.trim();
  const fenced = /^```[a-zA-Z0-9]*\s*\n([\s\S]*?)\n?\s*```$/u.exec(trimmed);
  try {
    return parseJsonText(fenced?.[1] ?? trimmed);
  } catch {
    return undefined;
  }
}

/** All values that a JSONPath selects. The path has been checked by `findPathMistake`. Throws JsonPathError. */
export function selectValues(value: Json, path: string): Json[] {
  return compileJsonPath(path).select(value);
}

/** What is wrong with a JSONPath; undefined when it is right. */
export function findPathMistake(path: string): string | undefined {
  try {
    compileJsonPath(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    const at = error.offset === undefined ? '' : ` (character ${error.offset + 1})`;
    const hint = path.startsWith('$') ? '' : '; a path begins with $, as in $.status';
    return `this is no JSONPath: ${error.message}${at}${hint}`;
  }
}

/** Whether a value says something: not missing, not null, not a blank text. */
export function isPresent(value: Json | undefined): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

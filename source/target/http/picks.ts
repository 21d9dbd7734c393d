import { isJsonObject, type Json } from '../../base/json.js';
import { quote } from '../../base/quote.js';
import type { HttpSend } from '../../suite/target-specs.js';
import { compilePick, type Pick } from './pick.js';

/** Where things stand in an answer: the JSONPaths of `send`, each read once. */
export interface SendPicks {
  delta?: Pick;
  reply?: Pick;
  toolCalls?: Pick;
  suggestions?: Pick;
  model?: Pick;
  version?: Pick;
  ended?: Pick;
  fallback?: Pick;
  usage: [name: 'input' | 'output' | 'cacheRead' | 'cacheWrite', pick: Pick][];
  signals: [name: string, pick: Pick][];
}

const single = [
  'delta',
  'reply',
  'toolCalls',
  'suggestions',
  'model',
  'version',
  'ended',
  'fallback',
] as const;
const counts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** Reads all JSONPaths of `send`. Throws UserError. */
export function compileSendPicks(send: HttpSend): SendPicks {
  const picks: SendPicks = { usage: [], signals: [] };
  for (const key of single) {
    const path = send[key];
    if (path !== undefined) picks[key] = compilePick(path, `send.${key}`);
  }
  for (const name of counts) {
    const path = send.usage?.[name];
    if (path !== undefined) picks.usage.push([name, compilePick(path, `send.usage.${name}`)]);
  }
  for (const [name, path] of Object.entries(send.signals ?? {})) {
    picks.signals.push([name, compilePick(path, `send.signals.${name}`)]);
  }
  return picks;
}

/** An answer that has something else than the target's JSONPaths promise. The message names the key and what was found. */
export class AnswerMistake extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerMistake';
  }
}

/** `found` undefined: the path finds nothing. */
export function wrongValue(
  key: string,
  path: string,
  found: Json | undefined,
  expected: string,
): AnswerMistake {
  const what = found === undefined ? 'nothing' : describe(found);
  return new AnswerMistake(`${key}: ${path} finds ${what}, expected ${expected}`);
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return `the text ${quote(value)}`;
  return String(value);
}

/** Null says the same as nothing: products write it for what they do not have (yet). */
function found(pick: Pick | undefined, value: Json): Json[] {
  return pick === undefined ? [] : pick.from(value).filter((item) => item !== null);
}

/** Texts that the path finds; another value is the JSON text of it where `asJson` is set, else a mistake. */
export function pickTexts(pick: Pick | undefined, value: Json, key: string, asJson = false): string[] {
  return found(pick, value).map((item) => {
    if (typeof item === 'string') return item;
    if (asJson) return JSON.stringify(item);
    throw wrongValue(key, pick?.path ?? '', item, 'a text');
  });
}

/** The last text that the path finds; a number counts as one where `orNumber` is set. */
export function pickText(
  pick: Pick | undefined,
  value: Json,
  key: string,
  orNumber = false,
): string | undefined {
  const item = found(pick, value).at(-1);
  if (item === undefined || typeof item === 'string') return item;
  if (orNumber && typeof item === 'number') return String(item);
  throw wrongValue(key, pick?.path ?? '', item, 'a text');
}

export function pickBoolean(pick: Pick | undefined, value: Json, key: string): boolean | undefined {
  const item = found(pick, value).at(-1);
  if (item === undefined || typeof item === 'boolean') return item;
  throw wrongValue(key, pick?.path ?? '', item, 'true or false');
}

/** The sum of the counts that the path finds: parts that are reported apart can be named together. */
export function pickCount(pick: Pick, value: Json, key: string): number | undefined {
  const items = found(pick, value);
  if (items.length === 0) return undefined;
  return items.reduce<number>((sum, item) => {
    if (typeof item === 'number' && Number.isInteger(item) && item >= 0) return sum + item;
    throw wrongValue(key, pick.path, item, 'a number of tokens');
  }, 0);
}

/** What the path finds, a list taken apart: both `$.tools` and `$.tools[*]` mean the tools. Undefined: nothing is there. */
export function pickList(pick: Pick | undefined, value: Json): Json[] | undefined {
  const items = found(pick, value);
  return items.length === 0 ? undefined : items.flat(1);
}

/** One value as it is, several as a list. */
export function pickValue(pick: Pick, value: Json): Json | undefined {
  const items = pick.from(value);
  return items.length > 1 ? items : items[0];
}

/** Quick replies: texts, or objects that hold one. */
export function pickSuggestions(pick: Pick | undefined, value: Json): string[] | undefined {
  return pickList(pick, value)?.map((item) => {
    const text = isJsonObject(item) ? (item.text ?? item.label ?? item.title ?? item.value) : item;
    if (typeof text === 'string') return text;
    throw wrongValue('suggestions', pick?.path ?? '', item, 'a text, or an object with text, label or title');
  });
}

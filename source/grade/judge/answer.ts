import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { AnswerForm } from './form.js';

/** What a judge's answer says, or why it cannot be read. */
export type ReadAnswer =
  | { kind: 'score'; score: number; reason: string }
  /** A yes or no for each field of the form. */
  | { kind: 'yes-no'; answers: Record<string, boolean>; reason: string }
  | { kind: 'unreadable'; why: string };

/**
 * Reads the verdict of a judge's answer: the last complete JSON object in it, which has to have every field of the
 * form with a value of the right kind. Prose and code fences around it, zero-width characters and the letter case
 * of keys do not matter. Everything else is unreadable, never a guess: a missing or misspelt verdict, a score that
 * is not one of 1 to 5, `"true"` for true, and an object that stands inside a broken one, which may be a quotation.
 */
export function readAnswer(answer: string, form: AnswerForm): ReadAnswer {
  if (answer.length > longestAnswer) return unreadable('it is too long');
  const text = lastObject(answer.replace(invisible, ''));
  if (text === undefined) return unreadable('it holds no JSON object');
  if (text === 'broken') return unreadable('it holds a JSON object that is not complete');
  const keys = topKeys(text);
  const members = Object.entries(JSON.parse(text) as JsonObject);
  const memberOf = (field: string) => members.find(([key]) => sameKey(key, field))?.[1];
  const said = memberOf('reason');
  const reason = typeof said === 'string' ? said.trim() : '';
  const answers: Record<string, boolean> = {};
  for (const field of form.kind === 'score' ? ['score'] : form.fields) {
    const count = keys.filter((key) => sameKey(key, field)).length;
    if (count === 0) return unreadable(`"${field}" is missing`);
    // Which of two is meant cannot be known; the second may have come in with a quotation.
    if (count > 1) return unreadable(`"${field}" is there more than once`);
    const value = memberOf(field);
    if (form.kind === 'score') {
      const isScore = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 5;
      return isScore
        ? { kind: 'score', score: value, reason }
        : unreadable('"score" is not a whole number from 1 to 5');
    }
    if (typeof value !== 'boolean') return unreadable(`"${field}" is neither true nor false`);
    answers[field] = value;
  }
  return { kind: 'yes-no', answers, reason };
}

function unreadable(why: string): ReadAnswer {
  return { kind: 'unreadable', why };
}

/** Characters of an answer beyond which it is no answer to what was asked. */
const longestAnswer = 32_000;

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

function sameKey(key: string, name: string): boolean {
  return key.trim().toLowerCase() === name;
}

/**
 * The text of the last complete JSON object. `broken`: somewhere stands something that begins like an object and is
 * none. Then nothing is believed, what stands inside it least of all: where quotes were not escaped,
 * `{"reason": "it said {"score": 5}", "score": 1}` would else give the score that the conversation asked for.
 */
function lastObject(text: string): string | 'broken' | undefined {
  let last: string | undefined;
  let looseBraces = 0;
  let at = text.indexOf('{');
  while (at >= 0) {
    const end = objectEnd(text, at);
    if (end !== undefined && isObject(text.slice(at, end))) {
      last = text.slice(at, end);
      at = text.indexOf('{', end);
    } else if (beginsLikeObject.test(text.slice(at, at + 200)) || ++looseBraces > mostLooseBraces) {
      return 'broken';
    } else {
      at = text.indexOf('{', at + 1);
    }
  }
  return last;
}

/** Braces of prose; more are no prose, and each costs a look at the rest of the answer. */
const mostLooseBraces = 100;

/** `{"key`, `{'key`, `{key:` and `{` at the very end; not a brace in prose. */
const beginsLikeObject = /^\{\s*(?:["'\u201c\u2018`]|[\p{L}_$][\p{L}\p{N}_$-]*\s*:|$)/u;

function isObject(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Where the object that begins at `start` ends, braces in texts not counted; undefined when it does not end. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The keys of a JSON object as often as they stand there; JSON.parse would keep the last of equal ones. */
function topKeys(object: string): string[] {
  const tokens = object.match(/"(?:[^"\\]|\\.)*"|[{}[\]:]/gu) ?? [];
  const keys: string[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && token !== ':' && tokens[index + 1] === ':') keys.push(String(JSON.parse(token)));
  }
  return keys;
}

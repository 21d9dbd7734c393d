import { isJsonObject } from '../../base/json.js';

/** A complete JSON object in a text, and where it stands. */
export interface FoundObject {
  text: string;
  start: number;
  /** Behind its last brace. */
  end: number;
}

/**
 * The complete JSON objects of a text, those inside others left out. `broken`: somewhere stands something that begins
 * like an object and is none. Then nothing is believed, what stands inside it least of all: where quotes were not
 * escaped, `{"reason": "it said {"score": 5}", "score": 1}` would else give the score that the conversation asked for.
 */
export function findObjects(text: string): FoundObject[] | 'broken' {
  const found: FoundObject[] = [];
  let looseBraces = 0;
  let start = text.indexOf('{');
  while (start >= 0) {
    const end = objectEnd(text, start);
    if (end !== undefined && isObject(text.slice(start, end))) {
      found.push({ text: text.slice(start, end), start, end });
      start = text.indexOf('{', end);
    } else if (beginsLikeObject.test(text.slice(start, start + 200)) || ++looseBraces > mostLooseBraces) {
      return 'broken';
    } else {
      start = text.indexOf('{', start + 1);
    }
  }
  return found;
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
export function topKeys(object: string): string[] {
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

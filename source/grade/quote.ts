import type { Json, JsonObject } from '../base/json.js';
import { cutToWidth } from '../base/width.js';

/** Cells of what was seen that a reason quotes. */
const quoteLength = 160;

/** Text on one line, at most `length` cells of a terminal, `…` where it was cut: after a word where one ends there. */
export function oneLine(text: string, length = quoteLength): string {
  // Of a long reply only the beginning is looked at, with room for spaces that are folded.
  const most = length * 10 + 200;
  const beginning = text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text;
  // What is a single space already is not matched: most texts are left as they are.
  const folded = beginning.replace(/\s{2,}|[^\S ]/gu, ' ').trim();
  return cutToWidth(beginning === text ? folded : `${folded}…`, length);
}

/** `"text"`, on one line and cut. */
export function quote(text: string, length = quoteLength): string {
  return `"${oneLine(text, length)}"`;
}

/** What a model wrote may be nested deeper than the stack is; a reason must not fail for that. */
export function asJson(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

/** A value as compact JSON, cut; `nothing` where there is none. */
export function quoteJson(value: Json | undefined, length = quoteLength): string {
  return value === undefined ? 'nothing' : oneLine(asJson(value), length);
}

/** `name({"id":7})`, cut. Arguments that are no JSON object stand there as the model wrote them. */
export function quoteCall(name: string, args: JsonObject | string, length = quoteLength): string {
  return oneLine(`${name}(${typeof args === 'string' ? args : asJson(args)})`, length);
}

/** The part of a text around `start` to `end` (UTF-16 offsets), quoted, with `…` where text was left out. */
export function quoteAround(text: string, start: number, end: number, length = quoteLength): string {
  const room = Math.max(0, Math.floor((length - (end - start)) / 2));
  const from = characterStart(text, Math.max(0, start - room));
  const to = characterStart(text, Math.min(text.length, end + room));
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  return `"${before}${oneLine(text.slice(from, to), length)}${after}"`;
}

/** A list for a reason, `(and 3 more)` where it is long. */
export function listed(items: readonly string[], most = 6): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} (and ${items.length - most} more)` : shown;
}

/** `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The offset itself, or one less where it would stand inside a surrogate pair. */
function characterStart(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate && offset > 0 ? offset - 1 : offset;
}

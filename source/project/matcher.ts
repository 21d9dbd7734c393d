import { isJsonObject, type Json } from '../base/json.js';

/** Finds any of many words in a text, in one pass, the longest where several begin. */
export interface Matcher {
  /** What stands for a word that was added before stays. */
  add(word: string, inItsPlace: string): void;
  readonly isEmpty: boolean;
  replace(text: string): string;
  /**
   * How the text goes on from `at`: the next word that is sure to be one whatever follows, or how much of the text
   * holds none and is the beginning of none.
   */
  next(
    text: string,
    at: number,
  ): { word: { start: number; end: number; inItsPlace: string } } | { clear: number };
}

/** Without words. */
export function createMatcher(): Matcher {
  const places = new Map<string, string>();
  let pattern: RegExp | undefined;
  let longest = 0;
  let firsts = new Set<string>();

  function compiled(): RegExp {
    // The longest first, so that none is left in half by a shorter one inside it.
    pattern ??= new RegExp(
      [...places.keys()]
        .sort((a, b) => b.length - a.length)
        .map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
        .join('|'),
      'g',
    );
    return pattern;
  }

  /** Where the end of a text begins that may become a word when the text goes on. */
  function openEnd(text: string, at: number): number {
    for (let start = Math.max(at, text.length - longest + 1); start < text.length; start++) {
      if (!firsts.has(text.charAt(start))) continue;
      const end = text.slice(start);
      for (const word of places.keys()) if (word.length > end.length && word.startsWith(end)) return start;
    }
    return text.length;
  }

  return {
    add(word, inItsPlace) {
      if (word === '' || places.has(word)) return;
      places.set(word, inItsPlace);
      longest = Math.max(longest, word.length);
      firsts = firsts.add(word.charAt(0));
      pattern = undefined;
    },
    get isEmpty() {
      return places.size === 0;
    },
    replace(text) {
      if (places.size === 0) return text;
      return text.replace(compiled(), (word) => places.get(word) ?? word);
    },
    next(text, at) {
      if (places.size === 0) return { clear: text.length };
      const end = openEnd(text, at);
      const regex = compiled();
      regex.lastIndex = at;
      const found = regex.exec(text);
      if (found === null || found.index >= end) return { clear: end };
      const [word] = found;
      const inItsPlace = places.get(word) ?? word;
      return { word: { start: found.index, end: found.index + word.length, inItsPlace } };
    },
  };
}

/** Replaces words in a text that comes in pieces, as if it came whole. */
export interface PieceReplacer {
  /** What can be said now: what may be the beginning of a word is kept until more has come. */
  push(piece: string): string;
  /** The rest. What is pushed then begins a new text. */
  end(): string;
}

/** Of one text, or several after one another. */
export function createPieceReplacer(matcher: Matcher): PieceReplacer {
  let pending = '';
  return {
    push(piece) {
      pending += piece;
      let said = '';
      for (let at = 0; ; ) {
        const next = matcher.next(pending, at);
        if ('clear' in next) {
          said += pending.slice(at, next.clear);
          pending = pending.slice(next.clear);
          return said;
        }
        said += pending.slice(at, next.word.start) + next.word.inItsPlace;
        at = next.word.end;
      }
    },
    end() {
      const said = matcher.replace(pending);
      pending = '';
      return said;
    },
  };
}

/** A JSON value with the words replaced in all its texts, names of members too. */
export function replaceInJson<T extends Json>(matcher: Matcher, value: T): T;
export function replaceInJson(matcher: Matcher, value: Json): Json {
  if (matcher.isEmpty) return value;
  if (typeof value === 'string') return matcher.replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceInJson(matcher, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [matcher.replace(key), replaceInJson(matcher, member)]),
  );
}

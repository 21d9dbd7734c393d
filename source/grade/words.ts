import { segmentsOf } from '../base/segments.js';

/**
 * Finding words as a reader would: whole, in any script, whatever the case.
 *
 * Case is folded by Unicode (`Straße` is `STRASSE`), compatibility forms and composed letters are equal,
 * invisible characters are skipped and any run of white space is one space. An occurrence is whole when both of
 * its ends are word boundaries: those of `Intl.Segmenter`, which knows the words of scripts without spaces, plus
 * every place beside a character that cannot be inside a word (`refund.We` and `_refund_` hold the word refund).
 */
export interface WordSearch {
  /** Occurrences of a word or phrase, as UTF-16 offsets into the text, in order. */
  find(words: string): { start: number; end: number }[];
}

// One locale for all, so that the same text has the same words on every machine.
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u;
const letterOrNumber = /[\p{L}\p{M}\p{N}]/u;
const digit = /\p{Nd}/u;
const apostrophe = /['\u2019\u02bc\uff07]/u;

/** Prepares a text once for any number of searches. */
export function searchWords(text: string): WordSearch {
  const visible = withoutInvisible(text);
  const folded = foldWithOffsets(visible.text);
  const segments = createSegmentation(visible.text);
  const isBoundary = (at: number) => isBesideNonWord(visible.text, at) || segments.isBoundary(at);
  return {
    find(words) {
      const wanted = foldWords(words);
      if (wanted === '') return [];
      const found: { start: number; end: number }[] = [];
      for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + 1)) {
        const start = folded.startOf(at);
        const end = folded.endOf(at + wanted.length - 1);
        if (start === undefined || end === undefined || !folded.isWhole(at, at + wanted.length)) continue;
        if (isBoundary(start) && isBoundary(end))
          found.push({ start: visible.origin(start), end: visible.origin(end - 1) + 1 });
      }
      return found;
    },
  };
}

/** A word or phrase in the form in which texts are compared; empty when nothing visible is in it. */
export function foldWords(words: string): string {
  return foldWithOffsets(withoutInvisible(words).text).text.trim();
}

/** The text without its invisible characters, and where each of what is left stood. */
export function withoutInvisible(text: string): { text: string; origin: (at: number) => number } {
  if (text.search(invisible) < 0) return { text, origin: (at) => at };
  const origins: number[] = [];
  let visible = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit.search(invisible) >= 0) continue;
    visible += unit;
    origins.push(at);
  }
  return { text: visible, origin: (at) => origins[at] ?? text.length };
}

interface Folded {
  text: string;
  /** Where the grapheme that a UTF-16 unit of `text` came from starts, and where it ends. */
  startOf(at: number): number | undefined;
  endOf(at: number): number | undefined;
  /** Whether a stretch of `text` begins and ends with whole graphemes. */
  isWhole(from: number, to: number): boolean;
}

/** A character that is no ASCII one in sight, or spaces that are folded to one. */
const unlikeItself = /[^\x20-\x7e]| {2}/;

function foldWithOffsets(text: string): Folded {
  if (!unlikeItself.test(text))
    return { text: text.toLowerCase(), startOf: (at) => at, endOf: (at) => at + 1, isWhole: () => true };
  const starts: number[] = [];
  const ends: number[] = [];
  const forms: string[] = [];
  // Looking at the end of a text that grows would copy all of it at every space.
  let last = '';
  const add = (form: string, start: number, end: number) => {
    if (form === ' ' && last === ' ') return;
    forms.push(form);
    if (form !== '') last = form.slice(-1);
    for (let i = 0; i < form.length; i++) {
      starts.push(start);
      ends.push(end);
    }
  };
  const addPlain = (from: number, to: number) => {
    for (let at = from; at < to; at++) add(foldPlain(text.charAt(at)), at, at + 1);
  };
  let done = 0;
  for (const [from, to] of joinedStretches(text)) {
    addPlain(done, from);
    for (const { segment, index } of segmentsOf(text.slice(from, to), graphemeSegmenter))
      add(foldGrapheme(segment), from + index, from + index + segment.length);
    done = to;
  }
  addPlain(done, text.length);
  const folded = forms.join('');
  return {
    text: folded,
    startOf: (at) => starts[at],
    endOf: (at) => ends[at],
    isWhole: (from, to) =>
      (from === 0 || starts[from - 1] !== starts[from]) &&
      (to === folded.length || starts[to - 1] !== starts[to]),
  };
}

/**
 * Runs of anything but characters that are each a grapheme of their own beside each other: ASCII, Latin, Greek and
 * Cyrillic letters, punctuation, kana, Han, full-width forms. Splitting a text into graphemes takes fifty times as
 * long as reading its characters, so it is done where it can matter.
 */
const joined =
  /[^\x00-\x7f\u00a1-\u00ac\u00ae-\u02af\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]+/g;

/** Those runs with one character on either side, which may belong to the first or the last grapheme of them. */
function joinedStretches(text: string): [number, number][] {
  const stretches: [number, number][] = [];
  for (const { 0: run, index } of text.matchAll(joined)) {
    const from = Math.max(0, index - 1);
    const to = Math.min(text.length, index + run.length + 1);
    const last = stretches.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else stretches.push([from, to]);
  }
  return stretches;
}

const plainForms = new Map<string, string>();

/** The form of a character; there are a few thousand of those that are read one by one. */
function foldPlain(character: string): string {
  const known = plainForms.get(character);
  if (known !== undefined) return known;
  const form = foldGrapheme(character);
  plainForms.set(character, form);
  return form;
}

/** Upper case first: that is what makes ß and SS, ς and σ equal. */
function foldGrapheme(grapheme: string): string {
  if (/^\s+$/u.test(grapheme)) return ' ';
  return grapheme.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Where the words of a text begin and end; looked at only around the places that are asked for. */
function createSegmentation(text: string): { isBoundary(at: number): boolean } {
  const boundaries = new Set<number>([0, text.length]);
  const known = new Set<number>();
  return {
    isBoundary(at) {
      // White space ends a word in every script, so what stands beyond it does not matter.
      const from = edgeBefore(text, at);
      if (!known.has(from)) {
        known.add(from);
        const stretch = text.slice(from, edgeAfter(text, at));
        for (const { index } of segmentsOf(stretch, wordSegmenter)) boundaries.add(from + index);
        boundaries.add(from + stretch.length);
      }
      return boundaries.has(at);
    },
  };
}

function edgeBefore(text: string, at: number): number {
  let edge = at;
  while (edge > 0 && !isSpace(text.charCodeAt(edge - 1))) edge--;
  return edge;
}

function edgeAfter(text: string, at: number): number {
  let edge = at;
  while (edge < text.length && !isSpace(text.charCodeAt(edge))) edge++;
  return edge;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * Whether one of the characters beside an offset cannot be inside a word. Two joints hold a word together: the
 * points and commas of a number, and an apostrophe, but for an elision before (l'argent) and a final s (Rosa's).
 */
export function isBesideNonWord(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  const after = characterAfter(text, at);
  if (!letterOrNumber.test(before) || !letterOrNumber.test(after)) {
    if (apostrophe.test(before)) return isElision(text, at);
    if (apostrophe.test(after)) return !isJoined(text, at, after);
    return !isInNumber(text, at, before, after);
  }
  return false;
}

function isElision(text: string, at: number): boolean {
  const next = characterAfter(text, at);
  return !letterOrNumber.test(next) || letterOrNumber.test(characterAfter(text, at + next.length));
}

function isJoined(text: string, at: number, mark: string): boolean {
  const next = characterAfter(text, at + mark.length);
  if (!letterOrNumber.test(next)) return false;
  const isFinalS =
    /^s$/iu.test(next) && !letterOrNumber.test(characterAfter(text, at + mark.length + next.length));
  return !isFinalS;
}

function isInNumber(text: string, at: number, before: string, after: string): boolean {
  if (digit.test(before) && /[.,]/u.test(after)) return digit.test(characterAfter(text, at + 1));
  if (digit.test(after) && /[.,]/u.test(before)) return digit.test(characterBefore(text, at - 1));
  return false;
}

function characterBefore(text: string, at: number): string {
  return at <= 0 ? '' : (Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '');
}

function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

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
  let boundaries: Set<number> | undefined;
  const isBoundary = (at: number): boolean => {
    boundaries ??= segmentBoundaries(visible.text);
    return boundaries.has(at) || isBesideNonWord(visible.text, at);
  };
  return {
    find(words) {
      const wanted = foldWords(words);
      if (wanted === '') return [];
      const found: { start: number; end: number }[] = [];
      for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + 1)) {
        const start = folded.starts[at];
        const end = folded.ends[at + wanted.length - 1];
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
function withoutInvisible(text: string): { text: string; origin: (at: number) => number } {
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
  /** Of each UTF-16 unit of `text`: where the grapheme that it came from starts and ends. */
  starts: number[];
  ends: number[];
  /** Whether a stretch of `text` begins and ends with whole graphemes. */
  isWhole(from: number, to: number): boolean;
}

function foldWithOffsets(text: string): Folded {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  const add = (grapheme: string, start: number) => {
    const form = /^\s+$/u.test(grapheme) ? ' ' : foldCase(grapheme);
    if (form === ' ' && folded.endsWith(' ')) return;
    folded += form;
    for (let i = 0; i < form.length; i++) {
      starts.push(start);
      ends.push(start + grapheme.length);
    }
  };
  if (/^[\x00-\x7f]*$/.test(text)) for (let i = 0; i < text.length; i++) add(text.charAt(i), i);
  else for (const { segment, index } of graphemeSegmenter.segment(text)) add(segment, index);
  return {
    text: folded,
    starts,
    ends,
    isWhole: (from, to) =>
      (from === 0 || starts[from - 1] !== starts[from]) &&
      (to === folded.length || starts[to - 1] !== starts[to]),
  };
}

/** Upper case first: that is what makes ß and SS, ς and σ equal. */
function foldCase(grapheme: string): string {
  return grapheme.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function segmentBoundaries(text: string): Set<number> {
  const boundaries = new Set<number>([text.length]);
  for (const { index } of wordSegmenter.segment(text)) boundaries.add(index);
  return boundaries;
}

/**
 * Whether one of the characters beside an offset cannot be inside a word. Two joints hold a word together: the
 * points and commas of a number, and an apostrophe, but for an elision before (l'argent) and a final s (Rosa's).
 */
function isBesideNonWord(text: string, at: number): boolean {
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

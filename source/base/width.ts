import { createRequire } from 'node:module';
import { segmentsOf } from './segments.js';

/** Widths are in terminal cells, counted by grapheme. Texts given here have been through `makeVisible`. */

/** Every character is one cell and one grapheme of its own: Latin, Greek, Cyrillic, punctuation, money, arrows, boxes and blocks. */
const onlyNarrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2400-\u2426\u2500-\u259f]*$/;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits into what a reader sees as one character. */
export function graphemes(text: string): string[] {
  if (onlyNarrow.test(text)) return text.split('');
  return Array.from(segmentsOf(text, segmenter), (piece) => piece.segment);
}

let stringWidth: typeof import('string-width')['default'] | undefined;

/** Loaded when something is to be measured: its tables take 20 ms to load, and most of what is printed needs none of them. */
function measure(grapheme: string): number {
  stringWidth ??= (createRequire(import.meta.url)('string-width') as typeof import('string-width')).default;
  return stringWidth(grapheme);
}

const widths = new Map<string, number>();
const mostWidths = 10_000;

/** Cells of what a reader sees as one character; a text has few different ones, and measuring one is dear. */
function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~') return 1;
  let width = widths.get(grapheme);
  if (width === undefined) {
    width = onlyNarrow.test(grapheme) ? grapheme.length : measure(grapheme);
    if (widths.size >= mostWidths) widths.clear();
    widths.set(grapheme, width);
  }
  return width;
}

/** How many cells a text takes on one line. */
export function textWidth(text: string): number {
  if (onlyNarrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmentsOf(text, segmenter)) width += graphemeWidth(segment);
  return width;
}

/**
 * The text in exactly `width` cells: padded with spaces, or cut with `…` at its end. A wide character that would
 * be cut in half gives way to a space.
 */
export function fitToWidth(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  if (width <= 0) return '';
  const full = textWidth(text);
  if (full === width) return text;
  return pad(full < width ? text : cut(text, width), width, align);
}

function cut(text: string, width: number): string {
  if (onlyNarrow.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of segmentsOf(text, segmenter)) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * A text in at most `width` cells: itself, or its beginning and `…`. It ends after a word where one ends in the last
 * third of what fits, else inside a word. No more than twice `width` UTF-16 units are kept, so that what is made of
 * many characters a cell does not fill the memory.
 */
export function cutToWidth(text: string, width: number): string {
  const most = 2 * width + 8;
  const isShort = text.length <= most;
  if (isShort && textWidth(text) <= width) return text;
  if (width <= 0) return '';
  const start = isShort ? text : graphemes(text.slice(0, most)).slice(0, -1).join('');
  const kept = textWidth(start) < width ? start : cut(start, width).slice(0, -1);
  const endsAfterWord = /\s$/.test(kept) || /^\s/.test(text.slice(kept.length));
  const lastGap = endsAfterWord ? kept.length : kept.search(/\s\S*$/);
  return `${(lastGap * 3 >= kept.length * 2 ? kept.slice(0, lastGap) : kept).trimEnd()}…`;
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  let padded = text;
  // A character that takes the next one into its grapheme swallows the first space, so the width is measured
  // on the whole rather than added up.
  for (let missing = width - textWidth(padded); missing > 0; missing = width - textWidth(padded)) {
    padded = align === 'left' ? padded + ' '.repeat(missing) : ' '.repeat(missing) + padded;
  }
  return padded;
}

/** A part of a text: UTF-16 offsets, `end` not included. */
export interface TextRange {
  start: number;
  end: number;
}

interface Piece extends TextRange {
  width: number;
  kind: 'space' | 'word' | 'wide';
}

/** Runs of spaces, words, and wide characters (each of which a line may break around). */
function pieces(line: string, offset: number): Piece[] {
  if (onlyNarrow.test(line))
    return Array.from(line.matchAll(/ +|[^ ]+/g), ({ 0: part, index }) => ({
      start: offset + index,
      end: offset + index + part.length,
      width: part.length,
      kind: part.startsWith(' ') ? 'space' : 'word',
    }));
  const found: Piece[] = [];
  let at = offset;
  for (const grapheme of graphemes(line)) {
    const width = graphemeWidth(grapheme);
    const kind = grapheme === ' ' ? 'space' : width > 1 ? 'wide' : 'word';
    const last = found.at(-1);
    const end = at + grapheme.length;
    if (last && last.kind === kind && kind !== 'wide') {
      last.end = end;
      last.width += width;
    } else found.push({ start: at, end, width, kind });
    at = end;
  }
  return found;
}

/**
 * Where the lines of a text stand when it is wrapped to `width` cells: at line ends, else before the word that
 * does not fit, else inside a word that is longer than a line. Spaces at a break belong to no line; those at the
 * start of a line that was written are kept. There is always one line. Every line fits, unless one grapheme alone is wider
 * than the line.
 */
export function wrapRanges(text: string, width: number): TextRange[] {
  const limit = Math.max(1, width);
  const lines: TextRange[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    wrapLine(line, offset, limit, text, lines);
    offset += line.length + 1;
  }
  return lines;
}

function wrapLine(line: string, offset: number, limit: number, text: string, lines: TextRange[]): void {
  if (line.length <= limit && textWidth(line) <= limit) {
    lines.push({ start: offset, end: offset + line.length });
    return;
  }
  let current: TextRange = { start: offset, end: offset };
  let used = 0;
  /** Width of the spaces seen since `current.end`, which count only when a word follows on the same line. */
  let gap = 0;
  const breakBefore = (start: number) => {
    lines.push(current);
    current = { start, end: start };
    used = 0;
    gap = 0;
  };
  for (const piece of pieces(line, offset)) {
    if (piece.kind === 'space') {
      gap += piece.width;
      continue;
    }
    if (used + gap + piece.width > limit && (used > 0 || gap > 0)) {
      // Indentation that leaves no room for its word is dropped rather than shown as an empty line.
      if (used === 0) {
        current = { start: piece.start, end: piece.start };
        gap = 0;
      } else breakBefore(piece.start);
    }
    if (piece.width <= limit) {
      used += gap + piece.width;
      gap = 0;
      current.end = piece.end;
      continue;
    }
    let at = piece.start;
    for (const grapheme of graphemes(text.slice(piece.start, piece.end))) {
      const cells = graphemeWidth(grapheme);
      if (used + cells > limit && used > 0) breakBefore(at);
      used += cells;
      at += grapheme.length;
      current.end = at;
    }
  }
  lines.push(current);
}

/** The lines of a text wrapped to `width` cells, see `wrapRanges`. Lines are not padded. */
export function wrapToWidth(text: string, width: number): string[] {
  return wrapRanges(text, width).map(({ start, end }) => text.slice(start, end));
}

import { makeVisible } from '../../../base/text.js';
import { graphemes, type TextRange } from '../../../base/width.js';
import { type Segment, segment } from '../../segments.js';
import type { Tone } from '../../tone.js';

/** A safe text, and where the marked parts of the raw one stand in it. */
export interface MarkedText {
  text: string;
  marks: TextRange[];
}

/**
 * Makes a text visible (line ends kept) and carries ranges of the raw text over. Ranges are widened to whole
 * graphemes, put in order and joined where they touch; those outside the text are dropped.
 */
export function makeVisibleMarked(raw: string, ranges: readonly TextRange[]): MarkedText {
  const wanted = joined(ranges.map((range) => widened(raw, range)).filter(({ start, end }) => start < end));
  if (wanted.length === 0) return { text: makeVisible(raw, { keepNewlines: true }), marks: [] };
  let text = '';
  let at = 0;
  const marks: TextRange[] = [];
  for (const { start, end } of wanted) {
    text += makeVisible(raw.slice(at, start), { keepNewlines: true });
    const from = text.length;
    text += makeVisible(raw.slice(start, end), { keepNewlines: true });
    marks.push({ start: from, end: text.length });
    at = end;
  }
  text += makeVisible(raw.slice(at), { keepNewlines: true });
  return { text, marks };
}

function widened(raw: string, { start, end }: TextRange): TextRange {
  let from = raw.length;
  let to = 0;
  let at = 0;
  for (const grapheme of graphemes(raw)) {
    const next = at + grapheme.length;
    if (next > start && at < end) {
      from = Math.min(from, at);
      to = Math.max(to, next);
    }
    at = next;
  }
  return { start: from, end: to };
}

function joined(ranges: TextRange[]): TextRange[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  const merged: TextRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/** Every place where the words stand in a text, letter case ignored. */
export function findAll(text: string, words: string): TextRange[] {
  if (words === '') return [];
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  return Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Something to draw over part of a text. Later paints lie over earlier ones. */
export interface Paint extends TextRange {
  tone: Tone;
  isChosen?: boolean;
}

/** The part of a text in a range, cut where its paints begin and end. */
export function painted(text: string, range: TextRange, tone: Tone, paints: readonly Paint[]): Segment[] {
  const over = paints.filter((paint) => paint.start < range.end && paint.end > range.start);
  if (over.length === 0) return [segment(text.slice(range.start, range.end), tone)];
  const cuts = new Set([range.start, range.end]);
  for (const { start, end } of over) {
    cuts.add(Math.max(start, range.start));
    cuts.add(Math.min(end, range.end));
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, index) => {
    const end = places[index + 1] ?? range.end;
    const top = over.findLast((paint) => paint.start <= start && paint.end >= end);
    const piece = segment(text.slice(start, end), top?.tone ?? tone);
    return top?.isChosen ? { ...piece, isChosen: true } : piece;
  });
}

import { fitToWidth, textWidth } from '../base/width.js';
import type { Tone } from './tone.js';

/** A piece of one line. Its text is safe to print and holds no line end. */
export interface Segment {
  text: string;
  tone: Tone;
  /** Where the selection stands: drawn inverted. */
  isChosen?: boolean;
}

export type Line = readonly Segment[];

export function segment(text: string, tone: Tone = 'plain'): Segment {
  return { text, tone };
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + textWidth(text), 0);
}

/** So many lines: what is more is left out, what is missing is empty. */
export function filled(lines: readonly Line[], height: number): Line[] {
  return Array.from({ length: height }, (_, index) => lines[index] ?? []);
}

/** The line in exactly `width` cells: cut with `…` or padded with spaces at its end. */
export function fitLine(line: Line, width: number): Segment[] {
  const fitted: Segment[] = [];
  let left = width;
  for (const piece of line) {
    if (left <= 0) break;
    const cells = textWidth(piece.text);
    fitted.push(cells <= left ? piece : { ...piece, text: fitToWidth(piece.text, left) });
    left -= Math.min(cells, left);
  }
  if (left > 0) fitted.push(segment(' '.repeat(left)));
  return fitted;
}

/**
 * A line with something at both ends. The right part keeps its place and the left part is cut; where not even a
 * dozen cells of the left would remain, the right part goes instead.
 */
export function spreadLine(left: Line, right: Line, width: number): Segment[] {
  const rightWidth = lineWidth(right);
  const leftWidth = lineWidth(left);
  const room = width - rightWidth - 1;
  if (rightWidth === 0 || room < Math.min(leftWidth, 12)) return fitLine(left, width);
  return [...fitLine(left, room), segment(' '), ...right];
}

/** The parts of a title in `width` cells or less, the most important first: the name of the screen gives way to them. */
export function titleFitting(name: string, parts: readonly Line[], width: number): Segment[] {
  const named = [[segment(name, 'title')], ...parts];
  const needed = named.reduce((cells, part) => cells + lineWidth(part) + titleGap, -titleGap);
  return joinFitting(needed <= width ? named : parts, width, titleGap);
}

const titleGap = 3;

/**
 * As many groups as fit, in order, with `gap` spaces between them; a group is shown whole or not at all. The first
 * that does not fit ends the line, so that what is shown is always the most important part.
 */
export function joinFitting(groups: readonly Line[], width: number, gap: number): Segment[] {
  const joined: Segment[] = [];
  let used = 0;
  for (const group of groups) {
    const space = joined.length > 0 ? gap : 0;
    const cells = lineWidth(group) + space;
    if (used + cells > width) break;
    if (space > 0) joined.push(segment(' '.repeat(space)));
    joined.push(...group);
    used += cells;
  }
  return joined;
}

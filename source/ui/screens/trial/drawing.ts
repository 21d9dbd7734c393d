import type { Json } from '../../../base/json.js';
import { makeVisible } from '../../../base/text.js';
import { fitToWidth, type TextRange, textWidth, wrapRanges, wrapToWidth } from '../../../base/width.js';
import type { Evidence } from '../../../grade/types.js';
import type { ToolCall } from '../../../target/types.js';
import { type Line, type Segment, segment } from '../../segments.js';
import type { Glyphs } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { findAll, makeVisibleMarked, type Paint, painted } from './highlight.js';

/** A conversation laid out for one width. */
export interface TranscriptLayout {
  lines: readonly Line[];
  /** Line on which each turn begins. */
  turnStarts: ReadonlyMap<number, number>;
  /** Lines on which the evidence of the selected check begins, one a piece of evidence. */
  evidence: readonly number[];
  /** Lines on which the searched text stands, one a place. */
  matches: readonly number[];
  /** Lines on which what the agent said stands, a range a text. */
  replies: readonly { first: number; last: number }[];
  /** Tool calls and answers that are cut short. */
  folded: number;
  /** As plain text, for the clipboard. */
  plain: string;
}

export interface TranscriptOptions {
  width: number;
  glyphs: Glyphs;
  evidence: readonly Evidence[];
  /** Looked for; empty when nothing is. */
  search: string;
  /** Which of the places found is the current one, from 0. */
  match: number;
  /** Tool calls and answers are not cut short. */
  isUnfolded?: boolean;
}

const labelWidth = 7;
const markWidth = 9;
/** A tool's arguments and answer are cut after so many lines; `o` shows all of it. */
const mostToolLines = 3;
/** More than the largest terminal shows in that many lines. */
const mostToolCharacters = 4000;
/** Of an unfolded one: more than anybody reads; `v` shows even that. */
const mostUnfoldedCharacters = 100_000;
/** A longer piece of evidence is shown by its colour and a bar beside it, not by marks under each line. */
const mostMarkedLines = 3;

/** What of a text is evidence: parts of the raw text, or all of it. */
export interface TextEvidence {
  ranges: readonly TextRange[];
  isWhole: boolean;
}

/** Draws a conversation piece by piece, from top to bottom. Every text is made visible here. */
export interface Drawing {
  startTurn(index: number, title: string | undefined): void;
  text(label: string, raw: string, labelTone: Tone, evidence: TextEvidence): void;
  tool(call: ToolCall, isEvidence: boolean): void;
  note(raw: string, tone: Tone): void;
  /** What somebody says of the turn, beside it. `name` is one word. */
  remark(name: string, raw: string, tone: Tone): void;
  /** A piece of evidence with nothing of its own to mark. */
  evidenceHere(): void;
  done(): TranscriptLayout;
}

export function createDrawing({
  width,
  glyphs,
  search,
  match,
  isUnfolded = false,
}: TranscriptOptions): Drawing {
  const lines: Line[] = [];
  const turnStarts = new Map<number, number>();
  const evidence: number[] = [];
  const matches: number[] = [];
  const replies: { first: number; last: number }[] = [];
  const plain: string[] = [];
  let folded = 0;
  const textCells = Math.max(10, width - labelWidth);

  /** Paints for the places where the searched text stands; `matches` grows as the lines are drawn. */
  function found(text: string): Paint[] {
    return findAll(text, search).map((range, index) => ({
      ...range,
      tone: 'found',
      isChosen: matches.length + index === match,
    }));
  }

  function label(words: string, tone: Tone, isFirst: boolean, hasBar: boolean): Segment[] {
    const bar = hasBar ? glyphs.evidenceBar : ' ';
    return [
      segment(isFirst ? fitToWidth(words, labelWidth - 1) : ' '.repeat(labelWidth - 1), tone),
      segment(bar, 'evidence'),
    ];
  }

  function block(
    words: string,
    labelTone: Tone,
    text: string,
    tone: Tone,
    marks: readonly TextRange[],
    isWhole: boolean,
    most: number,
    cells: number,
    right?: string,
  ): void {
    const markPaints = marks.map((range): Paint => ({ ...range, tone: 'evidence' }));
    const foundAt = found(text);
    /** Of the places found, those before it lie before the line that is drawn. */
    let next = 0;
    const ranges = wrapRanges(text, cells);
    const marked = ranges.filter((range) => marks.some((mark) => overlap(mark, range))).length;
    const hasRules = marked > 0 && marked <= mostMarkedLines;
    if (isWhole) evidence.push(lines.length);
    const seen = new Set<TextRange>();
    if (ranges.length > most) folded++;
    ranges.slice(0, most).forEach((range, index) => {
      const isLast = index === most - 1 && ranges.length > most;
      for (const mark of marks) {
        if (!overlap(mark, range) || seen.has(mark)) continue;
        seen.add(mark);
        evidence.push(lines.length);
      }
      const here: Paint[] = [];
      for (let at = next; ; at++) {
        const paint = foundAt[at];
        if (paint === undefined || paint.start >= Math.max(range.end, range.start + 1)) break;
        if (paint.end <= range.start) next = at + 1;
        else here.push(paint);
        if (paint.start >= range.start) matches.push(lines.length);
      }
      const body = painted(text, range, tone, [...markPaints, ...here]);
      const hasBar = isWhole || (!hasRules && marks.some((mark) => overlap(mark, range)));
      const line = [...label(words, labelTone, index === 0, hasBar), ...body];
      if (isLast) line.push(segment(' …', 'faint'));
      if (right !== undefined && index === 0) {
        const gap = Math.max(
          1,
          cells + markWidth - textWidth(text.slice(range.start, range.end)) - right.length,
        );
        line.push(segment(' '.repeat(gap)), segment(right, 'faint'));
      }
      lines.push(line);
      if (hasRules) ruleUnder(text, range, marks);
    });
    // Places found beyond what is drawn are reached at its end.
    for (const paint of foundAt) {
      if (ranges[most] && paint.start >= ranges[most].start) matches.push(lines.length - 1);
    }
  }

  /** A line of marks under the evidence of the line above. */
  function ruleUnder(text: string, range: TextRange, marks: readonly TextRange[]): void {
    const here = marks.filter((mark) => overlap(mark, range));
    if (here.length === 0) return;
    let rule = '';
    for (const mark of here) {
      const start = textWidth(text.slice(range.start, Math.max(range.start, mark.start)));
      const end = textWidth(text.slice(range.start, Math.min(range.end, mark.end)));
      rule +=
        ' '.repeat(Math.max(0, start - textWidth(rule))) + glyphs.evidence.repeat(Math.max(0, end - start));
    }
    const isEnd = here.some((mark) => mark.end <= range.end);
    const name = isEnd && rule.length + 9 <= textCells ? ' evidence' : '';
    lines.push([segment(' '.repeat(labelWidth)), segment(rule, 'evidence'), segment(name, 'faint')]);
  }

  return {
    startTurn(index, title) {
      turnStarts.set(index, lines.length);
      if (title === undefined) return;
      const left = `${glyphs.rule.repeat(2)} turn ${index} `;
      const right = ` ${title}`;
      const rule = glyphs.rule.repeat(Math.max(1, width - textWidth(left) - textWidth(right)));
      lines.push([segment(fitToWidth(`${left}${rule}${right}`, width), 'faint')]);
    },
    text(words, raw, labelTone, { ranges, isWhole }) {
      const { text, marks } = makeVisibleMarked(raw, ranges);
      plain.push(`${words}: ${text}`);
      const first = lines.length;
      block(words, labelTone, text, 'plain', marks, isWhole, Number.POSITIVE_INFINITY, textCells);
      if (words === 'agent') replies.push({ first, last: lines.length - 1 });
    },
    tool(call, isEvidence) {
      const text = makeVisible(
        toolText(call, glyphs.arrow).slice(0, isUnfolded ? mostUnfoldedCharacters : mostToolCharacters),
      );
      plain.push(`tool: ${text}`);
      const isRoomy = textCells > 40;
      const cells = isRoomy ? textCells - markWidth : textCells;
      const mark = isRoomy && call.from === 'fixture' ? 'fixture' : undefined;
      const tone = call.error !== undefined ? 'warn' : 'plain';
      const most = isUnfolded ? Number.POSITIVE_INFINITY : mostToolLines;
      block('tool', 'faint', text, tone, [], isEvidence, most, cells, mark);
    },
    note(raw, tone) {
      const text = makeVisible(raw, { keepNewlines: true });
      plain.push(`(${text})`);
      for (const line of wrapToWidth(text, textCells)) {
        lines.push([segment(' '.repeat(labelWidth)), segment(line, tone)]);
      }
    },
    remark(name, raw, tone) {
      const text = makeVisible(raw, { keepNewlines: true });
      plain.push(`[${name}: ${text}]`);
      wrapToWidth(text, textCells - 2).forEach((line, index) => {
        const head = index === 0 ? fitToWidth(name, labelWidth - 1) : ' '.repeat(labelWidth - 1);
        lines.push([segment(head, tone), segment(` ${glyphs.wall} `, tone), segment(line)]);
      });
    },
    evidenceHere() {
      evidence.push(Math.max(0, lines.length - 1));
    },
    done: () => ({ lines, turnStarts, evidence, matches, replies, folded, plain: plain.join('\n') }),
  };
}

function overlap(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && a.end > b.start;
}

/** A call and its answer in one text that is not made visible yet, with spaces where a line may break. */
export function toolText({ name, args, result, error }: ToolCall, arrow: string): string {
  const given = typeof args === 'string' ? args : spacedJson(args);
  const call = `${name}(${given})`;
  if (error !== undefined) return `${call} ${arrow} error: ${error}`;
  return result === undefined ? `${call} ${arrow} no answer` : `${call} ${arrow} ${spacedJson(result)}`;
}

/** JSON on one line with spaces where a line may break. */
function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}

import { makeVisible } from '../../../base/text.js';
import { fitToWidth, type TextRange, textWidth, wrapRanges } from '../../../base/width.js';
import type { Turn } from '../../../play/types.js';
import type { TrialRecord } from '../../../run/types.js';
import { type Line, segment } from '../../segments.js';
import type { Glyphs } from '../../theme.js';
import type { Tone } from '../../tone.js';
import { toolText } from '../trial/drawing.js';
import { painted } from '../trial/highlight.js';
import { wordChanges } from './words.js';

/** Two conversations, turn beside turn. Both have as many lines. */
export interface SidesLayout {
  from: readonly Line[];
  to: readonly Line[];
  /** Lines on which something begins that differs. */
  differences: readonly number[];
  /** The first line with words that differ; undefined where there is none, or only one conversation. */
  first: number | undefined;
}

/** Something that was said or done, in one column. */
export interface Block {
  /** `line`: of a prompt. */
  kind: 'user' | 'agent' | 'tool' | 'note' | 'line';
  /** Before the text, instead of the kind. */
  label?: string;
  /** Made visible. */
  text: string;
}

const labelWidth = 6;
const mostText = 20_000;
const mostToolText = 2000;
/** A tool's answer is cut after so many lines; the trial screen has all of it. */
const mostToolLines = 5;

/** Lays two conversations out beside each other, each `width` cells wide, with the words marked in which they differ. */
export function layOutSides(
  from: TrialRecord | undefined,
  to: TrialRecord | undefined,
  width: number,
  glyphs: Glyphs,
): SidesLayout {
  const pair = createPair(width, glyphs, from !== undefined && to !== undefined);
  const turns = Math.max(from?.turns.length ?? 0, to?.turns.length ?? 0);
  for (let turn = 1; turn <= turns; turn++) {
    if (turns > 1) {
      const words = `${glyphs.rule.repeat(2)} turn ${turn} `;
      pair.addTitle([
        segment(`${words}${glyphs.rule.repeat(Math.max(0, width - textWidth(words)))}`, 'faint'),
      ]);
    }
    pair.add(turnBlocks(turnOf(from, turn), glyphs), turnBlocks(turnOf(to, turn), glyphs));
  }
  pair.add(endBlocks(from), endBlocks(to));
  return pair.layout();
}

/** Two columns that grow together, line beside line. `isBoth`: both are there, and what differs is marked. */
export function createPair(width: number, glyphs: Glyphs, isBoth: boolean) {
  const left: Line[] = [];
  const right: Line[] = [];
  const differences: number[] = [];
  let marked: number | undefined;
  return {
    /** A line over both. */
    addTitle(title: Line): void {
      left.push(title);
      right.push(title);
    },
    /** Beside each other: what stands in the same place of both. */
    add(before: readonly Block[], after: readonly Block[]): void {
      const start = left.length;
      const [first, second] = [columnOf(before), columnOf(after)];
      for (const [block, partner] of paired(before, after)) {
        const changes = isBoth
          ? wordChanges(block?.text ?? '', partner?.text ?? '')
          : { removed: [], added: [] };
        if (block) first.draw(block, changes.removed, 'removed', width, glyphs);
        if (partner) second.draw(partner, changes.added, 'added', width, glyphs);
      }
      const heads = [...first.finish(), ...second.finish()];
      const own = [first.marked(), second.marked()].filter((line) => line !== undefined);
      if (own.length > 0) marked ??= start + Math.min(...own);
      left.push(...first.lines);
      right.push(...second.lines);
      while (left.length < right.length) left.push([]);
      while (right.length < left.length) right.push([]);
      for (const line of new Set(heads)) differences.push(start + line);
    },
    layout: (): SidesLayout => ({
      from: left,
      to: right,
      differences: differences.sort((a, b) => a - b),
      first: marked,
    }),
  };
}

function turnOf(record: TrialRecord | undefined, index: number): Turn | undefined {
  return record?.turns.find((turn) => turn.index === index);
}

function turnBlocks(turn: Turn | undefined, glyphs: Glyphs): Block[] {
  if (!turn) return [];
  const parts = turn.reply.parts.map(
    (part): Block =>
      part.kind === 'tool'
        ? { kind: 'tool', text: visible(toolText(part.call, glyphs.arrow), mostToolText) }
        : { kind: 'agent', text: visible(part.text, mostText) },
  );
  const nothing: Block[] = parts.length === 0 ? [{ kind: 'note', text: '(the agent said nothing)' }] : [];
  return [{ kind: 'user', text: visible(turn.message, mostText) }, ...parts, ...nothing];
}

function endBlocks(record: TrialRecord | undefined): Block[] {
  if (!record) return [];
  const note = (text: string): Block => ({ kind: 'note', text: visible(text, mostText) });
  const { finished, error } = record;
  return [
    ...(finished?.end.kind === 'no-fixture' ? [note(`ended: no fixture answers ${finished.end.tool}`)] : []),
    ...(finished?.unsent ?? []).map((message) => note(`not sent: ${message}`)),
    ...(error ? [note(`error, ${error.kind}: ${error.message}`)] : []),
  ];
}

function visible(text: string, most: number): string {
  const shown = text.length > most ? `${text.slice(0, most)} …` : text;
  return makeVisible(shown, { keepNewlines: true });
}

/** The first text with the first text, the second tool with the second tool; what has no partner stands alone. */
function paired(before: readonly Block[], after: readonly Block[]): [Block | undefined, Block | undefined][] {
  const waiting = [...after];
  const pairs: [Block | undefined, Block | undefined][] = before.map((block) => {
    const at = waiting.findIndex(({ kind }) => kind === block.kind);
    const [partner] = at < 0 ? [] : waiting.splice(at, 1);
    return [block, partner];
  });
  const partners = new Map(pairs.flatMap(([block, partner]) => (partner ? [[partner, block] as const] : [])));
  // In the order of both columns: those of the new side that have no partner go where they were said.
  const lone = after
    .filter((block) => !partners.has(block))
    .map((block): [undefined, Block] => [undefined, block]);
  return [...pairs, ...lone];
}

/** One column of lines that grows block by block, in the order in which its blocks were said. */
function columnOf(order: readonly Block[]) {
  const lines: Line[] = [];
  const drawn = new Map<Block, { lines: Line[]; isChanged: boolean; marked: number }>();
  let marked: number | undefined;
  return {
    lines,
    /** The first line with words that differ, once it is finished. */
    marked: () => marked,
    draw(block: Block, changes: readonly TextRange[], tone: Tone, width: number, glyphs: Glyphs): void {
      const made = blockLines(block, changes, tone, width, glyphs);
      drawn.set(block, { ...made, isChanged: changes.length > 0 });
    },
    /** Gives the lines on which what differs begins. */
    finish(): number[] {
      const heads: number[] = [];
      for (const block of order) {
        const made = drawn.get(block);
        if (made?.isChanged) {
          heads.push(lines.length);
          marked ??= lines.length + made.marked;
        }
        lines.push(...(made?.lines ?? []));
      }
      return heads;
    },
  };
}

const tones: Record<Block['kind'], Tone> = {
  user: 'accent',
  agent: 'strong',
  tool: 'faint',
  note: 'warn',
  line: 'faint',
};

function blockLines(
  { kind, text, label: given }: Block,
  changes: readonly TextRange[],
  tone: Tone,
  width: number,
  glyphs: Glyphs,
): { lines: Line[]; marked: number } {
  const paints = changes.map((range) => ({ ...range, tone }));
  const ranges = wrapRanges(text, Math.max(8, width - labelWidth - 2));
  const shown = kind === 'tool' ? ranges.slice(0, mostToolLines) : ranges;
  const isCut = shown.length < ranges.length;
  let marked: number | undefined;
  const lines = shown.map((range, index): Line => {
    const isLast = isCut && index === shown.length - 1;
    // What differs out of sight is told of on the last line.
    const end = isLast ? text.length : range.end;
    const isChanged = changes.some((change) => change.start < end && change.end > range.start);
    if (isChanged) marked ??= index;
    const label = index === 0 && kind !== 'note' ? (given ?? kind) : '';
    return [
      segment(fitToWidth(label, labelWidth - 1), tones[kind]),
      // Seen without colours too.
      isChanged ? segment(glyphs.evidenceBar, tone) : segment(' '),
      ...painted(text, range, kind === 'note' ? 'faint' : 'plain', paints),
      ...(isLast ? [segment(' …', 'faint')] : []),
    ];
  });
  return { lines, marked: marked ?? 0 };
}

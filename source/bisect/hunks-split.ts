import { alignTexts } from './hunks-align.js';
import { diffTokens, keepPair } from './hunks-lines.js';
import { type Match, type Range, rangesBetween } from './hunks-match.js';
import { hasMarks } from './hunks-pairs.js';
import { type Edit, isToken, type Part } from './hunks-parts.js';
import { splitSentences, type Token, withoutSpacing } from './hunks-tokens.js';
import { findParents, splitUnits, type Unit } from './hunks-units.js';

/** What splitting finer has to know, and to tell. */
export interface SplitContext {
  split: 'line' | 'sentence';
  /** Lines that are part of a code fence, with its number. */
  fences: ReadonlyMap<Token, number>;
  /** A new block that is part of a larger one: a line's of what was contiguous, a sentence's of the line's. */
  newBlock(larger: number): number;
  /** `block` may only be applied with `needed`. */
  addNeed(block: number, needed: number): void;
  newParagraph(): number;
}

/** The parts with every edit cut into the smallest that can be taken or left on their own. */
export function splitParts(parts: readonly Part[], context: SplitContext): Part[] {
  const done = new Map<readonly Part[], Part[]>();
  const split = (list: readonly Part[]): Part[] => {
    // The two ends of a move share one list, and still do afterwards.
    const known = done.get(list);
    if (known !== undefined) return known;
    const result = list.flatMap((part): Part[] => {
      if (part.role !== 'edit' || part.isSpacing) return [part];
      if (part.end !== undefined) return [{ ...part, old: split(part.old), new: split(part.new) }];
      return splitEdit(part, context);
    });
    done.set(list, result);
    return result;
  };
  return split(parts);
}

function splitEdit(edit: Edit, context: SplitContext): Part[] {
  const old = splitUnits(edit.old.filter(isToken), context.fences);
  const fresh = splitUnits(edit.new.filter(isToken), context.fences);
  const { parts, alone } = splitStretch(old, fresh, edit.block, context);
  needParents(fresh, alone, (child, parent) => context.addNeed(child, parent));
  // Taking away what others stand under needs taking them away.
  needParents(old, alone, (child, parent) => context.addNeed(parent, child));
  return parts;
}

/** Text that is only added (or only removed) hangs on the heading or list item of the same addition above it. */
function needParents(
  units: readonly Unit[],
  alone: ReadonlyMap<Unit, number[]>,
  add: (child: number, parent: number) => void,
): void {
  for (const [at, parentAt] of findParents(units).entries()) {
    const unit = units[at];
    const parent = parentAt === undefined ? undefined : units[parentAt];
    if (unit === undefined || parent === undefined) continue;
    for (const child of alone.get(unit) ?? []) for (const above of alone.get(parent) ?? []) add(child, above);
  }
}

/** `alone`: the blocks of the units that have no counterpart. */
interface Stretch {
  parts: Part[];
  alone: Map<Unit, number[]>;
}

function splitStretch(
  old: readonly Unit[],
  fresh: readonly Unit[],
  larger: number,
  context: SplitContext,
): Stretch {
  const stretch: Stretch = { parts: [], alone: new Map() };
  for (const range of rangesBetween(matchUnits(old, fresh), old.length, fresh.length)) {
    splitGap(...slicesOf(range, old, fresh), larger, context, stretch);
    const pair = [old[range.oldEnd], fresh[range.newEnd]] as const;
    if (pair[0] !== undefined && pair[1] !== undefined)
      stretch.parts.push(...splitPair(pair[0], pair[1], larger, context));
  }
  return stretch;
}

function slicesOf(
  { oldStart, oldEnd, newStart, newEnd }: Range,
  old: readonly Unit[],
  fresh: readonly Unit[],
): [Unit[], Unit[]] {
  return [old.slice(oldStart, oldEnd), fresh.slice(newStart, newEnd)];
}

function matchUnits(old: readonly Unit[], fresh: readonly Unit[]): Match[] {
  const oldWorded = [...old.keys()].filter((at) => old[at]?.kind !== 'blank');
  const newWorded = [...fresh.keys()].filter((at) => fresh[at]?.kind !== 'blank');
  const [onlyOld, onlyNew] = [oldWorded[0], newWorded[0]];
  if (oldWorded.length === 1 && newWorded.length === 1 && onlyOld !== undefined && onlyNew !== undefined)
    return [[onlyOld, onlyNew]];
  return alignTexts(old.map(textOf), fresh.map(textOf));
}

function splitGap(
  old: readonly Unit[],
  fresh: readonly Unit[],
  larger: number,
  context: SplitContext,
  { parts, alone }: Stretch,
): void {
  const isWorded = (unit: Unit) => unit.kind !== 'blank';
  if (old.some(isWorded) && fresh.some(isWorded)) {
    // Nothing says which of these replaces which, so they stay together.
    parts.push(editOf(old, fresh, context.newBlock(larger)));
    return;
  }
  for (const [units, side] of [
    [old, 'old'],
    [fresh, 'new'],
  ] as const) {
    for (const unit of units) {
      const blocks: number[] = [];
      const record = {
        ...context,
        newBlock: (of: number) => blocks[blocks.push(context.newBlock(of)) - 1] ?? of,
      };
      parts.push(...splitAlone(unit, side, larger, record));
      alone.set(unit, blocks);
    }
  }
}

function splitAlone(unit: Unit, side: 'old' | 'new', larger: number, context: SplitContext): Part[] {
  const line = context.split === 'sentence' ? sentencesOf(unit, context.newParagraph()) : undefined;
  if (line === undefined || line.sentences.length < 2) {
    const [old, fresh] = side === 'old' ? [[unit], []] : [[], [unit]];
    return [editOf(old, fresh, context.newBlock(larger))];
  }
  const whole = context.newBlock(larger);
  const edits = line.sentences.map((token): Part => {
    const block = context.newBlock(whole);
    return { role: 'edit', block, old: side === 'old' ? [token] : [], new: side === 'new' ? [token] : [] };
  });
  // The end of a line is only written after a sentence of it, so it needs no hunk.
  return [...edits, ...(line.end === undefined ? [] : [line.end])];
}

function splitPair(old: Unit, fresh: Unit, larger: number, context: SplitContext): Part[] {
  const nextBlock = () => context.newBlock(larger);
  if (withoutSpacing(textOf(old)) === withoutSpacing(textOf(fresh))) {
    if (old.tokens.length !== fresh.tokens.length)
      return [{ ...editOf([old], [fresh], nextBlock()), isSpacing: true }];
    return old.tokens.flatMap((token, at) => keepPair(token, fresh.tokens[at], nextBlock));
  }
  if (context.split === 'line') return [editOf([old], [fresh], nextBlock())];
  const paragraph = context.newParagraph();
  const before = sentencesOf(old, paragraph);
  const after = sentencesOf(fresh, paragraph);
  if (before === undefined || after === undefined || before.sentences.length + after.sentences.length < 3)
    return [editOf([old], [fresh], nextBlock())];
  const whole = nextBlock();
  const nextSentence = () => context.newBlock(whole);
  const parts = diffTokens(before.sentences, after.sentences, () => whole).flatMap((part): Part[] => {
    if (part.role !== 'edit') return [part];
    if (part.isSpacing) return [{ ...part, block: nextSentence() }];
    const units = (list: readonly Part[]) =>
      list.filter(isToken).map((token): Unit => ({ tokens: [token], kind: 'text', level: 0 }));
    return splitSentenceStretch(units(part.old), units(part.new), nextSentence);
  });
  return [...parts, ...keepPair(before.end, after.end, nextSentence)];
}

function splitSentenceStretch(old: readonly Unit[], fresh: readonly Unit[], nextBlock: () => number): Part[] {
  const parts: Part[] = [];
  for (const range of rangesBetween(matchUnits(old, fresh), old.length, fresh.length)) {
    const [gone, come] = slicesOf(range, old, fresh);
    if (gone.length > 0 && come.length > 0) parts.push(editOf(gone, come, nextBlock()));
    else {
      for (const unit of gone) parts.push(editOf([unit], [], nextBlock()));
      for (const unit of come) parts.push(editOf([], [unit], nextBlock()));
    }
    const [before, after] = [old[range.oldEnd], fresh[range.newEnd]];
    if (before !== undefined && after !== undefined) parts.push(editOf([before], [after], nextBlock()));
  }
  return parts;
}

/** The sentences of a paragraph that is one line; undefined for lists, headings, fences, tables and templates. */
function sentencesOf(unit: Unit, paragraph: number): { sentences: Token[]; end?: Token } | undefined {
  const [line] = unit.tokens;
  if (unit.kind !== 'text' || line?.role !== 'line' || /^\s*\|/.test(line.text) || hasMarks(line.text))
    return undefined;
  const text = line.text.replace(/[\r\n]+$/, '');
  const end = line.text.slice(text.length);
  const sentences = splitSentences(text).map(
    (sentence, at): Token => ({
      role: 'sentence',
      text: sentence.text,
      paragraph,
      separator: at === 0 ? ' ' : sentence.separator,
    }),
  );
  return { sentences, ...(end !== '' && { end: { role: 'end', text: end, paragraph } }) };
}

function editOf(old: readonly Unit[], fresh: readonly Unit[], block: number): Edit {
  return {
    role: 'edit',
    block,
    old: old.flatMap((unit) => unit.tokens),
    new: fresh.flatMap((unit) => unit.tokens),
  };
}

function textOf(unit: Unit): string {
  return unit.tokens.map((token) => token.text).join('');
}

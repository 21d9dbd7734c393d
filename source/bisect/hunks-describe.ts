import { sha256 } from '../base/hash.js';
import type { Hunk, HunkEdit, HunkKind, PromptDiff } from './hunk.js';
import { collect } from './hunks-groups.js';
import { type Edit, findSpans, listEdits, type Part, type Span } from './hunks-parts.js';
import { titleOf } from './hunks-title.js';
import { withoutSpacing } from './hunks-tokens.js';

/** The two texts that the parts lead from and to. */
interface Texts {
  a: string;
  b: string;
}

/** The hunks of the parts: the edits whose blocks have the same group. `needs`: pairs of blocks, the second needed. */
export function describeHunks(
  parts: readonly Part[],
  groupOf: (block: number) => number,
  needs: readonly (readonly [number, number])[],
  texts: Texts,
): Pick<PromptDiff, 'hunks' | 'hunkOfBlock'> {
  const places = describeEdits(parts, texts);
  const groups = collect([...places.keys()], (edit) => groupOf(edit.block));
  const order = new Map([...places.keys()].map((edit, at) => [edit, at]));
  const found = [...groups].map(([group, edits]) => {
    const told = edits.filter((edit) => !isSpacing(edit, places));
    const worded = told.length > 0 ? told : edits;
    const [first] = worded;
    const at = first === undefined ? 0 : (order.get(first) ?? 0);
    return { group, at, described: describeHunk(edits, worded, places) };
  });
  found.sort((one, other) => one.at - other.at);

  const idOf = new Map(found.map(({ group, described }) => [group, described.id]));
  const hunkOfBlock = new Map<number, string>();
  for (const edit of places.keys()) hunkOfBlock.set(edit.block, idOf.get(groupOf(edit.block)) ?? '');
  const needed = new Map<string, Set<string>>();
  for (const [block, other] of needs) {
    const [id, otherId] = [hunkOfBlock.get(block), hunkOfBlock.get(other)];
    if (id === undefined || otherId === undefined || id === otherId) continue;
    needed.set(id, (needed.get(id) ?? new Set()).add(otherId));
  }
  const hunks = found.map(({ described }) => ({
    ...described,
    needs: [...(needed.get(described.id) ?? [])],
  }));
  return { hunks, hunkOfBlock };
}

function describeHunk(
  edits: readonly Edit[],
  worded: readonly Edit[],
  places: ReadonlyMap<Edit, HunkEdit>,
): Omit<Hunk, 'needs'> {
  const described = edits.flatMap((edit) => places.get(edit) ?? []);
  const told = worded.flatMap((edit) => places.get(edit) ?? []);
  // What is edited inside a text that the same hunk moves is in that text already.
  const froms = told.filter((edit) => edit.end === 'from');
  const tos = told.filter((edit) => edit.end === 'to');
  const outer = told.filter((edit) => edit.end !== undefined || !isInside(edit, froms, tos));
  const [from, to] = [froms[0], tos[0]];
  const oldText = joinTexts(outer.map((edit) => edit.old));
  const newText = joinTexts(outer.map((edit) => edit.new));
  const kind = kindOf(outer, oldText, newText);
  const [first] = outer;
  return {
    id: idOf(described),
    kind,
    title: kind === 'moved' ? titleOf(oldText, '') : titleOf(oldText, newText),
    lineA: (kind === 'moved' ? from : first)?.lineA ?? 1,
    lineB: (kind === 'moved' ? to : first)?.lineB ?? 1,
    oldText,
    newText,
    edits: described,
  };
}

function isInside(edit: HunkEdit, froms: readonly HunkEdit[], tos: readonly HunkEdit[]): boolean {
  const isWithin = (inner: Span, outer: Span) => inner.start >= outer.start && inner.end <= outer.end;
  return froms.some((from) => isWithin(edit.inA, from.inA)) && tos.some((to) => isWithin(edit.inB, to.inB));
}

function kindOf(edits: readonly HunkEdit[], oldText: string, newText: string): HunkKind {
  if (edits.length > 0 && edits.every((edit) => edit.end !== undefined)) return 'moved';
  if (oldText.trim() === '' && newText.trim() !== '') return 'added';
  if (newText.trim() === '' && oldText.trim() !== '') return 'removed';
  return 'changed';
}

function idOf(edits: readonly HunkEdit[]): string {
  const content = edits.map((edit) => [edit.inA.start, edit.inB.start, edit.old, edit.new]);
  return sha256(JSON.stringify(content)).slice(0, 10);
}

/** Texts of several places, each beginning on a line of its own. */
function joinTexts(texts: readonly string[]): string {
  const filled = texts.filter((text) => text !== '');
  return filled
    .map((text, at) => (at === filled.length - 1 || /[\r\n]$/.test(text) ? text : `${text}\n`))
    .join('');
}

function isSpacing(edit: Edit, places: ReadonlyMap<Edit, HunkEdit>): boolean {
  const place = places.get(edit);
  if (edit.end !== undefined || place === undefined) return false;
  return edit.isSpacing === true || withoutSpacing(place.old) === withoutSpacing(place.new);
}

/** Where each edit is and what it changes there, in the order of the texts. */
function describeEdits(parts: readonly Part[], { a, b }: Texts): Map<Edit, HunkEdit> {
  const inA = findSpans(parts, 'old');
  const inB = findSpans(parts, 'new');
  const lineInA = createLineFinder(a);
  const lineInB = createLineFinder(b);
  const nowhere = { start: 0, end: 0 };
  const places = new Map<Edit, HunkEdit>();
  for (const edit of listEdits(parts)) {
    const spanA = inA.get(edit) ?? nowhere;
    const spanB = inB.get(edit) ?? nowhere;
    places.set(edit, {
      inA: spanA,
      inB: spanB,
      lineA: lineInA(spanA.start),
      lineB: lineInB(spanB.start),
      old: a.slice(spanA.start, spanA.end),
      new: b.slice(spanB.start, spanB.end),
      ...(edit.end !== undefined && { end: edit.end }),
    });
  }
  return places;
}

/** The line, from 1, in which an offset is. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

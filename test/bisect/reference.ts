import type { Hunk, HunkEdit, PromptDiff } from '../../source/bisect/hunk.js';

interface Place {
  hunk: string;
  edit: HunkEdit;
}

/**
 * The exact composition, from nothing but the two texts and the places that hunks tell: A is cut at every place; what
 * is applied is replaced by the text of B there; a text that moves is written at one of its two ends, with the edits
 * inside it. A line without an end gets one where another follows. Slow, and shares no code with the product.
 */
export function composeByPlaces(a: string, diff: PromptDiff, subset: ReadonlySet<string>): string {
  const lineEnd = /\r\n|\n|\r/.exec(a)?.[0] ?? diff.lineEnd;
  const pieces = cutAt(a, { start: 0, end: a.length }, placesOf(diff.hunks), subset);
  let text = '';
  for (const piece of pieces.filter((part) => part !== '')) {
    text += text === '' || /[\r\n]$/.test(text) ? piece : lineEnd + piece;
  }
  return text;
}

function placesOf(hunks: readonly Hunk[]): Place[] {
  return hunks
    .flatMap(({ id, edits }) => edits.map((edit) => ({ hunk: id, edit })))
    .sort(
      ({ edit: one }, { edit: other }) =>
        one.inA.start - other.inA.start ||
        one.inB.start - other.inB.start ||
        one.inA.end - other.inA.end ||
        one.inB.end - other.inB.end,
    );
}

function cutAt(
  a: string,
  range: { start: number; end: number },
  places: readonly Place[],
  subset: ReadonlySet<string>,
): string[] {
  const ends = places.filter(({ edit }) => edit.end === 'from');
  const inside = (from: Place) => {
    const to = places.find(({ hunk, edit }) => hunk === from.hunk && edit.end === 'to');
    return places.filter(
      ({ edit }) => edit.end === undefined && to !== undefined && isWithin(edit, from.edit, to.edit),
    );
  };
  const nested = new Set(ends.flatMap(inside));
  const pieces: string[] = [];
  let at = range.start;
  for (const place of places) {
    if (nested.has(place)) continue;
    const { hunk, edit } = place;
    pieces.push(a.slice(at, edit.inA.start));
    if (edit.end === undefined) pieces.push(subset.has(hunk) ? edit.new : edit.old);
    else if (subset.has(hunk) === (edit.end === 'to')) {
      const from = ends.find((other) => other.hunk === hunk);
      if (from !== undefined) pieces.push(cutAt(a, from.edit.inA, inside(from), subset).join(''));
    }
    at = edit.inA.end;
  }
  return [...pieces, a.slice(at, range.end)];
}

function isWithin(edit: HunkEdit, from: HunkEdit, to: HunkEdit): boolean {
  return (
    edit.inA.start >= from.inA.start &&
    edit.inA.end <= from.inA.end &&
    edit.inB.start >= to.inB.start &&
    edit.inB.end <= to.inB.end
  );
}

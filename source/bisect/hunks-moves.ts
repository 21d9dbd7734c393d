import { collect } from './hunks-groups.js';
import { diffTokens } from './hunks-lines.js';
import { type Edit, isToken, type Part } from './hunks-parts.js';
import { type Token, withoutSpacing } from './hunks-tokens.js';

/** Below so many characters (white space not counted) a line may well stand in two places by chance. */
const shortest = 20;

interface Line {
  /** Index of the part that holds it. */
  part: number;
  /** Index in the part's old or new list. */
  at: number;
}

/** A text that left one edit and stands in another; `oldEnd` and `newEnd` not included. */
interface Move {
  from: number;
  oldStart: number;
  oldEnd: number;
  to: number;
  newStart: number;
  newEnd: number;
}

/**
 * The same parts, in which what was removed in one place and added in another, with the same words but for small
 * edits inside it, is one move. What was edited inside is edits of their own.
 */
export function findMoves(parts: readonly Part[], nextBlock: () => number): Part[] {
  const moves = joinMoves(growMoves(parts), parts);
  if (moves.length === 0) return [...parts];
  const ends = new Map<Move, { block: number; inner: Part[] }>();
  for (const move of moves) {
    const inner = diffTokens(
      listOf(parts, move.from, 'old').slice(move.oldStart, move.oldEnd),
      listOf(parts, move.to, 'new').slice(move.newStart, move.newEnd),
      nextBlock,
    );
    ends.set(move, { block: nextBlock(), inner });
  }
  const leavingAt = collect(moves, (move) => move.from);
  const comingAt = collect(moves, (move) => move.to);
  return parts.flatMap((part, at) => {
    if (part.role !== 'edit') return [part];
    const leaving = (leavingAt.get(at) ?? []).sort((a, b) => a.oldStart - b.oldStart);
    const coming = (comingAt.get(at) ?? []).sort((a, b) => a.newStart - b.newStart);
    if (leaving.length + coming.length === 0) return [part];
    return cutEdit(
      part,
      cutOut(part.old, leaving, (move) => [move.oldStart, move.oldEnd]),
      cutOut(part.new, coming, (move) => [move.newStart, move.newEnd]),
      ends,
    );
  });
}

/** Stretches of a list with the moves that lie between them. */
function cutOut(
  list: readonly Part[],
  moves: readonly Move[],
  rangeOf: (move: Move) => [number, number],
): (Move | readonly Part[])[] {
  const pieces: (Move | readonly Part[])[] = [];
  let at = 0;
  for (const move of moves) {
    const [start, end] = rangeOf(move);
    pieces.push(list.slice(at, start), move);
    at = end;
  }
  pieces.push(list.slice(at));
  return pieces;
}

/** What is left of an edit stays one block; its last old stretch is replaced by its first new one. */
function cutEdit(
  edit: Edit,
  old: readonly (Move | readonly Part[])[],
  fresh: readonly (Move | readonly Part[])[],
  ends: ReadonlyMap<Move, { block: number; inner: Part[] }>,
): Part[] {
  const { block } = edit;
  const toPart = (piece: Move | readonly Part[], side: 'old' | 'new'): Part[] => {
    if (!('from' in piece)) {
      if (piece.length === 0) return [];
      return [{ role: 'edit', block, old: side === 'old' ? piece : [], new: side === 'new' ? piece : [] }];
    }
    const end = ends.get(piece);
    if (end === undefined) return [];
    return side === 'old'
      ? [{ role: 'edit', block: end.block, old: end.inner, new: [], end: 'from' }]
      : [{ role: 'edit', block: end.block, old: [], new: end.inner, end: 'to' }];
  };
  const lastOld = old.at(-1) ?? [];
  const firstNew = fresh[0] ?? [];
  const middle: Part[] =
    'from' in lastOld || 'from' in firstNew || lastOld.length + firstNew.length === 0
      ? []
      : [{ role: 'edit', block, old: lastOld, new: firstNew }];
  return [
    ...old.slice(0, -1).flatMap((piece) => toPart(piece, 'old')),
    ...middle,
    ...fresh.slice(1).flatMap((piece) => toPart(piece, 'new')),
  ];
}

function listOf(parts: readonly Part[], at: number, side: 'old' | 'new'): Token[] {
  const part = parts[at];
  // Moves are looked for before anything is nested, so an edit holds tokens only.
  return part?.role === 'edit' ? part[side].filter(isToken) : [];
}

/** Runs of equal lines around each telling line that left exactly one place and came to exactly one other. */
function growMoves(parts: readonly Part[]): Move[] {
  const moves: Move[] = [];
  const taken = { old: new Set<string>(), new: new Set<string>() };
  const keys = { old: keysOf(parts, 'old'), new: keysOf(parts, 'new') };
  const left = uniqueLines(keys.old);
  const came = uniqueLines(keys.new);
  for (const [key, from] of left) {
    const to = came.get(key);
    if (from === undefined || to === undefined || from.part === to.part || key.length < shortest) continue;
    if (taken.old.has(`${from.part} ${from.at}`)) continue;
    const old = keys.old[from.part] ?? [];
    const fresh = keys.new[to.part] ?? [];
    const isFree = (by: number) => {
      const same = old[from.at + by];
      return (
        same !== undefined &&
        same === fresh[to.at + by] &&
        !taken.old.has(`${from.part} ${from.at + by}`) &&
        !taken.new.has(`${to.part} ${to.at + by}`)
      );
    };
    let first = 0;
    while (isFree(first - 1)) first--;
    let last = 0;
    while (isFree(last + 1)) last++;
    for (let by = first; by <= last; by++) {
      taken.old.add(`${from.part} ${from.at + by}`);
      taken.new.add(`${to.part} ${to.at + by}`);
    }
    moves.push({
      from: from.part,
      oldStart: from.at + first,
      oldEnd: from.at + last + 1,
      to: to.part,
      newStart: to.at + first,
      newEnd: to.at + last + 1,
    });
  }
  return moves;
}

/** What each line of each edit says, white space aside, by the index of its part. */
function keysOf(parts: readonly Part[], side: 'old' | 'new'): string[][] {
  return parts.map((_, part) => listOf(parts, part, side).map((token) => withoutSpacing(token.text)));
}

/** Lines of the edits by what they say; undefined for those that stand there more than once. */
function uniqueLines(keys: readonly (readonly string[])[]): Map<string, Line | undefined> {
  const lines = new Map<string, Line | undefined>();
  for (const [part, list] of keys.entries()) {
    for (const [at, key] of list.entries()) lines.set(key, lines.has(key) ? undefined : { part, at });
  }
  return lines;
}

/** Moves between the same two edits, in the same order and with little changed between them, are one. */
function joinMoves(moves: readonly Move[], parts: readonly Part[]): Move[] {
  const joined: Move[] = [];
  const sorted = [...moves].sort((a, b) => a.from - b.from || a.oldStart - b.oldStart);
  for (const move of sorted) {
    const before = joined.at(-1);
    if (before !== undefined && isNear(before, move, parts, moves)) {
      before.oldEnd = move.oldEnd;
      before.newEnd = move.newEnd;
    } else joined.push({ ...move });
  }
  return joined;
}

function isNear(before: Move, move: Move, parts: readonly Part[], moves: readonly Move[]): boolean {
  if (before.from !== move.from || before.to !== move.to || move.newStart < before.newEnd) return false;
  // Another text that came to the gap would end up in two moves.
  const isCrossed = moves.some(
    (other) => other.to === move.to && other.newStart >= before.newEnd && other.newEnd <= move.newStart,
  );
  if (isCrossed) return false;
  const old = listOf(parts, move.from, 'old');
  const fresh = listOf(parts, move.to, 'new');
  const count = (tokens: readonly Token[]) =>
    tokens.reduce((sum, token) => sum + withoutSpacing(token.text).length, 0);
  const same =
    count(old.slice(before.oldStart, before.oldEnd)) + count(old.slice(move.oldStart, move.oldEnd));
  const changed = Math.max(
    count(old.slice(before.oldEnd, move.oldStart)),
    count(fresh.slice(before.newEnd, move.newStart)),
  );
  return changed <= same;
}

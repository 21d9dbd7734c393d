import { matchLists, type Range, rangesBetween } from './hunks-match.js';
import type { Part } from './hunks-parts.js';
import { type Token, withoutSpacing } from './hunks-tokens.js';

/**
 * The parts that lead from one list of tokens to the other. Tokens are matched by their words; where a matched pair
 * differs in white space, that is an edit of its own. `nextBlock` numbers the edits.
 */
export function diffTokens(old: readonly Token[], fresh: readonly Token[], nextBlock: () => number): Part[] {
  const oldKeys = old.map((token) => withoutSpacing(token.text));
  const newKeys = fresh.map((token) => withoutSpacing(token.text));
  const parts: Part[] = [];
  let oldAt = 0;
  let newAt = 0;
  const keepUntil = (oldEnd: number) => {
    for (; oldAt < oldEnd; oldAt++, newAt++) parts.push(...keepPair(old[oldAt], fresh[newAt], nextBlock));
  };
  for (const gap of findGaps(oldKeys, newKeys)) {
    keepUntil(gap.oldStart);
    parts.push({
      role: 'edit',
      block: nextBlock(),
      old: old.slice(gap.oldStart, gap.oldEnd),
      new: fresh.slice(gap.newStart, gap.newEnd),
    });
    oldAt = gap.oldEnd;
    newAt = gap.newEnd;
  }
  keepUntil(old.length);
  return parts;
}

/** Two tokens of the same words: one that both texts have, or an edit of white space. */
export function keepPair(old: Token | undefined, fresh: Token | undefined, nextBlock: () => number): Part[] {
  if (old === undefined && fresh === undefined) return [];
  if (old !== undefined && fresh !== undefined && isSame(old, fresh)) return [old];
  return [
    {
      role: 'edit',
      block: nextBlock(),
      old: old === undefined ? [] : [old],
      new: fresh === undefined ? [] : [fresh],
      isSpacing: true,
    },
  ];
}

function isSame(one: Token, other: Token): boolean {
  if (one.text !== other.text || one.role !== other.role) return false;
  return one.role !== 'sentence' || other.role !== 'sentence' || one.separator === other.separator;
}

/** Where the lists differ, in order. Text that is only added or removed is shown where a reader would cut. */
function findGaps(oldKeys: readonly string[], newKeys: readonly string[]): Range[] {
  const matches = matchLists(oldKeys, newKeys);
  const gaps = [...rangesBetween(matches, oldKeys.length, newKeys.length)].filter(
    ({ oldStart, oldEnd, newStart, newEnd }) => oldStart < oldEnd || newStart < newEnd,
  );
  const slid: Range[] = [];
  for (const [at, gap] of gaps.entries()) {
    const isAdded = gap.oldStart === gap.oldEnd;
    if (!isAdded && gap.newStart !== gap.newEnd) {
      slid.push(gap);
      continue;
    }
    const room = {
      before: gap.oldStart - (slid.at(-1)?.oldEnd ?? 0),
      after: (gaps[at + 1]?.oldStart ?? oldKeys.length) - gap.oldEnd,
    };
    const by = isAdded
      ? bestSlide(newKeys, gap.newStart, gap.newEnd, room)
      : bestSlide(oldKeys, gap.oldStart, gap.oldEnd, room);
    slid.push(moveBy(gap, by));
  }
  return slid;
}

function moveBy(gap: Range, by: number): Range {
  return {
    oldStart: gap.oldStart + by,
    oldEnd: gap.oldEnd + by,
    newStart: gap.newStart + by,
    newEnd: gap.newEnd + by,
  };
}

/**
 * The same addition can often be cut in several ways (`b c` after `a b c`, or `c b` inside). How far to slide it so that
 * it begins with a heading or after a blank line, and ends with one. One kept line stays on each side, so that
 * neighbours never touch.
 */
function bestSlide(
  keys: readonly string[],
  start: number,
  end: number,
  { before, after }: { before: number; after: number },
): number {
  let lowest = 0;
  while (-lowest < before - 1 && keys[start + lowest - 1] === keys[end + lowest - 1]) lowest--;
  let highest = 0;
  while (highest < after - 1 && keys[start + highest] === keys[end + highest]) highest++;
  let best = 0;
  let bestScore = -1;
  for (let by = highest; by >= lowest; by--) {
    const first = keys[start + by] ?? '';
    const score =
      (/^#{1,6}/.test(first) ? 4 : 0) +
      (first !== '' && (keys[start + by - 1] ?? '') === '' ? 2 : 0) +
      (keys[end + by - 1] === '' || end + by === keys.length ? 1 : 0);
    if (score > bestScore) {
      best = by;
      bestScore = score;
    }
  }
  return best;
}

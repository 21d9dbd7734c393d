import type { HunkSplit } from '../run/bisect-events.js';
import type { PromptDiff } from './hunk.js';
import { describeHunks } from './hunks-describe.js';
import { createGroups, type Groups, joinPairs, joinSpacing, needPairs } from './hunks-groups.js';
import { diffTokens } from './hunks-lines.js';
import { findMoves } from './hunks-moves.js';
import { findFences, pairLines } from './hunks-pairs.js';
import type { Part } from './hunks-parts.js';
import { splitParts } from './hunks-split.js';
import { lineEndOf, splitLines, type Token } from './hunks-tokens.js';

/** The hunks that lead from prompt A to prompt B; none where they are equal byte for byte. */
export function diffPrompts(a: string, b: string, split: HunkSplit = 'hunk'): PromptDiff {
  let blocks = 0;
  const nextBlock = () => blocks++;
  const lines = { old: splitLines(a), new: splitLines(b) };
  const pairs = { old: pairLines(lines.old), new: pairLines(lines.new) };
  const coarse = findMoves(diffTokens(lines.old, lines.new, nextBlock), nextBlock);
  const groups = createGroups();
  joinPairs(coarse, groups, pairs);
  joinSpacing(coarse, groups, () => 0);

  const larger = new Map<number, number>();
  const needs: [number, number][] = [];
  let parts = coarse;
  let cut = groups;
  if (split !== 'hunk') {
    let paragraphs = 0;
    parts = splitParts(coarse, {
      split,
      fences: numberFences(lines),
      newBlock(of) {
        const block = nextBlock();
        larger.set(block, of);
        return block;
      },
      addNeed: (block, needed) => needs.push([block, needed]),
      newParagraph: () => paragraphs++,
    });
    // What is joined among lines is never joined across contiguous changes, nor among sentences across lines, so that
    // every finer hunk is a part of one coarser hunk.
    const topOf = (block: number): number => {
      const above = larger.get(block);
      return above === undefined ? groups.find(block) : topOf(above);
    };
    needPairs(parts, pairs, topOf, (block, needed) => needs.push([block, needed]));
    const joined = createGroups();
    const lineOf = (block: number) => {
      const above = larger.get(block);
      return above !== undefined && larger.has(above) ? above : block;
    };
    cut = {
      find: (block) => joined.find(lineOf(block)),
      join: (one, other) => joined.join(lineOf(one), lineOf(other)),
    };
    joinWhole(parts, cut, pairs, topOf, needs);
    if (split === 'sentence') {
      const { find } = cut;
      cut = createGroups();
      joinWhole(parts, cut, pairs, find, needs);
    }
  }
  const lineEnd = lineEndOf(a) ?? lineEndOf(b) ?? '\n';
  return { split, parts, lineEnd, ...describeHunks(parts, cut.find, needs, { a, b }) };
}

function joinWhole(
  parts: readonly Part[],
  groups: Groups,
  pairs: Record<'old' | 'new', readonly (readonly Token[])[]>,
  larger: (block: number) => number,
  needs: readonly [number, number][],
): void {
  joinPairs(parts, groups, pairs);
  joinSpacing(parts, groups, larger);
  joinCircles(needs, groups);
}

function numberFences(lines: Record<'old' | 'new', readonly Token[]>): Map<Token, number> {
  const numbers = new Map<Token, number>();
  for (const side of ['old', 'new'] as const) {
    const fences = findFences(lines[side].map((line) => line.text));
    for (const [at, line] of lines[side].entries()) {
      const fence = fences[at];
      if (fence !== undefined) numbers.set(line, side === 'old' ? fence : -fence);
    }
  }
  return numbers;
}

/** Groups that need each other are one. */
function joinCircles(needs: readonly [number, number][], groups: Groups): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    const direct = directNeeds(needs, groups);
    for (const root of direct.keys()) {
      const reached = reach(root, direct);
      for (const other of reached) {
        if (other === root || groups.find(other) === groups.find(root) || !reach(other, direct).has(root))
          continue;
        groups.join(root, other);
        isChanged = true;
      }
    }
  }
}

function directNeeds(needs: readonly [number, number][], groups: Groups): Map<number, Set<number>> {
  const direct = new Map<number, Set<number>>();
  for (const [block, needed] of needs) {
    const [root, other] = [groups.find(block), groups.find(needed)];
    if (root === other) continue;
    direct.set(root, (direct.get(root) ?? new Set()).add(other));
  }
  return direct;
}

function reach(root: number, direct: ReadonlyMap<number, ReadonlySet<number>>): Set<number> {
  const reached = new Set<number>();
  const open = [...(direct.get(root) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(direct.get(next) ?? []));
  }
  return reached;
}

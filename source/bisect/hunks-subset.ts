import type { PromptDiff } from './hunk.js';
import { writeParts } from './hunks-parts.js';
import { createWriter } from './hunks-tokens.js';

/**
 * The prompt with these hunks applied to A: none give A and all give B, byte for byte. Throws an Error for an id that
 * is not there and for a set that lacks what one of its hunks needs (`isAllowed`).
 */
export function composePrompt(diff: PromptDiff, subset: ReadonlySet<string>): string {
  const ids = new Set(diff.hunks.map((hunk) => hunk.id));
  for (const id of subset) if (!ids.has(id)) throw new Error(`there is no hunk ${id} in this diff`);
  for (const { id, needs } of diff.hunks) {
    const missing = subset.has(id) ? needs.find((needed) => !subset.has(needed)) : undefined;
    if (missing !== undefined) throw new Error(`hunk ${id} needs hunk ${missing}, which is not in the set`);
  }
  const out = createWriter(diff.lineEnd);
  writeParts(diff.parts, (block) => subset.has(diff.hunkOfBlock.get(block) ?? ''), out);
  return out.text();
}

/** Whether each hunk of the set has all that it needs. */
export function isAllowed(diff: PromptDiff, subset: ReadonlySet<string>): boolean {
  return diff.hunks.every(({ id, needs }) => !subset.has(id) || needs.every((needed) => subset.has(needed)));
}

/** The set with one more hunk and all that it needs. */
export function withHunk(diff: PromptDiff, subset: ReadonlySet<string>, id: string): Set<string> {
  const needs = new Map(diff.hunks.map((hunk) => [hunk.id, hunk.needs]));
  const result = new Set(subset);
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    result.add(next);
    open.push(...(needs.get(next) ?? []).filter((needed) => !result.has(needed)));
  }
  return result;
}

/** The set without one hunk and without all that needs it. */
export function withoutHunk(diff: PromptDiff, subset: ReadonlySet<string>, id: string): Set<string> {
  const result = new Set(subset);
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    result.delete(next);
    for (const hunk of diff.hunks) if (result.has(hunk.id) && hunk.needs.includes(next)) open.push(hunk.id);
  }
  return result;
}

/** For each hunk, by its index in `hunks`, the indexes of those that it needs: the shape that strategies take. */
export function dependenciesOf(diff: PromptDiff): number[][] {
  const index = new Map(diff.hunks.map((hunk, at) => [hunk.id, at]));
  return diff.hunks.map((hunk) => hunk.needs.flatMap((needed) => index.get(needed) ?? []));
}

import type { PromptDiff } from './hunk.js';
import { writeParts } from './hunks-parts.js';
import { createWriter } from './hunks-tokens.js';

/**
 * The prompt with these hunks applied to A: none give A and all give B, byte for byte. Throws an Error for an id that
 * is not there and for a set that lacks what one of its hunks needs.
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

/** For each hunk, by its index in `hunks`, the indexes of those that it needs: the shape that strategies take. */
export function dependenciesOf(diff: PromptDiff): number[][] {
  const index = new Map(diff.hunks.map((hunk, at) => [hunk.id, at]));
  return diff.hunks.map((hunk) => hunk.needs.flatMap((needed) => index.get(needed) ?? []));
}

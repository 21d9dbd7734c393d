import { expect } from 'vitest';
import type { Hunk, PromptDiff } from '../../source/bisect/hunk.js';
import { diffPrompts } from '../../source/bisect/hunks.js';
import { composePrompt } from '../../source/bisect/hunks-subset.js';
import type { HunkSplit } from '../../source/run/bisect-events.js';
import { composeByPlaces } from './reference.js';

/** The hunks that are wanted, and all that these need. */
export function chooseAllowed(diff: PromptDiff, wanted: readonly boolean[]): Set<string> {
  const chosen = new Set(diff.hunks.filter((_, at) => wanted[at % wanted.length]).map((hunk) => hunk.id));
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const { id, needs } of diff.hunks)
      if (chosen.has(id)) for (const needed of needs) chosen.add(needed);
  }
  return chosen;
}

/** What holds of every two prompts. `choices`: sets of hunks to try. */
export function expectLaws(a: string, b: string, choices: readonly boolean[][]): void {
  const coarse = diffPrompts(a, b, 'hunk');
  const line = diffPrompts(a, b, 'line');
  const sentence = diffPrompts(a, b, 'sentence');
  for (const diff of [coarse, line, sentence]) expectExact(a, b, diff, choices);
  for (const choice of choices) {
    expectSameUnion(coarse, line, choice);
    expectSameUnion(line, sentence, choice);
  }
}

function expectExact(a: string, b: string, diff: PromptDiff, choices: readonly boolean[][]): void {
  const all = new Set(diff.hunks.map((hunk) => hunk.id));
  expect(all.size).toBe(diff.hunks.length);
  expect(composePrompt(diff, new Set())).toBe(a);
  expect(composePrompt(diff, all)).toBe(b);
  expect(diff.hunks.length > 0).toBe(a !== b);
  for (const choice of choices) {
    const subset = chooseAllowed(diff, choice);
    const composed = composePrompt(diff, subset);
    // Between sentences that never met, white space is a matter of taste; words are not.
    const compared = toleranceOf(diff.split);
    expect(compared(composed)).toBe(compared(composeByPlaces(a, diff, subset)));
    expect(composePrompt(diff, new Set([...subset].reverse()))).toBe(composed);
  }
}

function toleranceOf(split: HunkSplit): (text: string) => string {
  return split === 'sentence' ? (text) => text.replace(/\s+/g, '') : (text) => text;
}

/** Each finer hunk is a part of one coarser hunk; all parts of some hunks give the prompt that these give. */
function expectSameUnion(coarse: PromptDiff, fine: PromptDiff, choice: readonly boolean[]): void {
  const subset = chooseAllowed(coarse, choice);
  const parts = fine.hunks.filter((hunk) => subset.has(largerOf(hunk, coarse))).map((hunk) => hunk.id);
  const finer = new Set(parts);
  expect(composePrompt(fine, finer)).toBe(composePrompt(coarse, subset));
}

function largerOf(fine: Hunk, coarse: PromptDiff): string {
  const owners = fine.edits.map((edit) => {
    const around = coarse.hunks.filter((hunk) =>
      hunk.edits.some(
        (other) =>
          other.end === edit.end &&
          other.inA.start <= edit.inA.start &&
          other.inA.end >= edit.inA.end &&
          other.inB.start <= edit.inB.start &&
          other.inB.end >= edit.inB.end,
      ),
    );
    return around.map((hunk) => hunk.id);
  });
  const [first = [], ...others] = owners;
  const shared = first.filter((id) => others.every((ids) => ids.includes(id)));
  expect(shared).toHaveLength(1);
  return shared[0] ?? '';
}

import path from 'node:path';
import { UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import type { PromptVersion } from '../project/prompts.js';
import type { HunkSplit } from '../run/bisect-events.js';
import type { PromptDiff } from './hunk.js';
import { diffPrompts } from './hunks.js';

/** One end of a bisect: what it is called, and the text. A `PromptVersion` is one. */
export type BisectEnd = Pick<PromptVersion, 'name' | 'text' | 'sha256'> &
  Partial<Pick<PromptVersion, 'path' | 'commit' | 'dirty'>>;

/** What a bisect starts from: the prompt that is known to pass, the one that fails, and what leads from one to the other. */
export interface BisectEnds {
  good: BisectEnd;
  bad: BisectEnd;
  diff: PromptDiff;
}

/** Throws UserError where the two are the same text: then no words can have done it. */
export function compareEnds(good: BisectEnd, bad: BisectEnd, split: HunkSplit = 'hunk'): BisectEnds {
  const diff = diffPrompts(good.text, bad.text, split);
  if (diff.hunks.length === 0) {
    throw new UserError(
      `${quote(good.name)} and ${quote(bad.name)} are the same prompt; name two versions that differ with --good and --bad`,
    );
  }
  return { good, bad, diff };
}

/**
 * What `--good` or `--bad` may mean, as `wanted` of `loadPrompt`, the likeliest first: a version's name or a path, else
 * a git revision of the prompt's own file. `file`: that file's path from the root of the project, with slashes.
 */
export function wantedOfEnd(given: string, file: string): string[] {
  const isPlace = given.includes(':') || path.extname(given) === path.extname(file);
  return isPlace ? [given] : [given, `${given}:${file}`];
}

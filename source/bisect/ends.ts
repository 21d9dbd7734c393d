import path from 'node:path';
import { UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import type { PromptVersion } from '../project/prompts.js';

type BisectEnd = Pick<PromptVersion, 'name' | 'text'>;

/** Throws UserError where both ends are the same text: then no words can have done it. */
export function refuseSame(good: BisectEnd, bad: BisectEnd): void {
  if (good.text !== bad.text) return;
  throw new UserError(
    `${quote(good.name)} and ${quote(bad.name)} are the same prompt; name two versions that differ with --good and --bad`,
  );
}

/**
 * What `--good` or `--bad` may mean, as `wanted` of `loadPrompt`, the likeliest first: a version's name or a path, else
 * a git revision of the prompt's own file. `file`: that file's path from the root of the project, with slashes.
 */
export function wantedOfEnd(given: string, file: string): string[] {
  const isPlace = given.includes(':') || path.extname(given) === path.extname(file);
  return isPlace ? [given] : [given, `${given}:${file}`];
}

import { UserError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { quote } from '../../base/quote.js';
import type { JudgeTask } from '../types.js';

export const judgeTaskKinds = ['judge', 'conveys', 'fact', 'refusal'] as const satisfies JudgeTask['kind'][];

/** The system prompt of a judge for one kind of task. */
export interface Instructions {
  text: string;
  /** Of `text`: a change of what is said about another task does not change it. */
  sha256: string;
}

const heading = /^## Task: *(.*?) *$/gmu;

/**
 * The instructions in the text of a judge prompt, by kind of task: what stands before the first `## Task: …` is
 * common to all, and what follows such a heading is for that task. A text without such a heading is about the task
 * `judge` alone. Throws UserError for a heading that names no task, one that is there twice, and a task without text.
 */
export function readInstructions(promptName: string, promptText: string): Map<string, Instructions> {
  const headings = [...promptText.matchAll(heading)];
  const [first] = headings;
  if (!first) return new Map([['judge', instructions(promptText)]]);
  const common = promptText.slice(0, first.index).trim();
  const byTask = new Map<string, Instructions>();
  for (const [position, { 0: line, 1: name = '', index }] of headings.entries()) {
    const known = judgeTaskKinds.find((kind) => kind === name);
    const where = `the judge prompt ${promptName}`;
    if (known === undefined)
      throw new UserError(
        `${where}: ${quote(line)} names no task; there are ${judgeTaskKinds.map((kind) => quote(kind)).join(', ')}`,
      );
    if (byTask.has(known)) throw new UserError(`${where} has two parts for the task ${quote(known)}`);
    const own = promptText.slice(index + line.length, headings[position + 1]?.index).trim();
    if (own === '') throw new UserError(`${where} says nothing about the task ${quote(known)}`);
    byTask.set(known, instructions(common === '' ? own : `${common}\n\n${own}`));
  }
  return byTask;
}

function instructions(text: string): Instructions {
  return { text, sha256: sha256(text) };
}

import { resolve } from 'node:path';
import { normaliseText, problemOfFile, readTextFile } from '../base/document.js';
import { type Problem, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { type DataNode, nodeAt, positionAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import type { Project } from '../project/config.js';
import { modelReferenceForm } from '../project/config-schema.js';
import { shownPath } from '../project/paths.js';
import { findPrompt } from '../project/prompts.js';
import { isNotYet, notYetMessages } from './not-yet.js';

/** The `target` of suite.yaml names one of the kinds that exist in later versions: what to say of it. */
export function findLaterTarget(target: DataNode | undefined, file: string): Problem[] {
  if (target?.kind !== 'map') return [];
  return target.entries
    .filter(({ key }) => isNotYet('targets', key))
    .map(({ key, keyAt }) => problemAt(file, keyAt, notYetMessages.target(key)));
}

/** A model is a name from the config or `provider:model`. */
export function findUnknownModel(
  reference: string,
  place: { node: DataNode; path: string[]; file: string },
  project: Project,
): Problem[] {
  const { models } = project.config;
  if (Object.hasOwn(models, reference) || modelReferenceForm.test(reference)) return [];
  const hint = suggest(reference, Object.keys(models), 'models');
  const message = `${quote(reference)} is no name in "models" of .evalrc.json, and not provider:model; ${hint}`;
  return [problemAt(place.file, positionAt(place.node, place.path), message)];
}

/** A prompt that the target may be run with, as far as templates need it. */
export interface TargetPrompt {
  /** As it is called in problems. */
  file: string;
  /** Lines end in `\n`. */
  text: string;
}

/**
 * The prompts that a target is run with as the config says, and what is wrong with them: the deployed version,
 * and the candidate where there is one. A candidate that is missing is a mistake of the config, not of the suite.
 */
export async function readTargetPrompts(
  project: Project,
  suiteNode: DataNode,
  file: string,
): Promise<{ prompts: TargetPrompt[]; problems: Problem[] }> {
  const node = nodeAt(suiteNode, ['target', 'prompt']);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return { prompts: [], problems: [] };
  const deployed = await readPromptFile(project, node.value, 'deployed').catch((error: unknown) => {
    if (error instanceof UserError) return problemAt(file, node.at, error.message);
    throw error;
  });
  const candidate = await readPromptFile(project, node.value, 'candidate').catch(() => undefined);
  const read = [deployed, ...(candidate === undefined ? [] : [candidate])];
  return {
    prompts: read.filter((prompt) => 'text' in prompt),
    problems: read.filter((prompt) => 'message' in prompt),
  };
}

async function readPromptFile(
  project: Project,
  name: string,
  wanted: 'deployed' | 'candidate',
): Promise<TargetPrompt | Problem> {
  const place = await findPrompt(project, name, wanted);
  const shown = shownPath(project.root, place.path);
  const { text, problems } = await readTextFile(resolve(project.root, place.path), shown);
  const problem = problems[0];
  if (problem !== undefined) return problem;
  if (text === undefined || text.trim() === '') return problemOfFile(shown, 'the prompt is empty');
  return { file: shown, text: normaliseText(text) };
}

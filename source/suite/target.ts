import { resolve } from 'node:path';
import { normaliseText, readTextFile } from '../base/document.js';
import { type Problem, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { type DataNode, entryOf, positionAt, problemAt } from '../base/nodes.js';
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
  const message = `no model is named ${quote(reference)} in "models" of .evalrc.json; ${hint}, or write provider:model`;
  return [problemAt(place.file, positionAt(place.node, place.path), message)];
}

/** A prompt that the target may be run with, as far as templates need it. */
export interface TargetPrompt {
  /** As it is called in problems. */
  file: string;
  /** Lines end in `\n`. */
  text: string;
}

/** The prompt of a target, deployed version, and what is wrong with it. */
export async function readTargetPrompt(
  project: Project,
  suiteNode: DataNode,
  file: string,
): Promise<{ prompt: TargetPrompt | undefined; problems: Problem[] }> {
  const node = entryOf(entryOf(suiteNode, 'target')?.value ?? suiteNode, 'prompt')?.value;
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return { prompt: undefined, problems: [] };
  try {
    const place = await findPrompt(project, node.value);
    const shown = shownPath(project.root, place.path);
    const { text, problems } = await readTextFile(resolve(project.root, place.path), shown);
    if (text === undefined) return { prompt: undefined, problems };
    if (text.trim() === '') {
      return {
        prompt: undefined,
        problems: [{ file: shown, line: 0, column: 0, message: 'the prompt is empty' }],
      };
    }
    return { prompt: { file: shown, text: normaliseText(text) }, problems: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { prompt: undefined, problems: [problemAt(file, node.at, error.message)] };
  }
}

import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { normaliseText, problemOfFile, readTextFile } from '../base/document.js';
import { type Problem, UserError } from '../base/errors.js';
import { nearest, suggest } from '../base/nearest.js';
import { type DataNode, entryOf, nodeAt, positionAt, problemAt } from '../base/nodes.js';
import { listed, quote } from '../base/quote.js';
import type { Project } from '../project/config.js';
import { modelReferenceForm } from '../project/config-schema.js';
import { whatIsThere } from '../project/folder.js';
import { shownPath } from '../project/paths.js';
import { findPrompt } from '../project/prompts.js';
import type { LoadContext } from './load-context.js';
import { promptTargetKeys, type SuiteValue, type TargetKind, targetKinds } from './schema.js';
import { placeTarget } from './target-schemas.js';
import type { ReadTools } from './tools.js';
import type { Suite, TargetSpec } from './types.js';

/** The prompt that a suite tests, also where the target is no prompt itself: what candidates are versions of. */
export function promptOf(suite: Pick<Suite, 'target' | 'prompt'>): string | undefined {
  return suite.target.kind === 'prompt' ? suite.target.prompt : suite.prompt;
}

/**
 * Which kind of target suite.yaml has, by its key; undefined where it has none or several. A mistyped key counts:
 * what is wrong with it is found when the target is validated.
 */
export function findTargetKind(
  suiteNode: DataNode,
  file: string,
): { kind: TargetKind | undefined; problems: Problem[] } {
  const target = entryOf(suiteNode, 'target')?.value;
  // That it is missing, or something else than a map, is said by any of the schemas.
  if (target?.kind !== 'map') return { kind: 'prompt', problems: [] };
  const given = target.entries.filter(({ key }) => (targetKinds as string[]).includes(key));
  const [first, second] = given;
  if (first !== undefined && second === undefined) return { kind: first.key as TargetKind, problems: [] };
  if (first === undefined) {
    const isPrompt = target.entries.some(({ key }) => promptTargetKeys.includes(key));
    if (isPrompt) return { kind: 'prompt', problems: [] };
    const near = target.entries.flatMap(({ key }) => nearest(key, targetKinds) ?? []);
    if (near.length > 0) return { kind: near[0] as TargetKind, problems: [] };
    const message = `a target is one of ${listed(targetKinds, 'or')}, and this is none of them`;
    return { kind: undefined, problems: [problemAt(file, target.at, message)] };
  }
  const others = given.slice(1).map(({ key, keyAt }) => {
    const isReaching = key === 'prompt' || first.key === 'prompt';
    const hint = isReaching
      ? '; the prompt whose text reaches the product is named beside the target: "prompt: …" at the top of the file'
      : '';
    const message = `a target is exactly one of ${listed(targetKinds, 'or')}, and there is ${quote(first.key)} already${hint}`;
    return problemAt(file, keyAt, message);
  });
  return { kind: undefined, problems: others };
}

/** A prompt target names its prompt itself. */
export function findPromptTwice(suiteNode: DataNode, file: string): Problem[] {
  const beside = entryOf(suiteNode, 'prompt');
  if (beside === undefined || nodeAt(suiteNode, ['target', 'prompt']) === undefined) return [];
  const isOther = targetKinds.some((kind) => kind !== 'prompt' && nodeAt(suiteNode, ['target', kind]));
  if (isOther) return [];
  return [
    problemAt(file, beside.keyAt, 'the target is a prompt and names it already; leave "prompt" out here'),
  ];
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
  const node = nodeAt(suiteNode, ['target', 'prompt']) ?? nodeAt(suiteNode, ['prompt']);
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

/** The target, with the parts that stand in files of their own; paths in it become absolute. */
export function readTarget(
  value: SuiteValue['target'],
  { tools, live }: Pick<ReadTools, 'tools' | 'live'>,
  suiteFolder: string,
): TargetSpec {
  if (value.kind !== 'prompt') return placeTarget(value, suiteFolder);
  const { temperature, maxTokens, maxSteps } = value.settings;
  return {
    kind: 'prompt',
    prompt: value.prompt,
    model: value.model,
    tools,
    ...(Object.keys(live).length > 0 && { live }),
    settings: { ...(temperature !== undefined && { temperature }), maxTokens, maxSteps },
    template: value.template,
  };
}

/** The module, or the folder of the command, that a target names and that is not there. */
export async function findMissingFiles({ project, place, file, node }: LoadContext): Promise<Problem[]> {
  const check = async (key: string, isRight: (facts: Stats) => boolean, what: string): Promise<Problem[]> => {
    const named = nodeAt(node, ['target', key]);
    if (named?.kind !== 'scalar' || typeof named.value !== 'string') return [];
    const path = resolve(place.folder, named.value);
    const isThere = await stat(path).then(isRight, () => false);
    if (isThere) return [];
    const shown = shownPath(project.root, path);
    return [
      problemAt(file, named.at, `there is no ${what} ${shown}; ${await whatIsThere(project.root, path)}`),
    ];
  };
  switch (findTargetKind(node, file).kind) {
    case 'module':
      return check('module', (facts) => facts.isFile(), 'module');
    case 'command':
      return check('cwd', (facts) => facts.isDirectory(), 'folder');
    default:
      return [];
  }
}

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseDocuments, readTextFile } from '../base/document.js';
import { InputError, type Problem, UserError } from '../base/errors.js';
import { mergeConflict } from '../base/merge-conflict.js';
import { type DataNode, positionAt, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { listed, quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import type { Project } from '../project/config.js';
import { shownPath } from '../project/paths.js';
import type { Condition } from '../run/planned.js';
import { countMistakes } from './baseline-mistakes.js';
import { type Baseline, baselineSchema } from './baseline-schema.js';

export type { Baseline } from './baseline-schema.js';

/**
 * Reads a baseline file; a path that is not absolute starts at the root of the project. Throws InputError with every
 * mistake of the file, each at its place; in the project's folder of baselines another model than the file's is one.
 */
export async function readBaseline(
  project: Pick<Project, 'root'> & Partial<Pick<Project, 'config'>>,
  file: string,
): Promise<Baseline> {
  const full = path.resolve(project.root, file);
  const shown = shownPath(project.root, full);
  const { text, problems } = await readTextFile(full, shown);
  if (text === undefined) throw new InputError(problems);
  return parseBaseline(text, shown, namedByFile(project, full));
}

/** Which model a file is the baseline of by its name; undefined for files that are not in the folder of baselines. */
export function namedByFile(
  { root, config }: Pick<Project, 'root'> & Partial<Pick<Project, 'config'>>,
  file: string,
): NamedFile | undefined {
  if (!config) return undefined;
  const folder = path.resolve(root, config.baselines);
  return path.dirname(path.dirname(file)) === folder ? modelOfFile(path.basename(file)) : undefined;
}

interface NamedFile {
  model: string;
  live: boolean;
}

/**
 * As `readBaseline`, of a text that has been read already; `file` is how it is called in problems. `named`: what the
 * file's name says.
 */
export async function parseBaseline(text: string, file: string, named?: NamedFile): Promise<Baseline> {
  const { documents, problems } = await parseDocuments(text, file, 'yaml');
  if (problems.length > 0)
    throw new InputError(
      [...mergeConflict(text, file, 'keep one side, and count the other by a new run'), ...problems].slice(
        0,
        20,
      ),
    );
  const [node, second] = documents;
  if (node === undefined) throw new InputError([{ file, line: 0, column: 0, message: 'the file is empty' }]);
  const validated = validateNode(baselineSchema, node, { file });
  const found = [...validated.problems];
  if (second) found.push(problemAt(file, second.at, 'a second document; a baseline is one document'));
  if (validated.value) {
    found.push(...countMistakes(validated.value, node, file));
    if (named) found.push(...wrongFile(validated.value, named, node, file));
  }
  if (!validated.value || found.length > 0) throw new InputError(inReadingOrder(found));
  return validated.value;
}

/** A baseline that another one's name was given: everything would be compared with the wrong model. */
function wrongFile({ condition }: Baseline, named: NamedFile, node: DataNode, file: string): Problem[] {
  const add = (key: string, message: string) =>
    problemAt(file, positionAt(node, ['condition', key]), message);
  const { target, model, answered, fixtures } = condition;
  const problems: Problem[] = [];
  const isOther =
    target === 'prompt' || answered.models.length === 0
      ? model !== named.model
      : !answered.models.includes(named.model);
  if (isOther) {
    const is = target === 'prompt' ? model : (answered.models[0] ?? model);
    const key = is === model ? 'model' : 'answered';
    problems.push(add(key, `a baseline of ${quote(is)}, in the file of ${quote(named.model)}`));
  }
  if ((fixtures === 'live') !== named.live) {
    const tools = { live: 'live tools', recorded: 'recorded fixtures' };
    const other = named.live ? tools.live : tools.recorded;
    problems.push(add('fixtures', `a baseline with ${tools[fixtures]}, in the file of ${other}`));
  }
  return problems;
}

/** Where the baseline of a suite and a model stands, absolute: `<baselines>/<suite>/<model>.yaml`. */
export function baselinePath(
  project: Project,
  suite: string,
  model: string,
  { live = false }: { live?: boolean } = {},
): string {
  return path.join(baselineFolder(project, suite), `${encodeModel(model)}${live ? '.live' : ''}.yaml`);
}

function baselineFolder({ root, config }: Project, suite: string): string {
  return path.resolve(root, config.baselines, suite);
}

/**
 * A model's name as a file's: percent-encoded, so that it can be read back. Also what a shell or a file system takes
 * for its own, a dot at the beginning, and a `.live` at the end, which means something else here.
 */
function encodeModel(model: string): string {
  const percent = (found: string) => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(model.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*~]/g, percent)
    .replace(/^\./, percent)
    .replace(/\.(?=live$)/, percent);
}

/** A baseline file by its name: which model, and whether tools were live. Undefined for other files. */
export function modelOfFile(name: string): NamedFile | undefined {
  const [, encoded, live] = /^(.+?)(\.live)?\.yaml$/.exec(name) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return { model: decodeURIComponent(encoded), live: live !== undefined };
  } catch {
    return undefined;
  }
}

/** One baseline file of a suite. */
export interface BaselinePlace {
  /** Absolute. */
  path: string;
  /** From the top of the project. */
  shown: string;
  model: string;
  live: boolean;
}

/** The baselines of a suite, sorted by file. None where there is no folder. */
export async function listBaselines(project: Project, suite: string): Promise<BaselinePlace[]> {
  const folder = baselineFolder(project, suite);
  const names: string[] = await readdir(folder).catch(() => []);
  return names.sort().flatMap((name) => {
    const named = modelOfFile(name);
    const full = path.join(folder, name);
    return named ? [{ path: full, shown: shownPath(project.root, full), ...named }] : [];
  });
}

/** What names the model of a condition, for the file of its baseline. */
export type NamedCondition = Pick<Condition, 'target' | 'model' | 'liveTools'>;

/**
 * The model that a baseline is kept under: of a product the one that it reports, else what `--model` said. Undefined
 * where nobody said. Throws UserError when a product reported several.
 */
export function modelOfBaseline(
  { target, model }: NamedCondition,
  answered: readonly string[] = [],
): string | undefined {
  if (target === 'prompt') return model;
  if (answered.length > 1) {
    throw new UserError(
      `the product answered with ${listed(answered.map((name) => quote(name)))}: a baseline is of one model; make a run in which one answers`,
    );
  }
  return answered[0] ?? (model === `${target} product` ? undefined : model);
}

/**
 * The baseline that a condition is compared with; undefined where there is none. Which model a product answers with is
 * known only once it has: until then its only baseline is meant, and none of several.
 */
export async function findBaseline(
  project: Project,
  suite: string,
  condition: NamedCondition,
  answered: readonly string[] = [],
): Promise<BaselinePlace | undefined> {
  const live = condition.liveTools === true;
  const there = (await listBaselines(project, suite)).filter((one) => one.live === live);
  const model = modelOfBaseline(condition, answered);
  if (model !== undefined) return there.find((one) => one.model === model);
  return there.length === 1 ? there[0] : undefined;
}

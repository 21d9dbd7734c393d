import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { listed, quote } from '../../base/quote.js';
import { loadLabels } from '../../grade/labels/load.js';
import { listJudgePrompts } from '../../grade/labels/prompts.js';
import { rubricHash } from '../../grade/labels/rubric-hash.js';
import type { Label } from '../../grade/labels/types.js';
import { checkCatalogue, checkKind } from '../../grade/registry.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import { listSuites, loadSuite } from '../../suite/load.js';
import type { JudgeSpec, Suite } from '../../suite/types.js';
import { judgeFolders } from './suite-models.js';

/** The labels of one judge prompt, whatever its version. */
export interface LabelsFile {
  /** Absolute. */
  path: string;
  /** As it is called in messages. */
  shown: string;
}

/** `judges/<name>.labels.yaml` of the project. `prompt`: `name` or `name@N`. */
export function labelsFile(project: Project, prompt: string): LabelsFile {
  const path = join(project.root, 'judges', `${promptFamily(prompt)}.labels.yaml`);
  return { path, shown: shownPath(project.root, path) };
}

/** `default` of `default@1`. */
export function promptFamily(prompt: string): string {
  return prompt.replace(/@\d+$/, '');
}

/** The labels of a judge prompt; none where it has no file. Throws InputError with every mistake of the file. */
export function loadLabelsOf(project: Project, prompt: string): Promise<Label[]> {
  const { path, shown } = labelsFile(project, prompt);
  return loadLabels(path, shown);
}

/** A judged check of a suite. */
export interface RubricUse {
  suite: string;
  scenario: string;
  check: string;
  rubric: string;
}

/** Which judge is meant, and what the suites ask it. */
export interface ChosenJudge {
  spec: JudgeSpec;
  uses: RubricUse[];
}

/**
 * The judge that a person means by a name (`default`, `default@2` or nothing) and perhaps a model: what is not said is
 * taken from the suites that use it, else from `models.judge` of the config and the latest version. Throws UserError where
 * that is not one judge, and InputError with the mistakes of suites.
 */
export async function chooseJudge(
  project: Project,
  name: string | undefined,
  model: string | undefined,
): Promise<ChosenJudge> {
  const judged = await suitesWithJudge(project);
  const families = [...new Set(judged.map(({ spec }) => promptFamily(spec.prompt)))];
  const wanted = name ?? (families.length > 1 ? undefined : (families[0] ?? 'default'));
  if (wanted === undefined) throw new UserError(`name the judge prompt: ${listed(families, 'or')}`);
  const users = judged.filter(({ spec }) =>
    wanted.includes('@') ? spec.prompt === wanted : spec.prompt.startsWith(`${wanted}@`),
  );
  const prompts = [...new Set(users.map(({ spec }) => spec.prompt))];
  if (prompts.length > 1)
    throw new UserError(`suites use several versions; name one: ${listed(prompts, 'or')}`);
  const prompt = prompts[0] ?? (wanted.includes('@') ? wanted : await latestVersion(project, wanted));
  const models = model !== undefined ? [model] : [...new Set(users.map(({ spec }) => spec.model))];
  if (models.length > 1)
    throw new UserError(`suites judge by several models; name one with --model: ${listed(models, 'or')}`);
  const chosen = models[0] ?? (Object.hasOwn(project.config.models, 'judge') ? 'judge' : undefined);
  if (chosen === undefined)
    throw new UserError(`no suite is judged by ${quote(wanted)}; name the model with --model provider:model`);
  const uses = judged
    .filter(({ spec }) => promptFamily(spec.prompt) === promptFamily(prompt))
    .flatMap((one) => one.uses);
  return { spec: { model: chosen, prompt }, uses };
}

async function suitesWithJudge(project: Project): Promise<ChosenJudge[]> {
  const found: ChosenJudge[] = [];
  for (const name of await listSuites(project)) {
    const suite = await loadSuite(project, name, checkCatalogue);
    if (suite.judge) found.push({ spec: suite.judge, uses: rubricUses(suite) });
  }
  return found;
}

/** What a suite asks its judge. */
export function rubricUses({ name, scenarios }: Suite): RubricUse[] {
  return scenarios.flatMap(({ id, checks }) =>
    checks
      .filter((check) => checkKind(check) === 'judged')
      .map((check) => ({ suite: name, scenario: id, check: check.id, rubric: rubricHash(check) })),
  );
}

async function latestVersion(project: Project, family: string): Promise<string> {
  const all = await listJudgePrompts(judgeFolders(project));
  const versions = all.filter((name) => promptFamily(name) === family);
  const number = (name: string) => Number(name.split('@')[1]);
  const [latest] = versions.sort((a, b) => number(b) - number(a));
  if (latest === undefined)
    throw new UserError(
      `there is no judge prompt ${quote(family)}; ${suggest(family, all, 'judge prompts')}`,
    );
  return latest;
}

import { join, resolve } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { InputError, UserError } from '../../base/errors.js';
import { nodeAt } from '../../base/nodes.js';
import { packageRoot } from '../../base/package-root.js';
import { quote } from '../../base/quote.js';
import type { OpenModelOptions } from '../../model/models.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import { resolveProvider } from '../../model/provider.js';
import type { Project } from '../../project/config.js';
import type { Place, Suite } from '../../suite/types.js';

/** `provider:model` for a name from `models` of the config; anything else as it is. */
export function resolveModelName(project: Project, nameOrReference: string): string {
  const { models } = project.config;
  return (Object.hasOwn(models, nameOrReference) ? models[nameOrReference] : undefined) ?? nameOrReference;
}

/** The parts of a suite that name models. */
export type ModelNames = Partial<Pick<Suite, 'target' | 'judge' | 'user' | 'places'>>;

/** Whether a provider that is known answers for a model: what is wrong with it then stands in no file. */
function isOfProvider(project: Project, reference: string): boolean {
  const provider = reference.slice(0, Math.max(0, reference.indexOf(':')));
  return resolveProvider(provider, project.config.providers) !== undefined;
}

/**
 * Where a model that is not there is named: in the config, else in suite.yaml. Undefined where only a flag names it,
 * and for models of known providers.
 */
export function placeOfModel(project: Project, suite: ModelNames, reference: string): Place | undefined {
  const { config, configFile, node } = project;
  if (isOfProvider(project, reference)) return undefined;
  const asked = modelNames(suite);
  const names = Object.keys(config.models).filter((name) => config.models[name] === reference);
  // Of several names of one model the one that the suite says.
  const name = names.find((one) => asked.some((part) => part.name === one)) ?? names[0];
  const inConfig = name !== undefined && node !== undefined && nodeAt(node, ['models', name]);
  if (inConfig && configFile !== undefined) return { file: configFile, ...inConfig.at };
  return asked.find((part) => part.name === reference)?.place;
}

function modelNames({
  target,
  judge,
  user,
  places = {},
}: ModelNames): { name: string; place: Place | undefined }[] {
  return [
    ...(target && 'model' in target ? [{ name: target.model, place: places.model }] : []),
    ...(judge ? [{ name: judge.model, place: places.judge }] : []),
    ...(user ? [{ name: user.model, place: places.user }] : []),
  ];
}

/** Who is asked by a run of a suite and may have to be paid: models that are not simulated, and a product. */
export function paidFor(project: Project, suite: Pick<Suite, 'target' | 'judge' | 'user'>): string[] {
  const models = modelNames(suite).map(({ name }) => resolveModelName(project, name));
  const product = suite.target.kind === 'prompt' ? [] : [`the product (${suite.target.kind})`];
  return [...new Set([...product, ...models.filter((model) => !model.startsWith('simulated:'))])];
}

/** What `open` gives; what it throws for the user gets the place, unless it has places of its own. */
export async function atPlace<T>(place: Place | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (place === undefined || !(error instanceof UserError) || error instanceof InputError) throw error;
    throw new InputError([{ ...place, message: error.message }]);
  }
}

/** What models are opened with. Those of one `accounts` share the pace of their provider accounts. */
export function modelOptions(project: Project, env: NodeJS.ProcessEnv, accounts: Accounts): OpenModelOptions {
  const { simulated, providers } = project.config;
  return { simulatedFolder: resolve(project.root, simulated), clock: systemClock, env, providers, accounts };
}

/** Folders that judge prompts are looked for in: those of the project, then those that evalrun brings. */
export function judgeFolders(project: Project): string[] {
  return [join(project.root, 'judges'), join(packageRoot(), 'judges')];
}

/**
 * Looks at what stands behind the models of a suite as far as that is in files: simulated models, names of
 * providers, and the prompt of the judge. Each check throws UserError or InputError. No key is needed and nothing is asked over a network.
 */
export function checkSuiteModels(
  suite: Suite,
  project: Project,
  env: NodeJS.ProcessEnv,
): (() => Promise<void>)[] {
  const references = modelNames(suite).map(({ name }) => resolveModelName(project, name));
  const checks = [...new Set(references)].map((reference) => async () => {
    const { openModel } = await import('../../model/models.js');
    // A model of a known provider is opened by a run alone: it may want a key.
    if (isOfProvider(project, reference)) return;
    const { createAccounts } = await import('../../model/pacing/accounts.js');
    const options = modelOptions(project, env, createAccounts(systemClock));
    await atPlace(placeOfModel(project, suite, reference), () => openModel(reference, options));
  });
  const { judge } = suite;
  if (judge === undefined) return checks;
  const checkJudge = async () => {
    const { loadJudgePrompt } = await import('../../grade/judge/prompt.js');
    const prompt = await atPlace(suite.places?.judgePrompt, () =>
      loadJudgePrompt(judge.prompt, judgeFolders(project)),
    );
    await checkTasks(suite, prompt);
  };
  return [...checks, checkJudge];
}

/** Throws InputError where a check asks for something that the judge's prompt says nothing about: it would always be unknown. */
async function checkTasks(suite: Suite, prompt: { name: string; text: string }): Promise<void> {
  const [{ tasksWithoutInstructions }, { findCheck }] = await Promise.all([
    import('../../grade/judge/coverage.js'),
    import('../../grade/registry.js'),
  ]);
  const checks = suite.scenarios.flatMap((scenario) => scenario.checks);
  const problems = tasksWithoutInstructions(prompt, checks).flatMap((task) => {
    const asking = checks.find(({ type }) => findCheck(type)?.asksFor === task);
    const message = `the judge prompt ${prompt.name} says nothing of the task ${quote(task)}, so this check would always be unknown; add "## Task: ${task}" to it`;
    return asking ? [{ ...asking.place, message }] : [];
  });
  if (problems.length > 0) throw new InputError(problems);
}

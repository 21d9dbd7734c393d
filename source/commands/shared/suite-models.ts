import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../base/clock.js';
import type { OpenModelOptions } from '../../model/models.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import type { Project } from '../../project/config.js';
import type { Suite } from '../../suite/types.js';

/** `provider:model` for a name from `models` of the config; anything else as it is. */
export function resolveModelName(project: Project, nameOrReference: string): string {
  const { models } = project.config;
  return (Object.hasOwn(models, nameOrReference) ? models[nameOrReference] : undefined) ?? nameOrReference;
}

/** What models are opened with. Those of one `accounts` share the pace of their provider accounts. */
export function modelOptions(project: Project, env: NodeJS.ProcessEnv, accounts: Accounts): OpenModelOptions {
  const { simulated, providers } = project.config;
  return { simulatedFolder: resolve(project.root, simulated), clock: systemClock, env, providers, accounts };
}

/** Folders that judge prompts are looked for in: those of the project, then those that evalrun brings. */
export function judgeFolders(project: Project): string[] {
  return [join(project.root, 'judges'), fileURLToPath(new URL('../../../judges', import.meta.url))];
}

/**
 * Looks at what stands behind the models of a suite as far as that is in files: simulated models and the prompt
 * of the judge. Each check throws UserError or InputError. No key is needed and nothing is asked over a network.
 */
export function checkSuiteModels(
  suite: Suite,
  project: Project,
  env: NodeJS.ProcessEnv,
): (() => Promise<void>)[] {
  const references = [suite.target, suite.judge, suite.user]
    .flatMap((part) => (part && 'model' in part ? [resolveModelName(project, part.model)] : []))
    .filter((reference) => reference.startsWith('simulated:'));
  const checks = [...new Set(references)].map((reference) => async () => {
    const { openModel } = await import('../../model/models.js');
    const { createAccounts } = await import('../../model/pacing/accounts.js');
    await openModel(reference, modelOptions(project, env, createAccounts(systemClock)));
  });
  const { judge } = suite;
  if (judge === undefined) return checks;
  const checkJudge = async () => {
    const { loadJudgePrompt } = await import('../../grade/judge/prompt.js');
    await loadJudgePrompt(judge.prompt, judgeFolders(project));
  };
  return [...checks, checkJudge];
}

import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import { createLiveTools } from '../../play/live-tools.js';
import { createSimulatedUser } from '../../play/simulated-user.js';
import type { Project } from '../../project/config.js';
import { loadPrompt, type PromptVersion } from '../../project/prompts.js';
import type { RunSettings } from '../../project/run-settings.js';
import type { RunParts } from '../../run/parts.js';
import type { Condition } from '../../run/planned.js';
import type { RunStarted } from '../../run/reader.js';
import { promptOf } from '../../suite/target.js';
import { isSimulatedUser } from '../../suite/turns.js';
import type { Suite } from '../../suite/types.js';
import { loadWithFixtures } from './choose-suite.js';
import { conditionId, openCondition } from './open-condition.js';
import { prepareJudge, refuseOwnVendor } from './open-judge.js';
import { type ConditionChoice, type PreparedBase, prepareBase } from './prepare-base.js';
import { hashCommandFiles } from './source-files.js';
import { resolveModelName } from './suite-models.js';
import { createWorkshop, type Workshop } from './workshop.js';

/** Everything of a run but its settings: what is tested, on what, and who judges. */
export type PreparedRun = Pick<
  RunParts,
  'suite' | 'conditions' | 'judge' | 'vendors' | 'user' | 'liveTools' | 'env' | 'onRetry' | 'sources'
> & {
  /** The provider accounts that its models share, for the header of the grid. */
  accounts: Accounts;
  /** Scenarios of the suite were left out, for another reason than that the line named some. */
  filtered?: true;
} & PreparedBase['facts'];

/**
 * Loads a suite with all that its run needs. Throws InputError with the mistakes of its files, UserError for a prompt,
 * model, scenario or tag that does not exist.
 */
export async function prepareRun(
  project: Project,
  suite: Suite,
  choice: ConditionChoice,
  env: NodeJS.ProcessEnv,
): Promise<PreparedRun> {
  const workshop = createWorkshop(project, suite, env);
  const promptName = promptOf(suite);
  if (promptName === undefined && choice.prompt !== undefined) {
    throw new UserError(
      `the suite ${quote(suite.name)} names no prompt that a candidate could take the place of; add "prompt: NAME" to its suite.yaml`,
    );
  }
  const prompt = promptName === undefined ? undefined : await loadPrompt(project, promptName, choice.prompt);
  const isLive = choice.liveTools ?? false;
  const models = modelsOf(project, suite, choice.models);
  const conditions = await Promise.all(
    (choice.isTwice ? models.flatMap((model) => [model, model]) : models).map((model, index) =>
      openCondition(conditionId(index), model, suite, prompt, workshop, isLive),
    ),
  );
  if (choice.isTwice) return finishRun(suite, conditions, isLive, workshop);
  const base = await prepareBase(suite, conditions, choice, workshop);
  const run = await finishRun(suite, [...conditions, ...base.conditions], isLive, workshop);
  return { ...run, ...base.facts };
}

/** What stands beside the conditions: who judges, who plays the user, what calls tools. */
export async function finishRun(
  suite: Suite,
  conditions: PreparedRun['conditions'],
  isLive: boolean,
  workshop: Workshop,
): Promise<PreparedRun> {
  const { env, accounts, sources, onRetry, project } = workshop;
  Object.assign(sources, await hashCommandFiles(project.root, suite, isLive));
  const judging = await prepareJudge(suite, workshop);
  refuseOwnVendor(
    suite,
    conditions.map(({ condition }) => condition.model),
    judging,
  );
  return {
    suite,
    conditions,
    env,
    accounts,
    sources,
    onRetry,
    ...judging,
    ...(await prepareUser(suite, workshop)),
    ...(isLive && prepareLiveTools(suite, env)),
  };
}

/** The simulated user, where a scenario that is run needs one. */
async function prepareUser(suite: Suite, { project, open }: Workshop): Promise<Pick<RunParts, 'user'>> {
  if (!suite.user || !suite.scenarios.some(isSimulatedUser)) return {};
  return { user: createSimulatedUser({ model: await open(resolveModelName(project, suite.user.model)) }) };
}

function prepareLiveTools({ name, target }: Suite, env: NodeJS.ProcessEnv): Pick<RunParts, 'liveTools'> {
  if (target.kind !== 'prompt') {
    throw new UserError(
      `${quote(name)} tests a product, which calls its own tools: --live-tools is for tools that evalrun calls`,
    );
  }
  if (target.live === undefined) {
    throw new UserError(
      `no tool of ${quote(name)} can be called for real; say how with "live" in its file of tools`,
    );
  }
  return { liveTools: createLiveTools({ tools: target.live, env, clock: systemClock }) };
}

/** The model of each condition, as the run names it. */
export function modelsOf(project: Project, suite: Suite, asked: readonly string[]): string[] {
  const { target } = suite;
  if (target.kind === 'prompt') {
    const names = asked.length > 0 ? asked : [target.model];
    return [...new Set(names.map((name) => modelReference(project, name)))];
  }
  if (asked.length > 1) {
    throw new UserError(
      `${quote(suite.name)} tests a product, which answers with a model of its own: --model can only name that one`,
    );
  }
  return [asked[0] ?? `${target.kind} product`];
}

function modelReference(project: Project, name: string): string {
  const reference = resolveModelName(project, name);
  if (reference.includes(':')) return reference;
  const hint = suggest(name, Object.keys(project.config.models), 'models');
  throw new UserError(`${quote(name)} is no model of the config, and not provider:model either; ${hint}`);
}

/**
 * Loads again what a run was made of, from the files of today. What has changed since is left for `resumeRun` to
 * find: only what is not there at all throws.
 */
export async function prepareAgain(
  project: Project,
  started: RunStarted,
  env: NodeJS.ProcessEnv,
): Promise<PreparedRun> {
  const fixtures = started.fixtures === undefined ? undefined : resolve(project.root, started.fixtures);
  const loaded = await loadWithFixtures(project, started.suite, fixtures);
  const planned = new Set(started.plan.scenarios.map(({ id }) => id));
  const suite = { ...loaded, scenarios: loaded.scenarios.filter(({ id }) => planned.has(id)) };
  const workshop = createWorkshop(project, suite, env);
  const conditions = await Promise.all(
    started.plan.conditions.map(async (then) => {
      const prompt = await loadSamePrompt(project, suite, then);
      const opened = await openCondition(
        then.id,
        then.model,
        suite,
        prompt,
        workshop,
        then.liveTools ?? false,
      );
      return then.standby
        ? { ...opened, condition: { ...opened.condition, standby: true as const } }
        : opened;
    }),
  );
  const isLive = started.plan.conditions.some(({ liveTools }) => liveTools === true);
  return finishRun(suite, conditions, isLive, workshop);
}

/** The prompt of a condition: its file, or where that says something else now, its commit. */
async function loadSamePrompt(
  project: Project,
  suite: Suite,
  then: Condition,
): Promise<PromptVersion | undefined> {
  const { promptPath, promptSha256, promptCommit } = then;
  const name = promptOf(suite);
  if (name === undefined || promptPath === undefined) return undefined;
  const now = await loadPrompt(project, name, promptPath);
  if (now.sha256 === promptSha256 || promptCommit === undefined) return now;
  const committed = await loadPrompt(project, name, `${promptCommit}:${promptPath}`).catch(() => now);
  return committed.sha256 === promptSha256 ? committed : now;
}

/** The settings of a run as `run/` wants them. */
export function runLimits(settings: RunSettings): Pick<RunParts, 'concurrency' | 'attempts' | 'limitMs'> {
  return {
    concurrency: settings.concurrency.value,
    attempts: settings.attempts.value,
    limitMs: settings.trialTimeoutSeconds.value * 1000,
  };
}

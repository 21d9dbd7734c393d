import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import { createJudge } from '../../grade/judge/ask.js';
import { loadJudgePrompt } from '../../grade/judge/prompt.js';
import { checkCatalogue } from '../../grade/registry.js';
import { openModel } from '../../model/models.js';
import type { ChatModel } from '../../model/types.js';
import type { Project } from '../../project/config.js';
import { loadPrompt, type PromptVersion } from '../../project/prompts.js';
import type { RunSettings } from '../../project/run-settings.js';
import type { Condition } from '../../run/events.js';
import { createCondition } from '../../run/identity.js';
import type { RunStarted } from '../../run/reader.js';
import type { RunParts } from '../../run/start.js';
import { filterScenarios, type ScenarioFilter } from '../../suite/filter.js';
import { loadSuite } from '../../suite/load.js';
import { renderTemplate } from '../../suite/template.js';
import type { Suite } from '../../suite/types.js';
import { createPromptTarget } from '../../target/prompt.js';
import type { Target } from '../../target/types.js';
import { judgeFolders, resolveModelName } from './suite-models.js';

/** Everything of a run but its settings: what is tested, on what, and who judges. */
export type PreparedRun = Pick<RunParts, 'suite' | 'conditions' | 'judge'>;

/** What the line may say of the conditions of a run. */
export interface ConditionChoice {
  /** As `loadPrompt` takes it; not set: the deployed version. */
  prompt: string | undefined;
  /** Names from the config or `provider:model`; none: the suite's. A condition each. */
  models: readonly string[];
}

/** Opens each model once, however many parts of a run use it: its cache is shared as it is at a provider. */
type OpenedModels = (reference: string) => Promise<ChatModel>;

function modelOpener(project: Project, env: NodeJS.ProcessEnv): OpenedModels {
  const opened = new Map<string, Promise<ChatModel>>();
  const simulatedFolder = path.resolve(project.root, project.config.simulated);
  return (reference) => {
    const model = opened.get(reference) ?? openModel(reference, { simulatedFolder, clock: systemClock, env });
    opened.set(reference, model);
    return model;
  };
}

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
  const open = modelOpener(project, env);
  const prompt = await loadPrompt(project, suite.target.prompt, choice.prompt);
  const names = choice.models.length > 0 ? choice.models : [suite.target.model];
  const references = [...new Set(names.map((name) => modelReference(project, name)))];
  const conditions = await Promise.all(
    references.map(async (reference, index) => {
      const model = await open(reference);
      return {
        condition: createCondition(conditionId(index), prompt, reference, suite.target),
        target: targetOf(suite, prompt, model),
      };
    }),
  );
  return { suite, conditions, ...(await prepareJudge(project, suite, open)) };
}

function modelReference(project: Project, name: string): string {
  const reference = resolveModelName(project, name);
  if (reference.includes(':')) return reference;
  const hint = suggest(name, Object.keys(project.config.models), 'models');
  throw new UserError(`${quote(name)} is no model of the config, and not provider:model either; ${hint}`);
}

/** Loads a suite and leaves the scenarios that are asked for. */
export async function loadChosenSuite(
  project: Project,
  name: string,
  filter: ScenarioFilter,
): Promise<Suite> {
  const suite = await loadSuite(project, name, checkCatalogue);
  return { ...suite, scenarios: filterScenarios(suite, filter) };
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
  const loaded = await loadSuite(project, started.suite, checkCatalogue);
  const planned = new Set(started.plan.scenarios.map(({ id }) => id));
  const suite = { ...loaded, scenarios: loaded.scenarios.filter(({ id }) => planned.has(id)) };
  const open = modelOpener(project, env);
  const conditions = await Promise.all(
    started.plan.conditions.map(async (then) => {
      const prompt = await loadSamePrompt(project, suite, then);
      const model = await open(then.model);
      return {
        condition: createCondition(then.id, prompt, then.model, suite.target),
        target: targetOf(suite, prompt, model),
      };
    }),
  );
  return { suite, conditions, ...(await prepareJudge(project, suite, open)) };
}

/** The prompt of a condition: its file, or where that says something else now, its commit. */
async function loadSamePrompt(project: Project, suite: Suite, then: Condition): Promise<PromptVersion> {
  const { promptPath, promptSha256, promptCommit } = then;
  const now = await loadPrompt(project, suite.target.prompt, promptPath);
  if (now.sha256 === promptSha256 || promptCommit === undefined) return now;
  const committed = await loadPrompt(project, suite.target.prompt, `${promptCommit}:${promptPath}`).catch(
    () => now,
  );
  return committed.sha256 === promptSha256 ? committed : now;
}

async function prepareJudge(
  project: Project,
  suite: Suite,
  open: OpenedModels,
): Promise<Pick<RunParts, 'judge'>> {
  if (!suite.judge) return {};
  const prompt = await loadJudgePrompt(suite.judge.prompt, judgeFolders(project));
  const reference = resolveModelName(project, suite.judge.model);
  const model = await open(reference);
  const ask = createJudge({ model, promptName: prompt.name, promptText: prompt.text });
  return { judge: { model: reference, prompt: prompt.name, promptSha256: prompt.sha256, ask } };
}

function targetOf(suite: Suite, prompt: PromptVersion, model: ChatModel): Target {
  const { tools, settings, template } = suite.target;
  const target = (system: string) => createPromptTarget({ model, system, tools, settings });
  if (!template) return target(prompt.text);
  return {
    open(request) {
      const { variables = {}, tenant, profile } = request;
      const values = { variables, ...(tenant !== undefined && { tenant }), ...(profile && { profile }) };
      return target(renderTemplate(prompt.text, values)).open(request);
    },
  };
}

/** `a` to `z`, then `c27`, …: short, for it stands in every line of the journal. */
function conditionId(index: number): string {
  return index < 26 ? String.fromCharCode(97 + index) : `c${index + 1}`;
}

/** The settings of a run as `run/` wants them. */
export function runLimits(settings: RunSettings): Pick<RunParts, 'concurrency' | 'attempts' | 'limitMs'> {
  return {
    concurrency: settings.concurrency.value,
    attempts: settings.attempts.value,
    limitMs: settings.trialTimeoutSeconds.value * 1000,
  };
}

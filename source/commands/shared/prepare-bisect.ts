import { UserError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import type { DriverOptions } from '../../bisect/driver.js';
import { refuseSame, wantedOfEnd } from '../../bisect/ends.js';
import { diffPrompts } from '../../bisect/hunks.js';
import { dependenciesOf } from '../../bisect/hunks-subset.js';
import { createSession } from '../../bisect/session.js';
import type { Project } from '../../project/config.js';
import { createSecrets } from '../../project/known-secrets.js';
import { findPrompt, loadPrompt, type PromptVersion } from '../../project/prompts.js';
import type { HunkSplit, PlannedBisect, StrategyName, Watched } from '../../run/bisect-events.js';
import { createCondition } from '../../run/identity.js';
import type { RunParts } from '../../run/parts.js';
import { promptOf } from '../../suite/target.js';
import type { Suite } from '../../suite/types.js';
import { createLazyTarget } from '../../target/lazy.js';
import { elsewhereOf } from './bisect-elsewhere.js';
import { priorsOf } from './bisect-priors.js';
import { openTarget } from './open-target.js';
import { finishRun, modelsOf, type PreparedRun } from './prepare.js';
import { createWorkshop, type Workshop } from './workshop.js';

/** What a line says of a bisect. */
export interface BisectChoice {
  /**
   * A version's name, a path, `REF:PATH`, or a git revision of the prompt's own file, or one that was read; default: the
   * deployed one.
   */
  good: string | PromptVersion | undefined;
  /** The same; default: the candidate of the config. */
  bad: string | PromptVersion | undefined;
  watched: readonly Watched[];
  split: HunkSplit;
  strategy: StrategyName;
  /** Trials of a step. */
  repeats: number | undefined;
  budget: number | undefined;
  skipsCure: boolean;
  /** A name from the config or `provider:model`; default: the suite's. */
  model: string | undefined;
  liveTools: boolean;
  /** The run whose red verdict it looks into. */
  of?: string;
}

/** A bisect with all that its run needs, and nothing begun. */
export interface PreparedBisect {
  planned: PlannedBisect;
  prepared: PreparedRun;
  openCondition: DriverOptions['openCondition'];
  release: NonNullable<DriverOptions['release']>;
}

/**
 * Loads both ends and cuts what lies between them. `suite`: whole, for the rest of it is run on the narrowed prompt in
 * the end. Throws UserError where the ends are the same, where one does not exist, and for a watched check that the
 * suite does not have.
 */
export async function prepareBisect(
  project: Project,
  suite: Suite,
  choice: BisectChoice,
  env: NodeJS.ProcessEnv,
): Promise<PreparedBisect> {
  const name = promptOf(suite);
  if (name === undefined) {
    throw new UserError(
      `the suite ${quote(suite.name)} names no prompt, so there are no words to bisect; add "prompt: NAME" to its suite.yaml`,
    );
  }
  const good = await loadEnd(project, name, choice.good ?? 'deployed');
  const bad = await loadEnd(project, name, choice.bad ?? 'candidate');
  refuseSame(good, bad);
  const diff = diffPrompts(good.text, bad.text, choice.split);
  for (const end of [good, bad]) refuseKeys(end, env);
  refuseUnknownChecks(suite, choice.watched);
  const { strategy } = choice;
  const { budget, repeats } = createSession({
    hunks: diff.hunks.length,
    dependencies: dependenciesOf(diff),
    strategy,
    ...(choice.budget !== undefined && { budget: choice.budget }),
    ...(choice.repeats !== undefined && { repeats: choice.repeats }),
  });
  const planned: PlannedBisect = {
    good: plannedEnd(good),
    bad: plannedEnd(bad),
    split: choice.split,
    hunks: diff.hunks.map(({ id }) => id),
    watched: choice.watched,
    strategy,
    budget,
    repeats,
    ...(choice.skipsCure && { skipsCure: true as const }),
    ...(choice.of !== undefined && { of: choice.of }),
  };
  const workshop = createWorkshop(project, suite, env);
  const [model = ''] = modelsOf(project, suite, choice.model === undefined ? [] : [choice.model]);
  const opener = createOpener(suite, model, choice.liveTools, workshop);
  const ends = [await opener.open('a', good), await opener.open('b', bad)];
  for (const { condition } of ends) condition.standby = true;
  const prepared = await finishRun(suite, ends, choice.liveTools, workshop);
  const elsewhere = await elsewhereOf(project, env, planned);
  if (elsewhere) planned.elsewhere = elsewhere;
  Object.assign(planned, await priorsOf({ project, env, prepared, diff, planned }));
  return { planned, prepared, ...opener.forDriver(bad.path) };
}

/** What is tested under each candidate's prompt. Processes and threads are held only while they are needed. */
export function createOpener(suite: Suite, model: string, isLive: boolean, workshop: Workshop) {
  const releases = new Map<string, () => Promise<void>>();

  async function open(id: string, prompt: PromptVersion): Promise<RunParts['conditions'][number]> {
    const condition = createCondition(id, prompt, model, suite.target, { liveTools: isLive });
    const { name, path, text } = prompt;
    const openNow = () => openTarget(suite, prompt, model, workshop);
    const { kind } = suite.target;
    if (kind !== 'command' && kind !== 'module')
      return { condition, target: await openNow(), prompt: { name, path, text } };
    const target = createLazyTarget(openNow);
    releases.set(id, target.release);
    return { condition, target, prompt: { name, path, text } };
  }

  return {
    open,
    forDriver(path: string): Pick<PreparedBisect, 'openCondition' | 'release'> {
      return {
        openCondition: (id, { name, text }) => open(id, candidateVersion(name, path, text)),
        release(id) {
          // That a target does not end well changes nothing of what was found.
          releases
            .get(id)?.()
            .catch(() => {});
        },
      };
    },
  };
}

/** A prompt that stands in no file: `path` is that of the bad end, whose words most of it are. */
export function candidateVersion(name: string, path: string, text: string): PromptVersion {
  return { name, path, text, sha256: sha256(text), dirty: true };
}

function plannedEnd({ name, path, text, sha256, commit }: PromptVersion): PlannedBisect['good'] {
  return { name, path, text, sha256, ...(commit !== undefined && { commit }) };
}

/** An end of a bisect as the line names it: the first of the things that it may mean that there is; the error of the first where there is none. */
export async function loadEnd(
  project: Project,
  name: string,
  given: string | PromptVersion,
): Promise<PromptVersion> {
  if (typeof given !== 'string') return given;
  const place = await findPrompt(project, name);
  const wanted = given === 'deployed' || given === 'candidate' ? [given] : wantedOfEnd(given, place.path);
  let failure: unknown;
  for (const one of wanted) {
    try {
      return await loadPrompt(project, name, one);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** A journal holds both prompts, and never a key. */
function refuseKeys({ name, text }: PromptVersion, env: NodeJS.ProcessEnv): void {
  if (createSecrets(env).keys.replace(text) !== text)
    throw new UserError(
      `prompt ${quote(name)} holds the value of a key of the environment, and a bisect keeps both prompts in its journal; take it out`,
    );
}

function refuseUnknownChecks({ name, scenarios }: Suite, watched: readonly Watched[]): void {
  for (const { scenario: id, check } of watched) {
    const scenario = scenarios.find((one) => one.id === id);
    if (!scenario) {
      const hint = suggest(
        id,
        scenarios.map((one) => one.id),
        'scenarios',
      );
      throw new UserError(`the suite ${quote(name)} has no scenario ${quote(id)}; ${hint}`);
    }
    const checks = scenario.checks.map((one) => one.id);
    if (check !== undefined && !checks.includes(check))
      throw new UserError(
        `scenario ${quote(id)} has no check ${quote(check)}; ${suggest(check, checks, 'checks')}`,
      );
  }
}

import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { loadJudgePrompt } from '../../grade/judge/prompt.js';
import { askReview } from '../../grade/review/ask.js';
import { openModel } from '../../model/models.js';
import { createAccounts } from '../../model/pacing/accounts.js';
import { ModelError } from '../../model/types.js';
import type { Project } from '../../project/config.js';
import { trialId } from '../../run/events.js';
import type { SavedReview } from '../../run/reviews.js';
import type { TrialRecord } from '../../run/types.js';
import type { Scenario } from '../../suite/types.js';
import { judgeFolders, modelOptions, resolveModelName } from './suite-models.js';

/** The prompt of the reviewer: `judges/reviewer@1.md` of the project, or the one that evalrun brings. */
const reviewerPrompt = 'reviewer@1';

/** Why no model can read conversations; undefined where the config names one. */
export function whyNoReviewer({ config }: Project): string | undefined {
  return Object.hasOwn(config.models, 'reviewer')
    ? undefined
    : 'no model reads transcripts: name a strong one in .evalrc.json, as in "models": {"reviewer": "anthropic:MODEL"}';
}

export interface ReviewOptions {
  signal?: AbortSignal;
  /** Hears which turn the answer has come to. */
  onTurn?: (turn: number) => void;
}

/**
 * Has the reviewer read one conversation. `seed`: that of the run. Throws UserError when it cannot be asked, and the
 * signal's reason when aborted.
 */
export type Reviewer = (
  record: TrialRecord,
  scenario: Scenario | undefined,
  seed: string,
  options?: ReviewOptions,
) => Promise<SavedReview>;

/** Opens the reviewer model with its prompt. Throws UserError where one of them is not there. */
export async function openReviewer(project: Project, env: NodeJS.ProcessEnv): Promise<Reviewer> {
  const why = whyNoReviewer(project);
  if (why !== undefined) throw new UserError(why);
  const prompt = await loadJudgePrompt(reviewerPrompt, judgeFolders(project));
  const options = modelOptions(project, env, createAccounts(systemClock));
  const model = await openModel(resolveModelName(project, 'reviewer'), options);
  return async ({ key, turns, finished }, scenario, seed, { signal, onTurn } = {}) => {
    const { end, unsent } = finished ?? { end: { kind: 'completed' as const }, unsent: [] };
    try {
      const { review, usage } = await askReview({
        model,
        prompt,
        transcript: { turns, end, unsent },
        facts: factsOf(scenario),
        seed: `${seed}/review/${trialId(key)}`,
        ...(signal && { signal }),
        ...(onTurn && { onTurn }),
      });
      return { trial: key, at: systemClock.now(), ...review, usage };
    } catch (error) {
      if (error instanceof ModelError)
        throw new UserError(`the reviewer cannot be asked: ${error.message}`, 3);
      throw error;
    }
  };
}

/** What a scenario says is true: of the user, and what its judged checks rest on. */
function factsOf(scenario: Scenario | undefined): string[] {
  if (!scenario) return [];
  const ofChecks = scenario.checks.flatMap(({ args }) => (typeof args.fact === 'string' ? [args.fact] : []));
  return [...new Set([...(scenario.profile?.facts.map((fact) => `the user: ${fact}`) ?? []), ...ofChecks])];
}

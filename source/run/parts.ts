import type { Clock } from '../base/clock.js';
import type { Json } from '../base/json.js';
import type { AskJudge } from '../grade/types.js';
import type { Retry } from '../model/retry.js';
import type { LiveTools } from '../play/live-tools.js';
import type { SimulatedUser } from '../play/simulated-user.js';
import type { Suite } from '../suite/types.js';
import type { PlannedJudge, PlannedUser } from './identity.js';
import type { Condition } from './planned.js';
import type { RunSummariser } from './summary.js';
import type { PlayTrial } from './trial.js';
import type { RunnableCondition } from './types.js';

/** What runs trials, the same for a new run and one that goes on. */
export interface RunParts {
  /** Holds the scenarios to run and no others. */
  suite: Suite;
  conditions: (RunnableCondition & { condition: Condition })[];
  judge?: PlannedJudge & { ask: AskJudge };
  /** Whose the models of gateways are, see `sameVendor`. Kept with the run, for its reports. */
  vendors?: Record<string, string>;
  /** Plays the user in simulated turns. */
  user?: SimulatedUser;
  /** Hashes of the files that models and products stand in, by what those are called: a run goes on with the same. */
  sources?: Record<string, string>;
  /** Calls tools for real in the place of the fixtures. */
  liveTools?: LiveTools;
  /** Agent tokens, input and output, after which no further trial starts; the run can go on with more. */
  maxTokens?: number;
  /** Environment of checks that are commands. Default: that of this process. */
  env?: Record<string, string | undefined>;
  /** Hears of model requests that are sent again. Returns the way out. */
  onRetry?: (listener: (retry: Retry) => void) => () => void;
  /** Not set: conversations are had with the targets of the conditions. */
  play?: PlayTrial;
  /** Trials in flight at once. */
  concurrency: number;
  /** Tries of one trial in all. */
  attempts: number;
  /** Hard limit of one attempt, in milliseconds. */
  limitMs: number;
  clock: Clock;
  /** Hears all messages from the first of the run, and gives what is kept beside the journal. */
  summariser: RunSummariser;
}

/** The judge without the function that asks it. */
export function plannedJudge(judge: RunParts['judge']): PlannedJudge | undefined {
  return judge && { model: judge.model, prompt: judge.prompt, promptSha256: judge.promptSha256 };
}

/** The simulated user without the function that lets it speak. */
export function plannedUser(user: RunParts['user']): PlannedUser | undefined {
  return user && { model: user.model, prompt: user.prompt };
}

/**
 * What the products of a run say they are tuned with, by condition; undefined when none says anything. Throws
 * UserError (exit code 3) when values are named and cannot be had.
 */
export async function askTuning({
  conditions,
}: Pick<RunParts, 'conditions'>): Promise<Record<string, Json> | undefined> {
  const tuning: Record<string, Json> = {};
  for (const { condition, target } of conditions) {
    const values = await target.tuning?.();
    if (values !== undefined) tuning[condition.id] = values;
  }
  return Object.keys(tuning).length > 0 ? tuning : undefined;
}

/** Ends what targets hold between sessions. That one does not end well changes nothing of what was found. */
export async function closeTargets({ conditions }: Pick<RunParts, 'conditions'>): Promise<void> {
  await Promise.allSettled(conditions.map(async ({ target }) => target.close?.()));
}

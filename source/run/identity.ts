import { contentHash } from '../base/hash.js';
import type { PromptVersion } from '../project/prompts.js';
import type { Suite, TargetSpec } from '../suite/types.js';
import type { Condition, RunEvent } from './events.js';

/** The judge as a run names it. */
export type PlannedJudge = NonNullable<Extract<RunEvent, { type: 'run-started' }>['judge']>;

/** One condition of a run. `id` is short and unique in the run; `model` is `provider:model`. */
export function createCondition(
  id: string,
  prompt: PromptVersion,
  model: string,
  target: TargetSpec,
): Condition {
  const { temperature, maxTokens, maxSteps } = target.settings;
  const settings = { ...(temperature !== undefined && { temperature }), maxTokens, maxSteps };
  return {
    id,
    promptName: prompt.name,
    promptPath: prompt.path,
    promptSha256: prompt.sha256,
    ...(prompt.commit !== undefined && { promptCommit: prompt.commit }),
    promptDirty: prompt.dirty,
    model,
    ...settings,
    // The prompt's text and not its path or commit: a file that was renamed says the same.
    hash: contentHash({
      prompt: prompt.sha256,
      model,
      settings,
      tools: target.tools,
      template: target.template,
    }),
  };
}

/** Hash of what all scenarios of a suite share. A run is only ever continued on the same. */
export function hashSuite(suite: Suite, judge: PlannedJudge | undefined): string {
  const { kind, tools, settings, template } = suite.target;
  return contentHash({ target: { kind, tools, settings, template }, judge, limits: suite.limits });
}

import { basename } from 'node:path';
import { contentHash } from '../base/hash.js';
import type { PromptVersion } from '../project/prompts.js';
import type { ModelSettings, Suite, TargetSpec } from '../suite/types.js';
import type { RunEvent } from './events.js';
import type { Condition, ConditionParts } from './planned.js';

/** The judge as a run names it. */
export type PlannedJudge = NonNullable<Extract<RunEvent, { type: 'run-started' }>['judge']>;

/** The simulated user as a run names it. */
export type PlannedUser = NonNullable<Extract<RunEvent, { type: 'run-started' }>['user']>;

/**
 * One condition of a run. `id` is short and unique in the run; `model` is `provider:model`, or what `--model` says of a
 * product, which may also tell by itself. A product may have no prompt.
 */
export function createCondition(
  id: string,
  prompt: PromptVersion | undefined,
  model: string,
  target: TargetSpec,
  options: { liveTools?: boolean } = {},
): Condition {
  const live = options.liveTools === true ? { liveTools: true as const } : {};
  const parts = partsOf(prompt, model, target, options.liveTools === true);
  const settings = target.kind === 'prompt' ? writtenSettings(target.settings) : {};
  return {
    id,
    target: target.kind,
    promptName: prompt?.name ?? 'no prompt',
    ...(prompt && {
      promptPath: prompt.path,
      promptSha256: prompt.sha256,
      ...(prompt.commit !== undefined && { promptCommit: prompt.commit }),
    }),
    promptDirty: prompt?.dirty ?? false,
    model,
    ...settings,
    ...live,
    parts,
    hash: contentHash(parts),
  };
}

/** The prompt's text and not its path or commit: a file that was renamed says the same. */
function partsOf(
  prompt: PromptVersion | undefined,
  model: string,
  target: TargetSpec,
  isLive: boolean,
): ConditionParts {
  const said = { ...(prompt && { prompt: prompt.sha256.slice(0, 16) }), model: contentHash(model) };
  if (target.kind !== 'prompt') return { ...said, target: contentHash(identityOf(target)) };
  const { settings, tools, template, live } = target;
  return {
    ...said,
    settings: contentHash(writtenSettings(settings)),
    tools: contentHash(tools),
    target: contentHash({ kind: target.kind, template }),
    ...(isLive && { liveTools: contentHash(live ?? {}) }),
  };
}

function writtenSettings({ temperature, maxTokens, maxSteps }: ModelSettings) {
  return { ...(temperature !== undefined && { temperature }), maxTokens, maxSteps };
}

/** What of a target decides what it does. Where a product is found on this machine does not. */
function identityOf(target: TargetSpec): object {
  switch (target.kind) {
    case 'prompt': {
      const { tools, settings, template } = target;
      return { tools, settings: writtenSettings(settings), template };
    }
    case 'http': {
      const { timeoutSeconds: _, ...rest } = target;
      return rest;
    }
    case 'command':
      return { kind: target.kind, command: target.command, env: target.env };
    case 'module':
      return { kind: target.kind, file: basename(target.file) };
  }
}

/** Hash of what all scenarios of a suite share. A run is only ever continued on the same. */
export function hashSuite(
  suite: Suite,
  judge: PlannedJudge | undefined,
  user: PlannedUser | undefined,
): string {
  return contentHash({ target: identityOf(suite.target), judge, user, limits: suite.limits });
}

import type { PromptVersion } from '../../project/prompts.js';
import { createCondition } from '../../run/identity.js';
import type { RunParts } from '../../run/parts.js';
import type { Suite } from '../../suite/types.js';
import { openTarget } from './open-target.js';
import type { Workshop } from './workshop.js';

/** A condition with the target that is tested under it. */
export type PreparedCondition = RunParts['conditions'][number];

/** Opens the target of one condition. */
export async function openCondition(
  id: string,
  model: string,
  suite: Suite,
  prompt: PromptVersion | undefined,
  workshop: Workshop,
  liveTools: boolean,
): Promise<PreparedCondition> {
  return {
    condition: createCondition(id, prompt, model, suite.target, { liveTools }),
    target: await openTarget(suite, prompt, model, workshop),
    ...(prompt && { prompt: { name: prompt.name, path: prompt.path, text: prompt.text } }),
  };
}

/** `a` to `z`, then `c27`, …: short, for it stands in every line of the journal. */
export function conditionId(index: number): string {
  return index < 26 ? String.fromCharCode(97 + index) : `c${index + 1}`;
}

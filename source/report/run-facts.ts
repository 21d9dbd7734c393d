import { sameVendor } from '../grade/judge/vendor.js';
import type { Condition } from '../run/events.js';
import type { RunStarted } from '../run/reader.js';
import { inline } from './format.js';

/** Whether a model reference names the embedded stand-in, which is no language model. */
export function isSimulatedModel(model: string): boolean {
  return model.startsWith('simulated:');
}

/** Whether any part of a run was played by a simulated model. */
export function isSimulatedRun(started: RunStarted): boolean {
  const models = started.plan.conditions.map((condition) => condition.model);
  return [...models, started.judge?.model ?? '', started.user?.model ?? ''].some(isSimulatedModel);
}

/** What is to be said where a judge grades answers of its own vendor; undefined where it does not, as far as is known. */
export function sameVendorNotice(
  conditions: readonly Pick<Condition, 'model'>[],
  judge: string,
): string | undefined {
  for (const { model } of conditions) {
    const found = sameVendor(model, judge, {});
    if (found.kind === 'same')
      return inline(`agent and judge are both of ${found.vendor}: judges are lenient towards their own kind`);
  }
  return undefined;
}

/** What every report says of such a run. */
export const simulatedNotice = 'simulated: answers come from a seeded stand-in, not from a language model';

/** `v15 on simulated:support-agent`. */
export function conditionTitle(condition: Condition): string {
  return inline(`${condition.promptName} on ${condition.model}`);
}

/** What tells conditions of one run apart, in as few words as that takes; empty for the only one. */
export function conditionLabel(condition: Condition, all: readonly Condition[]): string {
  if (all.length < 2) return '';
  const differs = (part: 'promptName' | 'model') => all.some((other) => other[part] !== condition[part]);
  const parts = [differs('promptName') && condition.promptName, differs('model') && condition.model];
  return inline(parts.filter((part) => part !== false).join(' on ') || condition.id);
}

import { sameVendor } from '../grade/judge/vendor.js';
import type { Condition } from '../run/planned.js';
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

/** What is to be said of the vendors of agent and judge. `unknown`: nobody said whose one of the models is. */
export interface VendorNotice {
  kind: 'same' | 'unknown';
  /** In one line, safe to print. */
  text: string;
}

/**
 * What is to be said where a judge grades answers of its own vendor, or may do so for all that is known; undefined where
 * it does not. One notice a run, and that of the same vendor first. `vendors` as in `sameVendor`.
 */
export function vendorNotice(
  conditions: readonly Pick<Condition, 'model'>[],
  judge: string,
  vendors: Readonly<Record<string, string>> = {},
): VendorNotice | undefined {
  const found = conditions.map(({ model }) => sameVendor(model, judge, vendors));
  for (const one of found) {
    if (one.kind !== 'same') continue;
    const text = `agent and judge are both of ${one.vendor}: judges are lenient towards their own kind`;
    return { kind: 'same', text: inline(text) };
  }
  for (const one of found) {
    if (one.kind === 'unknown') return { kind: 'unknown', text: inline(unknownVendor(one.model)) };
  }
  return undefined;
}

function unknownVendor(model: string): string {
  const [provider, rest] = model.split(':');
  const so = 'whether agent and judge are of one vendor is not known';
  return rest === undefined
    ? `${so}: --model provider:model says what the ${model} answers with`
    : `${so}: say whose ${model} is with "vendor" of the provider ${provider} in .evalrc.json`;
}

/** The same of a run. */
export function vendorNoticeOf({ plan, judge, vendors }: RunStarted): VendorNotice | undefined {
  return judge && vendorNotice(plan.conditions, judge.model, vendors);
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

/** The conditions that a run is about: all but its base and one that only stands by. */
export function testedConditions({ plan, base }: Pick<RunStarted, 'plan' | 'base'>): Condition[] {
  return plan.conditions.filter(({ id, standby }) => standby !== true && id !== base?.condition);
}

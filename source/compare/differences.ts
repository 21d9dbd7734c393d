import type { Condition, ConditionParts } from '../run/planned.js';
import type { Difference, Evidence } from './types.js';

/** What each part is called, the prompt first. */
const partNames: { [part in keyof ConditionParts]-?: string } = {
  prompt: 'prompt',
  model: 'model',
  settings: 'settings',
  tools: 'tools',
  target: 'target',
  liveTools: 'live tools',
};

/**
 * The parts in which two conditions differ, the prompt first; empty for the same condition, whatever its files are
 * called and whichever evalrun ran it.
 */
export function differencesOf(from: Condition, to: Condition): Difference[] {
  const parts = Object.keys(partNames) as (keyof ConditionParts)[];
  return parts.flatMap((part) => {
    if (from.parts[part] === to.parts[part]) return [];
    const [before, after] = [describe(from, part), describe(to, part)];
    const isTold = before !== after;
    return [
      {
        part: partNames[part],
        from: isTold ? before : `${before} (${shortHash(from.parts[part])})`,
        to: isTold ? after : `${after} (${shortHash(to.parts[part])})`,
      },
    ];
  });
}

/**
 * In what two sides differ beside their scenarios: the parts of the conditions, what the product said of itself, and
 * who judged and who played the user.
 */
export function sideDifferences(from: Evidence, to: Evidence): Difference[] {
  const differences = differencesOf(from.condition, to.condition);
  const add = (part: string, before: string | undefined, after: string | undefined) => {
    if (before !== after) differences.push({ part, from: before ?? 'none', to: after ?? 'none' });
  };
  const isSameModel = from.condition.parts.model === to.condition.parts.model;
  // Another model answers as another model: that is said already.
  if (isSameModel && isKnown(from.answered.models, to.answered.models))
    add('model that answered', listed(from.answered.models), listed(to.answered.models));
  if (isKnown(from.answered.versions, to.answered.versions))
    add('version', listed(from.answered.versions), listed(to.answered.versions));
  if (from.judge && to.judge) {
    add('judge prompt', from.judge.prompt, to.judge.prompt);
    if (from.judge.prompt === to.judge.prompt)
      add('judge prompt', from.judge.promptSha256.slice(0, 8), to.judge.promptSha256.slice(0, 8));
    add('judge model', from.judge.model, to.judge.model);
  }
  if (from.user && to.user) {
    add('user model', from.user.model, to.user.model);
    add('user prompt', from.user.prompt, to.user.prompt);
  }
  return differences;
}

/** A side without a finished trial has said nothing; that is no difference. */
function isKnown(from: readonly string[], to: readonly string[]): boolean {
  return from.length > 0 && to.length > 0;
}

function describe(condition: Condition, part: keyof ConditionParts): string {
  switch (part) {
    case 'prompt':
      return condition.promptName;
    case 'model':
      return condition.model;
    case 'settings': {
      const { temperature, maxTokens, maxSteps } = condition;
      const said = { temperature, maxTokens, maxSteps };
      const written = Object.entries(said).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name} ${value}`],
      );
      return written.join(', ') || 'none';
    }
    case 'target':
      return condition.target;
    case 'liveTools':
      return condition.liveTools ? 'live' : 'fixtures';
    case 'tools':
      return condition.parts.tools === undefined ? 'none' : 'tools';
  }
}

/** The names of the parts in which two conditions differ, the prompt first. */
export function differentParts(a: ConditionParts, b: ConditionParts): string[] {
  const parts = Object.keys(partNames) as (keyof ConditionParts)[];
  return parts.filter((part) => a[part] !== b[part]).map((part) => partNames[part]);
}

function shortHash(hash: string | undefined): string {
  return hash?.slice(0, 8) ?? 'none';
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

import { makeVisible } from '../base/text.js';
import type { Condition } from '../run/planned.js';
import type { CellGroup, RunTally } from '../tally/types.js';

/** A short name for each condition: its prompt where prompts differ, else its model, else its id. Made visible. */
export function conditionNames(conditions: readonly Condition[]): string[] {
  const candidates = [
    conditions.map(({ promptName }) => promptName),
    conditions.map(({ model }) => model.slice(model.indexOf(':') + 1)),
    conditions.map(({ id }) => id),
  ];
  const names = candidates.find((list) => new Set(list).size === list.length) ?? [];
  return names.map((name) => makeVisible(name));
}

/** The short name of one condition of a run. Made visible. */
export function conditionName({ conditions }: RunTally, id: string): string {
  return conditionNames(conditions)[conditions.findIndex((condition) => condition.id === id)] ?? id;
}

/** The trials of a scenario under a condition; undefined of what the run does not have. */
export function groupOf(tally: RunTally, scenario: string, condition: string): CellGroup | undefined {
  return tally.rowById.get(scenario)?.groups.find((group) => group.condition === condition);
}

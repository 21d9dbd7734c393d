import type { RunEvent } from './events.js';
import type { Plan, PlannedScenario } from './planned.js';

/** Trials of scenarios that were given more than the plan's, by condition. */
export interface Extensions {
  /** Trials of a scenario under a condition, by what is known so far. */
  count(scenario: string, condition: string): number;
  /** The largest number of trials that any scenario has. */
  most(): number;
  /** Takes one event in. */
  note(event: Extract<RunEvent, { type: 'plan-extended' }>): void;
}

/** Trials of every scenario that a plan has under a condition; none under one that only stands by. */
function plannedTrials(plan: Plan, { standby }: Plan['conditions'][number]): number {
  return standby === true ? 0 : plan.repeat;
}

/** `events`: the extensions so far. */
export function createExtensions(
  plan: Plan,
  events: Iterable<Extract<RunEvent, { type: 'plan-extended' }>> = [],
): Extensions {
  const counts = new Map<string, number>();
  const planned = new Map(plan.conditions.map((condition) => [condition.id, plannedTrials(plan, condition)]));
  let most = Math.max(0, ...planned.values());
  const name = (scenario: string, condition: string) => `${condition}/${scenario}`;
  const extensions: Extensions = {
    count: (scenario, condition) => counts.get(name(scenario, condition)) ?? planned.get(condition) ?? 0,
    most: () => most,
    note({ scenario, condition, to }) {
      const ids = condition === undefined ? addedTo(plan) : [condition];
      for (const id of ids) counts.set(name(scenario, id), to);
      most = Math.max(most, to);
    },
  };
  for (const event of events) extensions.note(event);
  return extensions;
}

/** The conditions that an extension without a condition of its own is of: those that trials are planned under. */
export function addedTo(plan: Plan): string[] {
  return plan.conditions.filter(({ standby }) => standby !== true).map(({ id }) => id);
}

/** What of a scenario a person or a confirmation asks for. */
export interface AddedTrials {
  scenario: PlannedScenario['id'];
  count: number;
  /** Not set: under every condition that trials are planned under. */
  condition?: string;
  confirms?: true;
  bisect?: Extract<RunEvent, { type: 'plan-extended' }>['bisect'];
}

/**
 * The events that add trials: one for all conditions where they have as many trials each, else one a condition, so
 * that no number is given twice.
 */
export function extensionEvents(
  plan: Plan,
  extensions: Extensions,
  { scenario, count, condition, confirms, bisect }: AddedTrials,
  at: number,
): Extract<RunEvent, { type: 'plan-extended' }>[] {
  const conditions = condition === undefined ? addedTo(plan) : [condition];
  const counts = new Set(conditions.map((id) => extensions.count(scenario, id)));
  const event = (from: number) => ({
    type: 'plan-extended' as const,
    at,
    scenario,
    from: from + 1,
    to: from + count,
    ...(confirms && { confirms }),
    ...(bisect && { bisect }),
  });
  const [only] = counts;
  if (condition === undefined && counts.size === 1 && only !== undefined) return [event(only)];
  return conditions.map((id) => ({ ...event(extensions.count(scenario, id)), condition: id }));
}

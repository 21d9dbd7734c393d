import { UserError } from '../../base/errors.js';
import type { Evidence } from '../../compare/types.js';
import type { PlannedBase } from '../../run/planned.js';
import type { Suite } from '../../suite/types.js';
import { chooseBase, plannedBase, type WantedBase } from './choose-base.js';
import { conditionId, openCondition, type PreparedCondition } from './open-condition.js';
import { compareWithUsers } from './simulated-users.js';
import type { Workshop } from './workshop.js';

/** What the line may say of the conditions of a run. */
export interface ConditionChoice {
  /** As `loadPrompt` takes it; not set: the deployed version. */
  prompt: string | undefined;
  /**
   * Names from the config or `provider:model`; none: the suite's. A condition each. Of a product one at most: the name
   * of what answers, where the product does not tell.
   */
  models: readonly string[];
  /** Tools are called for real. */
  liveTools?: boolean;
  /** What the candidate is compared with. Default: what `chooseBase` finds. */
  base?: WantedBase;
  /** The same condition twice, compared with nothing. */
  isTwice?: boolean;
  /** Scenarios with a simulated user are compared although the conditions differ. */
  compareSimulatedUsers?: boolean;
  /** Paths that the line names start here. */
  cwd: string;
}

/**
 * What the candidate is compared with, and the condition that this adds. Of two models the second is compared with the
 * first; more stand side by side.
 */
export async function prepareBase(
  suite: Suite,
  conditions: PreparedCondition[],
  choice: ConditionChoice,
  workshop: Workshop,
): Promise<PreparedBase> {
  const [first, second] = conditions;
  if (!first) return alone([]);
  if (second) return swapModels(suite, conditions, choice);
  const { prompt, base: wanted, liveTools = false, cwd } = choice;
  const { project } = workshop;
  const candidate = first.condition;
  const isAsked = prompt !== undefined;
  const chosen = await chooseBase({ project, suite, candidate, isAsked, wanted, cwd, liveTools });
  if (!chosen) return alone([]);
  const { condition, stored, note } = chosen;
  const id = conditionId(1);
  const opened =
    condition && (await openCondition(id, candidate.model, suite, condition.prompt, workshop, liveTools));
  if (opened && condition?.standby) opened.condition.standby = true;
  const from = stored?.evidence.condition ?? opened?.condition;
  const users =
    from &&
    compareWithUsers(suite, {
      from,
      to: candidate,
      isAsked: isAsked || wanted !== undefined,
      isAllowed: choice.compareSimulatedUsers === true,
    });
  if (users?.isCompared === false) return alone(users.notes);
  const base = plannedBase(chosen, id);
  return {
    conditions: opened ? [opened] : [],
    facts: {
      ...(base && { base }),
      ...(stored && { baseline: { evidence: stored.evidence, text: stored.text } }),
      notes: [...(note === undefined ? [] : [note]), ...(users?.notes ?? [])],
    },
  };
}

/** What a run is compared with. */
export interface PreparedBase {
  conditions: PreparedCondition[];
  facts: {
    /** As the journal names it. */
    base?: PlannedBase;
    /** The baseline that `base` names, and its text. */
    baseline?: { evidence: Evidence; text: string };
    /** What was noticed on the way, for people. */
    notes?: string[];
  };
}

function alone(notes: string[]): PreparedBase {
  return { conditions: [], facts: { notes } };
}

/** The same replays on several models: what differs is told, criterion by criterion. */
function swapModels(
  suite: Suite,
  conditions: PreparedCondition[],
  { base: wanted, compareSimulatedUsers }: ConditionChoice,
): PreparedBase {
  const [first, second, ...more] = conditions.map(({ condition }) => condition);
  if (typeof wanted === 'string') {
    throw new UserError('several models are compared with each other: --baseline goes with one model');
  }
  if (!first || !second || wanted === false) return alone([]);
  if (more.length > 0) {
    return alone([
      `${conditions.length} models stand side by side; afterwards "evalrun compare RUN:${first.id} RUN:${second.id}" says what differs between two`,
    ]);
  }
  const isAllowed = compareSimulatedUsers === true;
  const { notes } = compareWithUsers(suite, { from: first, to: second, isAsked: true, isAllowed });
  return {
    conditions: [],
    facts: { base: { kind: 'condition', condition: first.id }, notes },
  };
}

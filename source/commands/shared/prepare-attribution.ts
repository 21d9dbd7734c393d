import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import type { Project } from '../../project/config.js';
import { loadPrompt } from '../../project/prompts.js';
import { promptOf } from '../../suite/target.js';
import { isSimulatedUser } from '../../suite/turns.js';
import type { Suite } from '../../suite/types.js';
import { openCondition } from './open-condition.js';
import { finishRun, modelsOf, type PreparedRun } from './prepare.js';
import { createWorkshop } from './workshop.js';

/** The two conditions that are to be told apart, as the line names them. */
export interface AttributionChoice {
  /** Prompt versions as `loadPrompt` takes them. Default: the deployed one and the candidate of the config. */
  a: string | undefined;
  b: string | undefined;
  /** A name from the config or `provider:model`; default: the suite's. */
  model: string | undefined;
  /** Scenarios with a simulated user are compared although the conditions differ. */
  compareSimulatedUsers: boolean;
}

/**
 * Two prompts on one model, the first as the base. No stored baseline takes part: both are run afresh, side by side.
 * Scenarios with a simulated user are left out, unless asked for. Throws UserError where nothing is left, and where the
 * two are the same.
 */
export async function prepareAttribution(
  project: Project,
  whole: Suite,
  choice: AttributionChoice,
  env: NodeJS.ProcessEnv,
): Promise<PreparedRun> {
  const name = promptOf(whole);
  if (name === undefined) {
    throw new UserError(
      `the suite ${quote(whole.name)} names no prompt, so there are no two versions to tell apart; add "prompt: NAME" to its suite.yaml`,
    );
  }
  const { suite, notes } = withoutSimulatedUsers(whole, choice.compareSimulatedUsers);
  const workshop = createWorkshop(project, suite, env);
  const [model = ''] = modelsOf(project, suite, choice.model === undefined ? [] : [choice.model]);
  const prompts = {
    a: await loadPrompt(project, name, choice.a ?? 'deployed'),
    b: await loadPrompt(project, name, choice.b ?? 'candidate'),
  };
  const a = await openCondition('a', model, suite, prompts.a, workshop, false);
  const b = await openCondition('b', model, suite, prompts.b, workshop, false);
  if (a.condition.hash === b.condition.hash) {
    throw new UserError(
      `a and b are one condition (${[...new Set([prompts.a.path, prompts.b.path])].join(', ')}), so there is nothing to attribute; "evalrun run --aa" measures how often one prompt differs from itself`,
    );
  }
  const run = await finishRun(suite, [a, b], false, workshop);
  return {
    ...run,
    base: { kind: 'condition', condition: 'a' },
    ...(suite !== whole && { filtered: true as const }),
    notes,
  };
}

function withoutSimulatedUsers(suite: Suite, isAllowed: boolean): { suite: Suite; notes: string[] } {
  const simulated = suite.scenarios.filter(isSimulatedUser);
  if (simulated.length === 0) return { suite, notes: [] };
  const ids = simulated.map(({ id }) => quote(id));
  const shown = listed(ids.length > 5 ? [...ids.slice(0, 5), `${ids.length - 5} more`] : ids);
  if (isAllowed) {
    const note = `confounded: a simulated user speaks in ${shown}, and what differs there may be its doing`;
    return { suite, notes: [note] };
  }
  if (simulated.length === suite.scenarios.length) {
    throw new UserError(
      `a simulated user speaks in every scenario of ${quote(suite.name)}, and what differs may be its doing; attribute all the same with --compare-simulated-users`,
    );
  }
  const note = `left out, for a simulated user speaks and what differs may be its doing: ${shown}; --compare-simulated-users takes them in`;
  const scenarios = suite.scenarios.filter((scenario) => !isSimulatedUser(scenario));
  return { suite: { ...suite, scenarios }, notes: [note] };
}

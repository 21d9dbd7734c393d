import type { CriterionKey } from '../compare/types.js';
import type { RunTally } from '../tally/types.js';
import { conditionName, groupOf } from './conditions.js';
import { needsLive } from './keys/reasons.js';
import type { AppModel } from './model.js';
import { selectedChange } from './screens/compare/view.js';
import { type AppState, type Guide, topScreen } from './state.js';
import type { RunStore } from './store.js';

/** The scenario that is red under the marker, with the criterion that makes it so. */
function redOf(model: AppModel): CriterionKey | undefined {
  const { store, state, order, grid } = model;
  if (topScreen(state).name === 'compare') return selectedChange(model);
  const row = store.tally?.rowById.get(order.at(grid.index) ?? '');
  if (!row) return undefined;
  const changes = store.changeOf(row.scenario.id)?.changes ?? [];
  const change = changes.find(({ direction }) => direction === 'regression' || direction === 'drift');
  if (change) return change;
  const check = row.why?.checkId;
  const isRed = !row.isQuarantined && (row.verdict === 'fail' || row.verdict === 'warn');
  return isRed && check !== undefined ? { scenario: row.scenario.id, check } : undefined;
}

/** The condition of this run that runs what the base is; undefined where there is none. */
function baseConditionOf({ tally, comparison }: RunStore): string | undefined {
  if (!tally) return undefined;
  const { base, runId } = tally.started;
  if (base) return base.condition;
  return comparison?.base.runId === runId ? comparison.base.condition.id : undefined;
}

/** Why what is under the marker cannot be reproduced under the base; undefined where it can. */
export function whyNotReproduced(model: AppModel): string | undefined {
  const { store, state } = model;
  const notLive = needsLive({ isLive: store.run.controls !== undefined });
  if (notLive !== undefined) return notLive;
  if (state.isStopping) return 'the run is stopping';
  if (baseConditionOf(store) === undefined) {
    return store.comparison || store.tally?.started.base
      ? 'what the base was made with cannot be run here'
      : 'the run has no base: --baseline names one';
  }
  return redOf(model) ? undefined : 'nothing is red here: it is for what fails, or got worse';
}

/** Runs the scenario under the marker as often as the plan does, under the base, and asks afterwards. */
export function reproduce(model: AppModel): void {
  const { store, state } = model;
  const red = redOf(model);
  const condition = baseConditionOf(store);
  const { controls } = store.run;
  const { tally } = store;
  if (!red || condition === undefined || !controls || !tally) return;
  const count = tally.started.plan.repeat;
  const before = groupOf(tally, red.scenario, condition)?.cells.length ?? 0;
  const { scenario, check } = red;
  controls.addTrials(scenario, count, { condition, confirms: true });
  model.set({ guides: [...state.guides, { run: state.run, scenario, check, condition, count, before }] });
  const under = conditionName(tally, condition);
  model.say(`${count} × ${scenario} under ${under}, with the same fixtures; asks then what the change is`);
}

/** Asks what a change is, once the trials have ended that were to tell and nothing else is asked; undefined before. */
export function endedGuide(
  { field, guides, run }: AppState,
  tally: RunTally | undefined,
): Pick<AppState, 'guides' | 'field' | 'message'> | undefined {
  if (field || !tally) return undefined;
  for (const guide of guides) {
    const told = guide.run === run ? guideResult(guide, tally) : undefined;
    if (told === undefined) continue;
    const { scenario, check } = guide;
    return {
      guides: guides.filter((one) => one !== guide),
      field: { kind: 'class', scenario, check, told },
      message: undefined,
    };
  }
  return undefined;
}

/** What the trials of a guide gave, in words; undefined while some are still to end. */
function guideResult(guide: Guide, tally: RunTally): string | undefined {
  const { scenario, condition, before, count } = guide;
  const cells = groupOf(tally, scenario, condition)?.cells.slice(before, before + count) ?? [];
  const hasEnded = cells.every(({ state }) => state !== 'waiting' && state !== 'running');
  if (cells.length < count || !hasEnded) return undefined;
  const graded = cells.filter(({ state }) => state === 'pass' || state === 'warn' || state === 'fail');
  const passed = graded.filter(({ state }) => state !== 'fail').length;
  const name = conditionName(tally, condition);
  if (graded.length === 0) return `${name} could not be graded`;
  const rate = `${passed} of ${graded.length}`;
  return passed === graded.length ? `${name} passes, ${rate}` : `${name} fails too, passed ${rate}`;
}

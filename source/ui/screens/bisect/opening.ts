import type { Watched } from '../../../run/bisect-events.js';
import type { AppModel } from '../../model.js';
import { topScreen } from '../../state.js';
import { selectedChange } from '../compare/view.js';

/** What the keys that bisect what a run shows do: they ask first. */
export const openingActions = {
  'bisect-row': ask,
  'bisect-change': ask,
};

function ask(model: AppModel): void {
  const watched = watchedHere(model);
  if (watched) model.set({ field: { kind: 'bisect', watched } });
}

/** What is under the marker: a scenario of the grid by all of its checks, a criterion of the changes by itself. */
function watchedHere(model: AppModel): Watched | undefined {
  if (topScreen(model.state).name === 'compare') {
    const change = selectedChange(model);
    return change && { scenario: change.scenario, check: change.check };
  }
  const scenario = model.order.at(model.grid.index);
  return scenario === undefined ? undefined : { scenario };
}

/** Why what is under the marker cannot be bisected now; undefined where it can. */
export function noBisect(model: AppModel): string | undefined {
  const { tally, run } = model.store;
  if (!tally || !run.bisectOf) return 'this run cannot be bisected here';
  if (tally.state === 'running' && run.controls) return 'the run is still going on: bisect when it is over';
  return run.bisectOf.whyNot(tally) ?? (watchedHere(model) ? undefined : 'there is nothing to bisect');
}

/** Opens the bisect over these screens. */
export function bisectOf(model: AppModel, watched: Watched): void {
  const { tally, run } = model.store;
  const { bisectOf } = run;
  if (!tally || !bisectOf) return;
  model.enter(() => bisectOf.open(tally, watched), 'written');
  model.say('opening the bisect …');
}

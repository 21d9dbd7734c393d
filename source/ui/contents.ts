import { groupOf } from './conditions.js';
import type { AppModel } from './model.js';
import { createPromptsContents, type PromptsContents } from './screens/prompts/contents.js';
import { createSidesContents, flakeSides, type SidesContents } from './screens/sides/contents.js';
import { createTrialLayouts, type TrialContents } from './screens/trial/contents.js';
import { createTrialCache } from './screens/trial/trial-cache.js';

/** What is laid out of conversations and prompts. Each is undefined while its screen has nothing to show. */
export interface Contents {
  trial(model: AppModel): TrialContents | undefined;
  sides(model: AppModel): SidesContents | undefined;
  prompts(model: AppModel): PromptsContents | undefined;
  close(): void;
}

/** Keeps what was read and laid out last. `onChange` is told when something that was read arrives. */
export function createContents(onChange: () => void): Contents {
  const trials = createTrialCache(onChange);
  const trialsOfSides = { from: createTrialCache(onChange), to: createTrialCache(onChange) };
  const layOutTrial = createTrialLayouts();
  const layOutSides = createSidesContents(trialsOfSides);
  const layOutPrompts = createPromptsContents();
  return {
    trial(model) {
      const { trial, state, theme } = model;
      const { tally, run } = model.store;
      if (!trial || !tally) return undefined;
      const { scenario, condition, repeat } = trial.trial;
      const cell = groupOf(tally, scenario, condition)?.cells.find((one) => one.repeat === repeat);
      if (!cell) return undefined;
      const reading = trials.look(run, trial.trial, cell);
      return layOutTrial(tally, trial, reading, state.size, theme, model.trialDesk);
    },
    sides(model) {
      const { sides, store, state, theme } = model;
      if (!sides) return undefined;
      const { size } = state;
      if (sides.isFlake === true) {
        const found = model.triageDesk?.trials;
        return found && layOutSides({ sides, ...flakeSides(found), size, theme });
      }
      const { changeDesk } = model;
      if (!store.tally || !changeDesk) return undefined;
      const base = changeDesk.baseOf(store.comparison);
      const candidate = { read: store.run, tally: store.tally };
      return layOutSides({ sides, candidate, base, size, theme });
    },
    prompts({ prompts, bisectDesk, state, theme }) {
      if (!prompts || !bisectDesk) return undefined;
      return layOutPrompts({ prompts, record: bisectDesk.record, size: state.size, theme });
    },
    close() {
      for (const cache of [trials, trialsOfSides.from, trialsOfSides.to]) cache.close();
    },
  };
}

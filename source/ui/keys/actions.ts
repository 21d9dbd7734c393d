import type { AppModel } from '../model.js';
import { openScreen } from '../screen-stack.js';
import { bisectActions } from '../screens/bisect/actions.js';
import { openingActions } from '../screens/bisect/opening.js';
import { compareActions } from '../screens/compare/actions.js';
import { gridActions } from '../screens/grid/actions.js';
import { helpActions } from '../screens/help/actions.js';
import { historyActions } from '../screens/history/actions.js';
import { homeActions } from '../screens/home/actions.js';
import { promptsActions } from '../screens/prompts/actions.js';
import { reviewActions } from '../screens/review/actions.js';
import { sidesActions } from '../screens/sides/actions.js';
import { triageActions } from '../screens/triage/actions.js';
import { trialActions } from '../screens/trial/actions.js';
import { watchActions } from '../screens/watch/actions.js';
import type { KeyPress } from './key-reader.js';
import type { ActionName } from './keymap.js';
import { interrupt } from './leaving.js';

/** Does what a key stands for. The key is given for actions with several keys of different meaning. */
export type Action = (model: AppModel, key: KeyPress) => void;

/** Every action of the key table: a name without a function does not compile. */
export const actions: Record<ActionName, Action> = {
  ...gridActions,
  ...trialActions,
  ...compareActions,
  ...sidesActions,
  ...reviewActions,
  ...historyActions,
  ...homeActions,
  ...bisectActions,
  ...openingActions,
  ...promptsActions,
  ...watchActions,
  ...triageActions,
  ...helpActions,
  help: (model) => openScreen(model, { name: 'help', top: 0 }),
  interrupt,
  suspend: (model) => model.suspend(),
  redraw: (model) => model.redraw(),
};

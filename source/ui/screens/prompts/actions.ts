import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import { scrolled } from '../../viewport.js';
import { differenceTop, noDifferenceText } from '../sides/differences.js';

/** What the keys of the two prompts do. */
export const promptsActions = {
  'prompts-back': closeScreen,
  ...movingActions('prompts', heightOf, scroll),
  'next-change': (model: AppModel) => stepChange(model, 1),
  'previous-change': (model: AppModel) => stepChange(model, -1),
  'other-prompt': (model: AppModel) =>
    model.setPrompts({ side: model.prompts?.side === 'to' ? 'from' : 'to' }),
};

function heightOf({ promptsContents }: AppModel): number {
  return promptsContents?.height ?? 1;
}

function scroll(model: AppModel, lines: number): void {
  const { promptsContents } = model;
  if (!promptsContents) return;
  const { top, height, layout } = promptsContents;
  model.setPrompts({ top: scrolled({ top, height, count: layout.from.length }, lines) });
}

function stepChange(model: AppModel, direction: 1 | -1): void {
  const { promptsContents } = model;
  const top = promptsContents && differenceTop(promptsContents, direction);
  if (top !== undefined) model.setPrompts({ top });
  else if (promptsContents) model.say(noDifferenceText(direction));
}

import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import { scrolled } from '../../viewport.js';
import { helpHeight, helpLines } from './lines.js';

/** What the keys of the help screen do. */
export const helpActions = {
  'close-help': closeScreen,
  ...movingActions('help', heightOf, scroll),
};

function heightOf({ state }: AppModel): number {
  return helpHeight(state.size);
}

function scroll(model: AppModel, lines: number): void {
  const { over } = model.state;
  const count = helpLines(model).length;
  model.set({
    over: over.map((screen) =>
      screen.name === 'help'
        ? { ...screen, top: scrolled({ top: screen.top, height: heightOf(model), count }, lines) }
        : screen,
    ),
  });
}

import type { AppModel } from '../../model.js';
import { scrolled } from '../../viewport.js';
import { helpHeight, helpLines } from './lines.js';

/** What the keys of the help screen do. */
export const helpActions = {
  'close-help': (model: AppModel) => model.set({ over: model.state.over.slice(0, -1) }),
  'help-down': (model: AppModel) => scroll(model, 1),
  'help-up': (model: AppModel) => scroll(model, -1),
  'help-page-down': (model: AppModel) => scroll(model, helpHeight(model.state.size) - 1),
  'help-page-up': (model: AppModel) => scroll(model, 1 - helpHeight(model.state.size)),
  'help-first': (model: AppModel) => scroll(model, Number.NEGATIVE_INFINITY),
  'help-last': (model: AppModel) => scroll(model, Number.POSITIVE_INFINITY),
};

function scroll(model: AppModel, lines: number): void {
  const { over, size } = model.state;
  const count = helpLines(model).length;
  model.set({
    over: over.map((screen) =>
      screen.name === 'help'
        ? { ...screen, top: scrolled({ top: screen.top, height: helpHeight(size), count }, lines) }
        : screen,
    ),
  });
}

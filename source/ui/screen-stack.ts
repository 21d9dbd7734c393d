import type { AppModel } from './model.js';
import type { Screen } from './state.js';

/** Shows a screen over what is on screen. */
export function openScreen(model: AppModel, screen: Screen): void {
  model.set({ over: [...model.state.over, screen] });
}

/** Closes the screen on top: what is under it is seen again. */
export function closeScreen(model: AppModel): void {
  model.set({ over: model.state.over.slice(0, -1) });
}

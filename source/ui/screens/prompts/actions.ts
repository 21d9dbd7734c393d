import type { AppModel } from '../../model.js';
import { scrolled } from '../../viewport.js';

/** What the keys of the two prompts do. */
export const promptsActions = {
  'prompts-back': (model: AppModel) => model.set({ over: model.state.over.slice(0, -1) }),
  'prompts-down': (model: AppModel) => scroll(model, 1),
  'prompts-up': (model: AppModel) => scroll(model, -1),
  'prompts-page-down': (model: AppModel) => scroll(model, heightOf(model) - 1),
  'prompts-page-up': (model: AppModel) => scroll(model, 1 - heightOf(model)),
  'prompts-start': (model: AppModel) => scroll(model, Number.NEGATIVE_INFINITY),
  'prompts-end': (model: AppModel) => scroll(model, Number.POSITIVE_INFINITY),
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
  if (!promptsContents) return;
  const { top, height, layout } = promptsContents;
  const last = Math.max(0, layout.from.length - height);
  const line =
    direction > 0
      ? layout.differences.find((at) => at > top && top < last)
      : layout.differences.findLast((at) => at < top);
  if (line === undefined) model.say(direction > 0 ? 'nothing below differs' : 'nothing above differs');
  else model.setPrompts({ top: Math.min(line, last) });
}

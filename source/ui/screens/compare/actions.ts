import type { CriterionKey } from '../../../compare/types.js';
import { criterionId } from '../../../run/change-classes.js';
import { reproduce } from '../../guide.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen, openScreen } from '../../screen-stack.js';
import { topScreen } from '../../state.js';
import { tell } from '../../told.js';
import { clamp, topFor } from '../../viewport.js';
import { changesOf, firstCompareState, selectedIndex } from './state.js';
import { compareHeights, factTexts, selectedChange } from './view.js';

/** What the keys of the screen of changes do. */
export const compareActions = {
  compare(model: AppModel): void {
    const scenario = model.order.at(model.grid.index);
    const own = changesOf(model.store.comparison).find((change) => change.scenario === scenario);
    const selected = own && criterionId(own);
    openScreen(model, { name: 'compare', ...firstCompareState, selected });
    moveTo(model, 0);
  },
  'compare-back'(model: AppModel): void {
    if (model.compare?.isFigures) model.setCompare({ isFigures: false });
    else if (model.isComparing && model.back && model.state.over.length === 1) model.back();
    else closeScreen(model);
  },
  ...movingActions('compare', bodyOf, moveTo),
  classify,
  'classify-sides': classify,
  bless(model: AppModel): void {
    const criterion = criterionOf(model);
    if (criterion) model.set({ field: { kind: 'bless', text: '', ...criterion } });
  },
  reproduce,
  'reproduce-change': reproduce,
  figures: (model: AppModel) => model.setCompare({ isFigures: !model.compare?.isFigures }),
};

function classify(model: AppModel): void {
  const criterion = criterionOf(model);
  if (criterion) model.set({ field: { kind: 'class', ...criterion } });
}

/** The criterion that is looked at: under the marker, or the one of the two conversations. */
function criterionOf(model: AppModel): CriterionKey | undefined {
  const { sides, state } = model;
  if (topScreen(state).name !== 'sides') {
    const change = selectedChange(model);
    return change && { scenario: change.scenario, check: change.check };
  }
  return sides?.check === undefined ? undefined : { scenario: sides.scenario, check: sides.check };
}

/** Keeps what a change is, and says so. */
export function giveClass(
  model: AppModel,
  criterion: CriterionKey,
  is: Parameters<NonNullable<AppModel['changeDesk']>['classify']>[1],
): void {
  const { changeDesk } = model;
  if (changeDesk) void changeDesk.classify(criterion, is).then((told) => tell(model, told));
}

/** Blesses one criterion, and says what became of it. */
export function giveBlessing(model: AppModel, criterion: CriterionKey, reason: string): void {
  const { changeDesk } = model;
  if (changeDesk) void changeDesk.bless(criterion, reason).then((told) => tell(model, told));
}

/** Rows of changes that are on screen. */
function bodyOf({ state, store }: AppModel): number {
  const facts = store.comparison ? factTexts(store.comparison).length : 0;
  return compareHeights(state.size, facts).body;
}

function moveTo(model: AppModel, steps: number): void {
  const { compare, store } = model;
  const changes = changesOf(store.comparison);
  if (!compare || changes.length === 0) return;
  const at = clamp(selectedIndex(changes, compare) + steps, 0, changes.length - 1);
  const change = changes[at];
  const height = bodyOf(model);
  // One row more than there are changes: what stands below says that there is nothing else.
  const top = topFor({ top: compare.top, height, count: changes.length + 1 }, at);
  model.setCompare({ selected: change && criterionId(change), top });
}

import type { Cell, CellGroup } from '../../../tally/types.js';
import type { Disagreement } from '../../../triage/disagree.js';
import { groupOf } from '../../conditions.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen, openScreen } from '../../screen-stack.js';
import type { DisagreeingTrials } from '../../triage-desk.js';
import { scrolled } from '../../viewport.js';
import { selectedChange } from '../compare/view.js';
import { differenceTop, noDifferenceText } from './differences.js';
import { type Side, type SidesState, worstOf } from './state.js';

/** What the keys of the two conversations do. */
export const sidesActions = {
  'open-sides': (model: AppModel) => open(model, sidesOfChange(model)),
  'trial-sides': (model: AppModel) => open(model, sidesOfTrial(model)),
  'sides-back': closeScreen,
  ...movingActions('sides', heightOf, scroll),
  'next-difference': (model: AppModel) => stepDifference(model, 1),
  'previous-difference': (model: AppModel) => stepDifference(model, -1),
  'next-new-trial': (model: AppModel) => switchTrial(model, 'to', 1),
  'previous-new-trial': (model: AppModel) => switchTrial(model, 'to', -1),
  'next-old-trial': (model: AppModel) => switchTrial(model, 'from', 1),
  'previous-old-trial': (model: AppModel) => switchTrial(model, 'from', -1),
  'other-side': (model: AppModel) => model.setSides({ side: model.sides?.side === 'to' ? 'from' : 'to' }),
};

function open(model: AppModel, sides: SidesState | undefined): void {
  if (sides) openScreen(model, { name: 'sides', ...sides });
}

/** Two trials of a check that disagree, from where they first differ. */
export function openDisagreement(
  model: AppModel,
  { pass, fail, ...of }: DisagreeingTrials,
  runs: Disagreement,
): void {
  const { scenario, check } = of;
  const condition = 'source' in fail ? fail.source.condition : runs.fail.conditionId;
  open(model, {
    scenario,
    check,
    from: 'source' in pass ? pass.repeat : undefined,
    to: { scenario, condition, repeat: 'source' in fail ? fail.repeat : 1 },
    top: 'first-difference',
    side: 'to',
    isFlake: true,
  });
}

function sidesOfTrial({ trial, contents }: AppModel): SidesState | undefined {
  if (!trial) return undefined;
  const check = contents?.checks[contents.selected]?.id;
  return { scenario: trial.trial.scenario, check, from: undefined, to: trial.trial, top: 0, side: 'to' };
}

function sidesOfChange(model: AppModel): SidesState | undefined {
  const change = selectedChange(model);
  const { tally, comparison } = model.store;
  if (!change || !tally || !comparison) return undefined;
  const { scenario, check } = change;
  const condition = comparison.candidate.condition.id;
  const group = groupOf(tally, scenario, condition);
  const to = { scenario, condition, repeat: worstOf(group, check) ?? 1 };
  return { scenario, check, from: undefined, to, top: 0, side: 'to' };
}

function heightOf({ sidesContents }: AppModel): number {
  return sidesContents?.height ?? 1;
}

function scroll(model: AppModel, lines: number): void {
  const { sidesContents } = model;
  if (!sidesContents) return;
  const { top, height, layout } = sidesContents;
  model.setSides({ top: scrolled({ top, height, count: layout.from.length }, lines) });
}

function stepDifference(model: AppModel, direction: 1 | -1): void {
  const { sidesContents } = model;
  if (!sidesContents || sidesContents.layout.differences.length === 0) return;
  const top = differenceTop(sidesContents, direction);
  if (top === undefined) model.say(noDifferenceText(direction));
  else model.setSides({ top });
}

/** Another trial of one side: the next that has ended or is being run. */
function switchTrial(model: AppModel, side: Side, steps: 1 | -1): void {
  const { sides, sidesContents } = model;
  if (!sides || !sidesContents) return;
  const { group, cell } = sidesContents[side];
  const next = neighbour(group, cell, steps);
  const names = sides.isFlake ? { to: 'right', from: 'left' } : { to: 'new', from: 'old' };
  if (next === undefined) model.say(`the ${names[side]} side has no other trial`);
  else if (side === 'from') model.setSides({ from: next.repeat });
  else model.setSides({ to: { ...sides.to, repeat: next.repeat } });
}

function neighbour(group: CellGroup | undefined, cell: Cell | undefined, steps: 1 | -1): Cell | undefined {
  const cells = (group?.cells ?? []).filter(({ state }) => state !== 'waiting');
  const at = cells.findIndex(({ repeat }) => repeat === cell?.repeat);
  return cells.length < 2 ? undefined : cells[(at + steps + cells.length) % cells.length];
}

import { isSameChoice } from '../../../bisect/watched.js';
import { countOf } from '../../../report/format.js';
import type { Watched } from '../../../run/bisect-events.js';
import { movingActions } from '../../keys/moving.js';
import type { AppModel } from '../../model.js';
import { closeScreen } from '../../screen-stack.js';
import type { Size } from '../../terminal/size.js';
import { clamp, topFor } from '../../viewport.js';
import { decide } from '../bisect/actions.js';
import { toggled, type WatchRow, watchRows } from './rows.js';

/** Title, how many are chosen, keys; and the terminal's last line. */
const frame = 4;

export function watchHeight({ rows }: Size): number {
  return Math.max(3, rows - frame);
}

/** The rows of the picker and the selected one; none on other screens. */
export function lookAtWatch({ watch, bisectDesk }: AppModel): { rows: WatchRow[]; at: number } {
  const rows = watch && bisectDesk ? watchRows(bisectDesk.record, watch) : [];
  return { rows, at: clamp(watch?.at ?? 0, 0, Math.max(0, rows.length - 1)) };
}

/** What the keys of the picker do. */
export const watchActions = {
  'watch-back': closeScreen,
  'watch-toggle'(model: AppModel): void {
    const { rows, at } = lookAtWatch(model);
    const row = rows[at];
    if (row && model.watch) model.setWatch({ chosen: toggled(model.watch.chosen, row.watched) });
  },
  'watch-take': take,
  'watch-filter': (model: AppModel) =>
    model.set({ field: { kind: 'watch', text: model.watch?.filter ?? '' } }),
  ...movingActions('watch', heightOf, move),
};

/** All trials, earlier ones too, are read by what was chosen from here on. */
function take(model: AppModel): void {
  const { watch, bisectDesk } = model;
  if (!watch || !bisectDesk) return;
  const before = bisectDesk.record.watched();
  const { chosen } = watch;
  if (chosen.length === 0) {
    model.say('something has to be watched: space chooses', 'warn');
    return;
  }
  closeScreen(model);
  if (isSameChoice(chosen, before)) {
    model.say('the same as before');
    return;
  }
  decide(model, { kind: 'watch', watched: chosen }, takenText(before, chosen));
}

function takenText(before: readonly Watched[], chosen: readonly Watched[]): string {
  const known = new Set(before.map(({ scenario }) => scenario));
  const added = new Set(chosen.map(({ scenario }) => scenario).filter((scenario) => !known.has(scenario)));
  if (added.size > 0)
    return `earlier trials did not ask ${countOf(added.size, 'new scenario')}: they say nothing now`;
  return 'all trials so far are read by what you chose';
}

function heightOf({ state }: AppModel): number {
  return watchHeight(state.size);
}

function move(model: AppModel, steps: number): void {
  const { rows, at } = lookAtWatch(model);
  const { watch } = model;
  if (!watch || rows.length === 0) return;
  const next = clamp(at + steps, 0, rows.length - 1);
  const view = { top: watch.top, height: heightOf(model), count: rows.length };
  model.setWatch({ at: next, top: topFor(view, next) });
}

import type { AppModel } from '../../model.js';
import { bisectGeometry } from './geometry.js';

/** The row on top, which is there before a bisect begins and when it is over. */
const ends: readonly (string | undefined)[] = ['planned', 'found'];

/**
 * Takes the person to what a bisect will cost, and to what it found, as soon as that is there: where there is room for one
 * pane to its text. Somebody who types is left alone. To be called whenever something may have changed.
 */
export function createEndFollower(): (model: AppModel) => void {
  let before: string | undefined;
  return (model) => {
    const now = model.bisect && model.bisectDesk?.status().kind;
    if (now === before) return;
    const last = before;
    before = now;
    // What was said while trials went on is no longer so.
    if (now === 'found' && last !== undefined) model.set({ message: undefined });
    const isSingle = bisectGeometry(model.state.size, 1, 1).mode === 'single';
    if (ends.includes(now)) {
      if (!model.state.field)
        model.setBisect({
          row: undefined,
          cell: undefined,
          detailTop: 0,
          pane: isSingle ? 'detail' : 'list',
        });
    } else if (isSingle && ends.includes(last)) model.setBisect({ pane: 'list' });
  };
}

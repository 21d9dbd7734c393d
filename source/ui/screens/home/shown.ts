import type { HomeFacts, HomeSuite, UnfinishedRun } from '../../../report/home.js';
import type { AppModel } from '../../model.js';
import { type HomeRow, homeRows } from './state.js';

/** What of home is on screen. */
export interface ShownHome {
  facts: HomeFacts;
  rows: readonly HomeRow[];
  /** Position of the selected row; 0 where there is none. */
  index: number;
}

/** Undefined while the runs are still being listed, and where the app was opened for something else. */
export function shownHome({ home, homeState }: Pick<AppModel, 'home' | 'homeState'>): ShownHome | undefined {
  const facts = home?.facts();
  if (!home || !homeState || !facts) return undefined;
  const rows = homeRows(facts);
  const wanted = homeState.selected ?? `suite ${home.lastSuite}`;
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === wanted),
  );
  return { facts, rows, index };
}

/** The suite that the selected row is about, as home knows it. */
export function suiteOfRow({ facts, rows, index }: ShownHome): HomeSuite | undefined {
  const name = rows[index]?.suite;
  return facts.suites.find(({ suite }) => suite === name);
}

/** The run that is gone on with: the selected one, else the newest of the selected suite, else the newest. */
export function resumedRun({ facts, rows, index }: ShownHome): UnfinishedRun | undefined {
  const row = rows[index];
  if (row?.kind === 'run') return row.of;
  return facts.unfinished.find(({ suite }) => suite === row?.suite) ?? facts.unfinished[0];
}

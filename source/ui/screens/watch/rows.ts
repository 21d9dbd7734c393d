import { makeVisible } from '../../../base/text.js';
import type { BisectRecord } from '../../../bisect/record.js';
import { isSameWatched } from '../../../bisect/watched.js';
import type { Watched } from '../../../run/bisect-events.js';
import type { PlannedScenario } from '../../../run/planned.js';
import type { WatchState } from './state.js';

/** A row of the picker: a scenario by all of its checks, or one of its checks. */
export interface WatchRow {
  watched: Watched;
  isChosen: boolean;
}

/** The scenarios of the suite with their checks, those that are watched first, narrowed by the filter. */
export function watchRows(record: BisectRecord, { chosen, filter }: WatchState): WatchRow[] {
  const first = new Set(record.watched().map(({ scenario }) => scenario));
  const { scenarios } = record.started.plan;
  const ordered = [
    ...scenarios.filter(({ id }) => first.has(id)),
    ...scenarios.filter(({ id }) => !first.has(id)),
  ];
  const wanted = filter.toLowerCase();
  const fits = (text: string) => makeVisible(text).toLowerCase().includes(wanted);
  return ordered.flatMap((scenario) => rowsOf(scenario, chosen, fits));
}

function rowsOf(
  { id, checks }: PlannedScenario,
  chosen: readonly Watched[],
  fits: (text: string) => boolean,
): WatchRow[] {
  const row = (watched: Watched): WatchRow => ({
    watched,
    isChosen: chosen.some((one) => isSameWatched(one, watched)),
  });
  const own = checks.filter((check) => fits(id) || fits(check.id));
  if (own.length === 0 && !fits(id)) return [];
  return [row({ scenario: id }), ...own.map((check) => row({ scenario: id, check: check.id }))];
}

/** What is chosen after one more choice: a scenario by all of its checks or by some, never both. */
export function toggled(chosen: readonly Watched[], watched: Watched): Watched[] {
  if (chosen.some((one) => isSameWatched(one, watched)))
    return chosen.filter((one) => !isSameWatched(one, watched));
  const others = chosen.filter(
    (one) => one.scenario !== watched.scenario || (one.check === undefined) === (watched.check === undefined),
  );
  return [...others, watched];
}

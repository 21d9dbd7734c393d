import { UserError } from '../../base/errors.js';
import { suggest } from '../../base/nearest.js';
import { quote } from '../../base/quote.js';
import type { Cell, RunTally } from '../../tally/types.js';

export interface FoundTrial {
  scenario: string;
  condition: RunTally['conditions'][number];
  cell: Cell;
  /** Trials of the scenario under the condition. */
  of: number;
}

/**
 * The trials that `scenario` or `scenario#2` names, under every condition. An id may itself end in `#2`: where a text
 * can be read both ways, both are meant. Throws UserError when there are none.
 */
export function findTrials(tally: RunTally, wanted: string): FoundTrial[] {
  const [, id, number] = /^(.+)#(\d+)$/su.exec(wanted) ?? [];
  const isWhole = tally.rowById.has(wanted);
  const whole = isWhole ? trialsOf(tally, wanted) : [];
  if (id === undefined || !tally.rowById.has(id)) {
    if (isWhole) return whole;
    const shown = id ?? wanted;
    throw new UserError(
      `the run has no scenario ${quote(shown)}; ${suggest(shown, [...tally.rowById.keys()], 'scenarios')}`,
    );
  }
  const all = trialsOf(tally, id);
  const found = [...whole, ...all.filter(({ cell }) => cell.repeat === Number(number))];
  if (found.length > 0) return found;
  const most = Math.max(0, ...all.map(({ cell }) => cell.repeat));
  throw new UserError(`scenario ${quote(id)} has trials 1 to ${most}, and no ${number}`);
}

function trialsOf(tally: RunTally, scenario: string): FoundTrial[] {
  const groups = tally.rowById.get(scenario)?.groups ?? [];
  return groups.flatMap(({ cells }, index) => {
    const condition = tally.conditions[index];
    return condition ? cells.map((cell) => ({ scenario, condition, cell, of: cells.length })) : [];
  });
}

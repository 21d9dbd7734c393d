import type { RunTally } from '../tally/types.js';
import { evidenceOf } from './evidence.js';
import type { Evidence } from './types.js';

/** A side of a comparison: a condition of the run itself, or evidence from elsewhere. */
export type RunningSide = string | Evidence;

/**
 * Two sides of which at least one is still being run, of the scenarios alone that all trials of have ended on both, so
 * that what is known can be looked at meanwhile. No verdict may rest on it. Of a run that has ended it is both sides
 * whole. Costs by what has ended: a run looks at itself often.
 */
export function sidesSoFar(
  tally: RunTally,
  base: RunningSide,
  candidate: RunningSide,
): { base: Evidence; candidate: Evidence } {
  const own = [base, candidate].filter((side) => typeof side === 'string');
  const rows = tally.rows.filter(({ groups }) =>
    groups.every((group) => !own.includes(group.condition) || !group.isPartial),
  );
  const isWhole = rows.length === tally.rows.length;
  const settled = isWhole ? tally : { ...tally, rows };
  const ids = new Set(rows.map(({ scenario }) => scenario.id));
  const cut = (side: RunningSide): Evidence => {
    if (typeof side === 'string') return evidenceOf(settled, side);
    if (isWhole) return side;
    return { ...side, scenarios: new Map([...side.scenarios].filter(([id]) => ids.has(id))) };
  };
  return { base: cut(base), candidate: cut(candidate) };
}

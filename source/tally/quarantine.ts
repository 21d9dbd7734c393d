import { dayOf } from '../base/day.js';
import type { PlannedScenario, QuarantineEntry } from '../run/planned.js';
import type { CellGroup, RunTally } from './types.js';

/** Whether a quarantine had ended at a time: its last day is `until`, UTC. */
export function isExpired({ until }: Pick<QuarantineEntry, 'until'>, at: number): boolean {
  return until < dayOf(at);
}

/** Whether an entry is about a check of a scenario. */
export function isAbout(
  entry: Pick<QuarantineEntry, 'scenario' | 'check'>,
  scenario: string,
  check: string,
): boolean {
  return entry.scenario === scenario && (entry.check === undefined || entry.check === check);
}

/** Ids of the checks of a scenario that are quarantined. An entry counts after its end too, and then fails the gate. */
export function quarantinedChecks(
  { id, checks }: Pick<PlannedScenario, 'id' | 'checks'>,
  entries: readonly QuarantineEntry[],
): ReadonlySet<string> {
  const own = entries.filter(({ scenario }) => scenario === id);
  if (own.length === 0) return none;
  return new Set(
    checks.flatMap((check) => (own.some((one) => isAbout(one, id, check.id)) ? [check.id] : [])),
  );
}

const none: ReadonlySet<string> = new Set();

/** The entries of the run's quarantine that had ended when it began. */
export function expiredIn({ started }: Pick<RunTally, 'started'>): QuarantineEntry[] {
  return (started.quarantine ?? []).filter((entry) => isExpired(entry, started.at));
}

/**
 * The tally without what is quarantined: what a verdict on the run rests on. Trials of scenarios that are quarantined
 * whole are not among its trials either, so that none of them is missed.
 */
export function countedTally(tally: RunTally): RunTally {
  if ((tally.started.quarantine ?? []).length === 0) return tally;
  const rows = tally.rows
    .filter(({ isQuarantined }) => !isQuarantined)
    .map((row) =>
      row.groups.some(({ leftOut }) => leftOut.size > 0)
        ? { ...row, groups: row.groups.map(countedGroup) }
        : row,
    );
  const left = tally.rows.filter(({ isQuarantined }) => isQuarantined).flatMap(({ groups }) => groups);
  const total = tally.trials.total - left.reduce((sum, { cells }) => sum + cells.length, 0);
  return { ...tally, rows, trials: { ...tally.trials, total } };
}

function countedGroup(group: CellGroup): CellGroup {
  return { ...group, checks: new Map([...group.checks].filter(([id]) => !group.leftOut.has(id))) };
}

import type { QuarantineEntry } from '../../../run/planned.js';
import { isAbout } from '../../../tally/quarantine.js';
import type { AppModel } from '../../model.js';

/**
 * What was quarantined since the run began, where the triage of its suite was opened: it holds from the next run on, and
 * changes nothing of this one.
 */
export function laterEntries({
  triageDesk,
  store,
}: Pick<AppModel, 'triageDesk' | 'store'>): QuarantineEntry[] {
  const { triage } = triageDesk ?? {};
  const before = store.tally?.started.quarantine ?? [];
  if (!triage) return [];
  const now = new Set(triage.rows.flatMap(({ entry }) => entry ?? []));
  return [...now].filter(
    ({ scenario, check }) => !before.some((one) => one.scenario === scenario && one.check === check),
  );
}

/** The one of them that is about a whole scenario, or about the check that decides its row. */
export function laterEntryOf(
  entries: readonly QuarantineEntry[],
  scenario: string,
  check: string | undefined,
): QuarantineEntry | undefined {
  return entries.find((entry) =>
    check === undefined
      ? entry.scenario === scenario && entry.check === undefined
      : isAbout(entry, scenario, check),
  );
}

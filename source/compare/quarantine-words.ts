import type { GateSettings } from '../project/gate-settings.js';
import type { QuarantineEntry } from '../run/planned.js';
import { expiredIn } from '../tally/quarantine.js';
import type { RunTally } from '../tally/types.js';
import { checkVerdict, worstVerdict } from '../tally/verdict.js';
import type { Blocking } from './blocking.js';

/** Quarantines that had ended when the run began, where they are to fail the gate. */
export function expiredBlocking(tally: RunTally, { failOn }: GateSettings): Blocking[] {
  if (!failOn.includes('quarantine-expired')) return [];
  return expiredIn(tally).map((entry) => ({
    by: 'quarantine-expired',
    scenario: entry.scenario,
    ...(entry.check !== undefined && { check: entry.check }),
    text: `${entryName(entry)}: ${endedText(entry)}`,
  }));
}

export function expiredWords(count: number): string {
  return count === 1 ? 'a quarantine has expired' : `${count} quarantines have expired`;
}

/** `refund / offers-credit`, `refund / all checks`. */
export function entryName({ scenario, check }: Pick<QuarantineEntry, 'scenario' | 'check'>): string {
  return `${scenario} / ${check ?? 'all checks'}`;
}

function endedText({ until, owner }: QuarantineEntry): string {
  return `its quarantine ended on ${until}, and ${owner} has to release or extend it`;
}

/**
 * What a verdict says of the quarantine of its run, a line each: what is quarantined and how much of that fails, and
 * what has ended where that does not fail the gate. Holds text from files: to be made safe before printing.
 */
export function quarantineLines(tally: RunTally, { failOn }: GateSettings): string[] {
  const checks = quarantinedChecksOf(tally);
  if (checks.length === 0) return [];
  const failing = checks.filter(({ verdict }) => verdict === 'fail');
  const names = failing.map(({ scenario, check }) => `${scenario} / ${check}`).join(', ');
  const line = `quarantined: ${checks.length === 1 ? '1 check' : `${checks.length} checks`} of ${scenariosText(checks)}${
    failing.length === 0
      ? ''
      : `, of which ${failing.length === 1 ? '1 fails' : `${failing.length} fail`}: ${names}`
  }`;
  if (failOn.includes('quarantine-expired')) return [line];
  return [line, ...expiredIn(tally).map((entry) => `EXPIRED: ${entryName(entry)}: ${endedText(entry)}`)];
}

function scenariosText(checks: readonly { scenario: string }[]): string {
  const count = new Set(checks.map(({ scenario }) => scenario)).size;
  return count === 1 ? '1 scenario' : `${count} scenarios`;
}

/** The checks of a run that are quarantined, with the worst verdict over its conditions but the base. */
function quarantinedChecksOf({ rows, started }: RunTally) {
  if ((started.quarantine ?? []).length === 0) return [];
  const base = started.base?.condition;
  return rows.flatMap(({ scenario, groups, isQuarantined }) => {
    const tested = groups.filter(({ condition }) => condition !== base);
    const ids = scenario.checks
      .map(({ id }) => id)
      .filter((id) => isQuarantined || tested.some(({ leftOut }) => leftOut.has(id)));
    return ids.map((check) => {
      const counts = tested.flatMap((group) => group.checks.get(check) ?? []);
      return { scenario: scenario.id, check, verdict: worstVerdict(counts.map(checkVerdict)) };
    });
  });
}

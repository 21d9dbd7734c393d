import type { QuarantineSettings } from '../project/quarantine-settings.js';
import { mostQuarantined } from '../project/quarantine-settings.js';
import type { QuarantineEntry } from '../run/planned.js';
import { isAbout, isExpired } from '../tally/quarantine.js';
import { worstVerdict } from '../tally/verdict.js';
import type { CheckFlips, PastResult } from './flips.js';

/** Clean passes in a row after which a release is suggested. */
export const releaseAfter = 14;

/** Clean runs that a check has to fail in, and never to pass, before it is called broken. */
export const brokenAfter = 3;

/**
 * What may be done about a check; nothing is ever done by itself. `quarantine`: it flips too often. `release`: it has
 * passed for long. `broken`: it always fails, which is no flake and nothing to quarantine. `expired`: its quarantine has
 * ended, and somebody has to decide.
 */
export type Suggestion =
  | { kind: 'quarantine'; flips: number }
  | { kind: 'release'; passes: number }
  | { kind: 'broken'; runs: number }
  | { kind: 'expired'; until: string };

/** What is known of one check, with what may be done about it. */
export interface TriageRow extends CheckFlips {
  /** The quarantine that it stands in. */
  entry?: QuarantineEntry;
  suggestion?: Suggestion;
  /** Clean passes in a row up to now, runs each; of a quarantined check since its quarantine began. */
  passesInARow: number;
}

/** How much of a suite is quarantined. */
export interface QuarantineShare {
  /** Scenarios of which a check is. */
  scenarios: number;
  /** Scenarios of the suite. */
  of: number;
  /** How many may be. */
  most: number;
  isOver: boolean;
}

/**
 * What the history of one suite suggests, in the order of `flips`; entries that no run says anything of come last. An
 * entry for a whole scenario is released when all of its checks have passed for long.
 */
export function suggest(
  flips: readonly CheckFlips[],
  entries: readonly QuarantineEntry[],
  { settings, now, since }: { settings: QuarantineSettings; now: number; since: number },
): TriageRow[] {
  const rows = flips.map((one): TriageRow => {
    const entry = entries.find((candidate) => isAbout(candidate, one.scenario, one.check));
    const from = entry && Date.parse(entry.since);
    return { ...one, ...(entry && { entry }), passesInARow: passesInARow(one.results, from) };
  });
  for (const row of rows) {
    const suggestion = row.entry ? ofQuarantined(row.entry, rows, now) : ofOpen(row, settings.flips, since);
    if (suggestion) row.suggestion = suggestion;
  }
  return [...rows, ...unheard(entries, rows, now)];
}

function ofQuarantined(
  entry: QuarantineEntry,
  rows: readonly TriageRow[],
  now: number,
): Suggestion | undefined {
  const own = rows.filter((row) => row.entry === entry);
  const passes = Math.min(...own.map(({ passesInARow: count }) => count));
  if (own.length > 0 && passes >= releaseAfter) return { kind: 'release', passes };
  return isExpired(entry, now) ? { kind: 'expired', until: entry.until } : undefined;
}

function ofOpen(row: TriageRow, flips: number, since: number): Suggestion | undefined {
  const runs = failingRuns(row.results, since);
  if (runs >= brokenAfter) return { kind: 'broken', runs };
  // What would be released at once is not worth a quarantine.
  if (row.recent < flips || row.passesInARow >= releaseAfter) return undefined;
  return { kind: 'quarantine', flips: row.recent };
}

/** Whether a quarantine would be about a check that is broken, which is no flake and nothing to quarantine. */
export function isAboutBroken(
  rows: readonly TriageRow[],
  entry: Pick<QuarantineEntry, 'scenario' | 'check'>,
): boolean {
  return rows.some(
    ({ scenario, check, suggestion }) => suggestion?.kind === 'broken' && isAbout(entry, scenario, check),
  );
}

/** Results by run, oldest first, of the runs in which the check asked what it asks now. */
function runsOf(results: readonly PastResult[]): PastResult[][] {
  const asks = results.at(-1)?.asks;
  const runs = new Map<string, PastResult[]>();
  for (const result of results) {
    if (result.asks === asks) runs.set(result.runId, [...(runs.get(result.runId) ?? []), result]);
  }
  return [...runs.values()];
}

/**
 * Runs in a row, the last one included, in which the check passed under every condition; those in which it could not be
 * graded are passed over. `from`: only runs that began then or later.
 */
function passesInARow(results: readonly PastResult[], from = Number.NEGATIVE_INFINITY): number {
  let passes = 0;
  for (const run of runsOf(results).reverse()) {
    if ((run[0]?.at ?? 0) < from) break;
    const worst = worstVerdict(run.map(({ verdict }) => verdict));
    if (worst === 'unknown') continue;
    if (worst !== 'pass') break;
    passes++;
  }
  return passes;
}

/** Recent runs in which it failed under every condition; 0 where it did anything else in one of them. */
function failingRuns(results: readonly PastResult[], since: number): number {
  const graded = runsOf(results)
    .filter((run) => (run[0]?.at ?? 0) >= since)
    .map((run) => run.filter(({ verdict }) => verdict !== 'unknown'))
    .filter((run) => run.length > 0);
  return graded.every((run) => run.every(({ verdict }) => verdict === 'fail')) ? graded.length : 0;
}

/** Entries that no clean run says anything of. */
function unheard(entries: readonly QuarantineEntry[], rows: readonly TriageRow[], now: number): TriageRow[] {
  return entries
    .filter((entry) => rows.every((row) => row.entry !== entry))
    .map((entry) => ({
      suite: rows[0]?.suite ?? '',
      scenario: entry.scenario,
      check: entry.check ?? 'all',
      results: [],
      flips: [],
      recent: 0,
      wasted: { ms: 0, tokens: 0 },
      entry,
      passesInARow: 0,
      ...(isExpired(entry, now) && { suggestion: { kind: 'expired' as const, until: entry.until } }),
    }));
}

/** How much of a suite with these scenarios is quarantined. */
export function quarantineShare(
  entries: readonly Pick<QuarantineEntry, 'scenario'>[],
  scenarios: readonly string[],
  settings: Pick<QuarantineSettings, 'maxShare'>,
): QuarantineShare {
  const quarantined = new Set(entries.map(({ scenario }) => scenario)).size;
  const most = mostQuarantined(scenarios.length, settings);
  return { scenarios: quarantined, of: scenarios.length, most, isOver: quarantined > most };
}

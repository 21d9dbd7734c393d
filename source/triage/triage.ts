import { dayOf, daysAfter } from '../base/day.js';
import type { Problem } from '../base/errors.js';
import type { QuarantineSettings } from '../project/quarantine-settings.js';
import { findFlips, windowStart } from './flips.js';
import type { RunHistory } from './history.js';
import { isDay, type QuarantineFile } from './quarantine-file.js';
import { type QuarantinedSuite, quarantineMistakes, whyTooLate } from './quarantine-suite.js';
import { type QuarantineShare, quarantineShare, suggest, type TriageRow } from './suggest.js';

/** Days ahead that a quarantine ends where nobody says otherwise. */
export const proposedDays = 14;

/** What there is to decide about one suite: a screen or a report only draws it. */
export interface SuiteTriage {
  suite: string;
  /** Milliseconds since the epoch: what is recent, and what has ended, is so at this time. */
  at: number;
  /** Days that are recent. */
  days: number;
  /** Clean runs that say anything of it, those before the window included. */
  runs: number;
  /** Every check that a clean run asked or that is quarantined, the flakiest first. */
  rows: TriageRow[];
  share: QuarantineShare;
  /** What of the quarantine does not fit the suite: until it is mended no run starts. */
  problems: Problem[];
  /** Runs that say nothing because their journals are damaged: one sentence each, from files. */
  damaged: readonly string[];
}

/** Triages one suite, as it stands, by the history of its runs: summaries of any suites, in any order. */
export function triageSuite(
  suite: QuarantinedSuite,
  { summaries, damaged }: RunHistory,
  quarantine: QuarantineFile,
  { settings, now }: { settings: QuarantineSettings; now: number },
): SuiteTriage {
  const own = summaries.filter(({ suite: name }) => name === suite.name);
  const window = { now, days: settings.withinDays };
  const known = new Map(suite.scenarios.map(({ id, checks }) => [id, new Set(checks.map((one) => one.id))]));
  // What the suite does not ask any more is nobody's concern.
  const flips = findFlips(own, window).filter(({ scenario, check }) => known.get(scenario)?.has(check));
  const rows = suggest(flips, quarantine.entries, { settings, now, since: windowStart(window) });
  return {
    suite: suite.name,
    at: now,
    days: settings.withinDays,
    runs: own.filter(({ results }) => results !== undefined).length,
    rows: rows.map((row) => ({ ...row, suite: suite.name })),
    share: quarantineShare(
      quarantine.entries,
      suite.scenarios.map(({ id }) => id),
      settings,
    ),
    problems: quarantineMistakes(quarantine, suite, settings, now),
    damaged,
  };
}

/** Rows that a person may want to look at: they flipped lately, are quarantined, or something is suggested. */
export function rowsOfConcern({ rows }: Pick<SuiteTriage, 'rows'>): TriageRow[] {
  return rows.filter(({ recent, entry, suggestion }) => recent > 0 || entry || suggestion);
}

/** The last day that is proposed for a quarantine which begins or goes on today. */
export function proposedEnd(now: number, { maxDays }: Pick<QuarantineSettings, 'maxDays'>): string {
  return daysAfter(dayOf(now), Math.min(proposedDays, maxDays));
}

/** What is wrong with a last day that a person names; undefined of one that can be. */
export function whyNoEnd(
  until: string,
  settings: Pick<QuarantineSettings, 'maxDays'>,
  now: number,
): string | undefined {
  if (!isDay(until)) return `expected a day, as in ${proposedEnd(now, settings)}`;
  return until < dayOf(now) ? `${until} is past` : whyTooLate(until, settings, now);
}

/** Runs that show that a check flips, the latest first, each once and not many. */
export function evidenceOf(rows: readonly TriageRow[]): string[] {
  const runs = rows.flatMap(({ flips }) => flips.flatMap(({ from, to }) => [from.runId, to.runId]));
  return [...new Set(runs)].sort().slice(-mostEvidence).reverse();
}

const mostEvidence = 6;

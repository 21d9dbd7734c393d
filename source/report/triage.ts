import { formatProblem } from '../base/errors.js';
import { textWidth } from '../base/width.js';
import { entryName } from '../compare/quarantine-words.js';
import type { QuarantineEntry } from '../run/planned.js';
import { isExpired } from '../tally/quarantine.js';
import type { PastResult } from '../triage/flips.js';
import type { Suggestion, TriageRow } from '../triage/suggest.js';
import { rowsOfConcern, type SuiteTriage } from '../triage/triage.js';
import { countOf, formatDuration, formatShare, formatTokens, inline } from './format.js';

/** Results of the last runs that a line shows. */
const stripLength = 20;

const letters: Record<PastResult['verdict'], string> = { pass: '.', warn: 'w', fail: 'F', unknown: '?' };

/** The triage of a suite in lines, safe to print: what it is about, then a check a line, the flakiest first. */
export function* triageLines(triage: SuiteTriage): Generator<string> {
  const rows = rowsOfConcern(triage);
  yield inline(`${triage.suite}   ${countOf(triage.runs, 'clean run')}, the last ${triage.days} days`);
  yield `  ${shareText(triage.share)}`;
  for (const problem of triage.problems) yield `  MISTAKE  ${inline(formatProblem(problem))}`;
  if (rows.length === 0) {
    yield '  nothing flipped, and nothing is quarantined';
    return;
  }
  yield `  strips: one run a letter, the last on the right; . pass, w warn, F fail, ? unknown`;
  const widest = Math.min(60, Math.max(...rows.map((row) => textWidth(rowName(row)))));
  for (const row of rows) {
    const name = rowName(row);
    const padded = name + ' '.repeat(Math.max(0, widest - textWidth(name)));
    const facts = [
      padded,
      stripOf(row.results).padEnd(stripLength),
      countOf(row.recent, 'flip').padEnd(8),
      rateText(row),
    ];
    yield `  ${facts.join('  ')}`.trimEnd();
    for (const line of rowNotes(row, triage.at)) yield `      ${inline(line)}`;
  }
}

/** What is flaky, safe to print. */
export function rowName({ scenario, check }: TriageRow): string {
  return inline(`${scenario} / ${check}`);
}

/** A letter a result, the last on the right. */
export function stripOf(results: readonly PastResult[]): string {
  return results
    .slice(-stripLength)
    .map(({ verdict }) => letters[verdict])
    .join('');
}

function rateText({ rate, wasted }: TriageRow): string {
  if (!rate) return '';
  const { low, high } = rate.interval;
  const spent =
    wasted.ms > 0
      ? `, ${formatDuration(wasted.ms)} and ${formatTokens(wasted.tokens)} tokens in runs that turned`
      : '';
  return `two trials disagree in ${formatShare(rate.flipRate)} (${formatShare(low)} to ${formatShare(high)})${spent}`;
}

function* rowNotes({ entry, suggestion, flips }: TriageRow, at: number): Generator<string> {
  const [first, last] = [flips[0], flips.at(-1)];
  if (first && last)
    yield first === last
      ? `flipped in run ${first.to.runId}`
      : `flipped first in run ${first.to.runId}, last in run ${last.to.runId}`;
  if (entry) yield `quarantined ${entryEnd(entry, at)}, ${entry.owner}: ${entry.reason}`;
  if (suggestion) yield `suggested: ${suggestionText(suggestion)}`;
}

/** Until when it holds, loud where that is over. */
export function entryEnd(entry: QuarantineEntry, at: number): string {
  return isExpired(entry, at) ? `EXPIRED ${entry.until}` : `until ${entry.until}`;
}

/** What is suggested, and why. */
export function suggestionText(suggestion: Suggestion): string {
  switch (suggestion.kind) {
    case 'quarantine':
      return `quarantine, for ${countOf(suggestion.flips, 'flip')} with nothing changed`;
    case 'release':
      return `release, for ${suggestion.passes} clean passes in a row`;
    case 'broken':
      return `mend it: it failed in all ${suggestion.runs} clean runs, which is broken and not flaky`;
    case 'expired':
      return `release or extend it: its quarantine ended on ${suggestion.until}`;
  }
}

function shareText({ scenarios, of, most, isOver }: SuiteTriage['share']): string {
  return `quarantined: ${scenarios} of ${countOf(of, 'scenario')}, at most ${most} may be${isOver ? ': OVER the share' : ''}`;
}

/** A line an entry, safe to print. */
export function quarantineListLine(entry: QuarantineEntry, at: number): string {
  return inline(
    `${entryName(entry)}   ${entryEnd(entry, at)} (since ${entry.since}), ${entry.owner}: ${entry.reason}`,
  );
}

/** The triage of a suite as JSON has it: times as text, the last results of each check. */
export function triageFacts(triage: SuiteTriage) {
  const { suite, at, days, runs, share, problems } = triage;
  return {
    suite,
    at: isoTime(at),
    days,
    runs,
    share,
    problems,
    rows: rowsOfConcern(triage).map(({ results, flips, suite: _, ...row }) => ({
      ...row,
      results: results.slice(-stripLength).map(resultFacts),
      flips: flips.map(({ from, to }) => ({ from: resultFacts(from), to: resultFacts(to) })),
    })),
  };
}

function resultFacts({ at, ...result }: PastResult) {
  return { ...result, at: isoTime(at) };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

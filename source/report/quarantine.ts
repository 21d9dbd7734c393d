import { entryName } from '../compare/quarantine-words.js';
import type { QuarantineEntry } from '../run/planned.js';
import { isAbout, isExpired } from '../tally/quarantine.js';
import type { RunTally, ScenarioTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import { inline } from './format.js';
import { testedConditions } from './run-facts.js';

/** One entry of the quarantine as it stood when the run began, with what its checks came to in the run. */
export interface QuarantineFacts extends QuarantineEntry {
  expired: boolean;
  /** One a check and condition that was tested; none where the run did not ask it. */
  checks: { check: string; condition: string; verdict: string | null; passed: number; of: number }[];
}

/** The quarantine of a run, entry by entry. */
export function quarantineFacts({
  started,
  rowById,
}: Pick<RunTally, 'started' | 'rowById'>): QuarantineFacts[] {
  const tested = new Set(testedConditions(started).map(({ id }) => id));
  return (started.quarantine ?? []).map((entry) => {
    const row = rowById.get(entry.scenario);
    const checks = (row?.groups ?? [])
      .filter(({ condition }) => tested.has(condition))
      .flatMap(({ condition, checks: counted }) =>
        [...counted]
          .filter(([check]) => isAbout(entry, entry.scenario, check))
          .map(([check, counts]) => ({
            check,
            condition,
            verdict: checkVerdict(counts) ?? null,
            ...checkRate(counts),
          })),
      );
    return { ...entry, expired: isExpired(entry, started.at), checks };
  });
}

/** Whether a check of a row counts in no verdict. */
export function isQuarantinedCheck(
  { isQuarantined, groups }: Pick<ScenarioTally, 'isQuarantined' | 'groups'>,
  check: string,
): boolean {
  return isQuarantined || groups.some(({ leftOut }) => leftOut.has(check));
}

/** A verdict that counts for nothing, told apart by its form: `(fail)`. */
export function quarantinedWord(verdict: string): string {
  return `(${verdict})`;
}

/** A line an entry, safe to print; none where nothing is quarantined. */
export function* quarantineEntryLines(tally: RunTally): Generator<string> {
  const all = quarantineFacts(tally);
  if (all.length === 0) return;
  yield 'quarantined: shown, and counted in no verdict';
  for (const facts of all) yield `  ${inline(entryText(facts))}`;
}

/** `refund / d  fail 1/3   until 2026-12-14, Ada: flips`. Not made safe to print. */
export function entryText(facts: QuarantineFacts): string {
  return `${entryName(facts)}   ${outcomeText(facts)}   ${facts.expired ? 'EXPIRED ' : 'until '}${facts.until}, ${facts.owner}: ${facts.reason}`;
}

/** What the checks of an entry came to: `fail 1/3`, of several `2 of 3 pass`. */
export function outcomeText({ checks }: QuarantineFacts): string {
  const [only] = checks;
  if (!only) return 'not run';
  if (checks.length === 1) return `${only.verdict ?? 'not run'} ${only.passed}/${only.of}`;
  return `${checks.filter(({ verdict }) => verdict === 'pass').length} of ${checks.length} pass`;
}

import { UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { listed, quote } from '../base/quote.js';
import type { BaselineChange } from './baseline-accumulate.js';
import type { Baseline } from './baseline-schema.js';
import type { Evidence } from './types.js';

/** A failing check of a run, as it is named on the line. */
export interface FailingCheck {
  scenario: string;
  check: string;
  passed: number;
  of: number;
}

/** `scenario/check`, as `--known` takes it. */
export function nameOfCheck({ scenario, check }: { scenario: string; check: string }): string {
  return `${scenario}/${check}`;
}

/**
 * Checks that fail in the run and that the baseline does not have as known to fail, as they stand. In the order of the
 * plan. What was counted before counts for nothing here: `changes` is what counting the run does.
 */
export function failingChecks(
  evidence: Evidence,
  baseline: Baseline | undefined,
  changes: readonly BaselineChange[] = [],
): FailingCheck[] {
  const kept = new Set(changes.filter(({ kind }) => kind === 'kept').map(nameOfCheck));
  return [...evidence.scenarios.values()].flatMap(({ id: scenario, checks }) =>
    [...checks.values()].flatMap(({ id: check, verdict, passed, of, hash }) => {
      const expected = baseline?.scenarios[scenario]?.checks[check];
      const isKnown = expected?.known !== undefined && expected.hash === hash;
      const isCounted = !kept.has(nameOfCheck({ scenario, check }));
      return verdict === 'fail' && isCounted && !isKnown ? [{ scenario, check, passed, of }] : [];
    }),
  );
}

/**
 * The checks that `--known` names, each `scenario/check` or `scenario/check: reason`, of those that fail. Throws
 * UserError for one that does not fail.
 */
export function readKnown(
  written: readonly string[],
  failing: readonly FailingCheck[],
): Map<string, string | true> {
  // The longest first: an id may be the beginning of another.
  const names = failing.map(nameOfCheck).sort((a, b) => b.length - a.length);
  return new Map(
    written.map((text) => {
      const name = names.find((one) => text === one || text.startsWith(`${one}:`));
      if (name === undefined) {
        const hint = names.length === 0 ? 'none does' : suggest(text, names, 'failing checks');
        throw new UserError(`--known ${quote(text)}: no check of that name fails in the run; ${hint}`);
      }
      const reason = text.slice(name.length + 1).trim();
      return [name, reason === '' ? true : reason];
    }),
  );
}

/** Why a run is no baseline, as the end of a sentence about it; undefined where nothing speaks against it. */
export function whyNoEvidence({ taints, isComplete, trials }: Evidence): string | undefined {
  if (taints.length > 0) return `is tainted (${listed(taints)}) and is no evidence; make another`;
  if (!isComplete) return 'is not complete; go on with it (evalrun run --resume), or make another';
  if (trials === 0) return 'has no trial that could be run';
  return undefined;
}

/** Failing checks that nobody named, with what to do about them. */
export function unnamedLines(run: string, unnamed: readonly FailingCheck[], program: string): string[] {
  const flags = unnamed.map((one) => `--known ${shellQuote(`${nameOfCheck(one)}: why`)}`);
  return [
    `${unnamed.length === 1 ? 'a check fails' : `${unnamed.length} checks fail`} in run ${run}:`,
    ...unnamed.map((one) => `  ${nameOfCheck(one)}  ${one.passed} of ${one.of}`),
    'mend what they found, or name each as known to fail:',
    `  ${program} baseline save ${run} ${flags.join(' ')}`,
    'Saving only the runs in which nothing failed would make the agent look better than it is.',
  ];
}

/** A word that a shell reads back as it is. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

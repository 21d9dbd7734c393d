import { findingName, findingVerdict } from '../bisect/finding-short.js';
import type { KnownBisect } from '../run/bisects-of.js';
import type { SummedBisect } from '../run/summary.js';
import { findingFacts } from './finding-facts.js';
import { inline } from './format.js';

/** A bisect as reports of the run tell of it that it looks into. */
export interface BisectedRun extends KnownBisect {
  /** The words that it blames, as a diff, each line safe to print; none where it blames none. */
  diff: readonly string[];
}

/** `bisect v14 → v15`. Not yet safe to print, as all of these. */
export function bisectName({ good, bad }: Pick<SummedBisect, 'good' | 'bad'>): string {
  return `bisect ${good} → ${bad}`;
}

/** What a bisect has come to: its verdict in capitals and a few words. */
export function findingWord({ found, hunks }: Pick<SummedBisect, 'found' | 'hunks'>): string {
  return found ? findingVerdict(found.finding, hunks) : 'NO VERDICT';
}

/** The same beside the run that it looks into: `hunk 8 of 10`, `not the prompt`, `going on`. */
export function bisectedText({ state, found, hunks }: KnownBisect): string {
  if (found) return findingName(found.finding, hunks);
  return state === 'running' ? 'going on' : 'not finished';
}

/** What was found in a run, for its closing report: a finding, what it rests on and its words. Safe to print, line by line. */
export function* bisectedLines(bisects: readonly BisectedRun[], program: string): Generator<string> {
  for (const bisect of bisects) {
    const { good, bad, found, diff } = bisect;
    yield '';
    yield inline(
      `bisected ${watchedNames(bisect)}, ${good} → ${bad}: ${found?.headline ?? bisectedText(bisect)}`,
    );
    for (const reason of found?.reasons ?? []) yield `  ${inline(reason)}`;
    for (const line of diff) yield `  ${line}`;
    yield `  ${bisectedHow(bisect, program)}`;
  }
}

/** The same in one line of text, for what has no more room. */
export function bisectedSentence(bisect: KnownBisect): string {
  return `bisected ${watchedNames(bisect)}: ${bisect.found?.headline ?? bisectedText(bisect)}`;
}

/** The line that tells more of a bisect, or goes on with it. */
export function bisectedHow({ runId, state }: KnownBisect, program: string): string {
  return state === 'unfinished'
    ? `go on with: ${program} bisect --resume ${runId}`
    : `see all of it with: ${program} show ${runId}`;
}

/** What was watched: `refund / offers-credit, names-window`. */
export function watchedNames({ watched }: Pick<SummedBisect, 'watched'>): string {
  const scenarios = [...new Set(watched.map(({ scenario }) => scenario))];
  return scenarios
    .map((id) => {
      const checks = watched.flatMap(({ scenario, check }) =>
        scenario === id && check !== undefined ? [check] : [],
      );
      return checks.length === 0 ? id : `${id} / ${checks.join(', ')}`;
    })
    .join('; ');
}

/** The same for machines. Hunks are counted from 1. */
export function bisectedFacts({ runId, state, good, bad, hunks, watched, found, diff }: BisectedRun) {
  return {
    runId,
    state,
    good,
    bad,
    hunks,
    watched: watched.map(({ scenario, check }) => ({ scenario, check: check ?? null })),
    headline: found?.headline ?? null,
    reasons: [...(found?.reasons ?? [])],
    finding: findingFacts(found?.finding),
    diff: [...diff],
  };
}

import { mostCounted } from '../compare/baseline-accumulate.js';
import { baselineEvidence } from '../compare/baseline-evidence.js';
import type { Baseline } from '../compare/baseline-schema.js';
import { criterionHash } from '../compare/comparable.js';
import type { CriterionKey } from '../compare/types.js';
import type { RunSummary } from '../run/summary.js';
import type { Counts } from './rates.js';

/** The watched check, and what it is watched on. */
export interface HistoryQuestion extends CriterionKey {
  suite: string;
  /** What the check asks, see `criterionHash`. */
  asks: string;
  /** Hashes of the conditions that both ends are. */
  good: string;
  bad: string;
  /** The run whose red verdict is looked into. */
  of?: string;
}

/**
 * How often a check passed on just the good prompt in earlier runs that are evidence, those that a baseline counts
 * included, each once; undefined where nothing is known. A run that raised the flag, and one that tried the bad prompt
 * beside the good one, is left out: it is looked into because of what it showed.
 */
export function historyOfGood(
  question: HistoryQuestion,
  summaries: readonly RunSummary[],
  baseline?: Baseline,
): Counts | undefined {
  const { suite, scenario, good, bad, of } = question;
  const flagged = new Set(of === undefined ? [] : [of]);
  for (const { runId, scores } of summaries) if (scores?.some(({ hash }) => hash === bad)) flagged.add(runId);
  const counts = { passed: 0, failed: 0 };
  const counted = new Set<string>();
  let countedBefore = '';
  const kept = baseline?.suite === suite ? baseline : undefined;
  const inBaseline = [...(kept?.runs ?? []), ...(kept?.scenarios[scenario]?.runs ?? [])];
  // What a run that raised the flag adds to the counts of a baseline cannot be taken out of them.
  if (kept && !inBaseline.some((run) => flagged.has(run)) && addBaseline(counts, question, kept)) {
    for (const run of inBaseline) counted.add(run);
    // Of so many runs a baseline names the last ones: those before may be in it too.
    if (kept.runs.length >= mostCounted) countedBefore = kept.runs[0] ?? '';
  }
  for (const summary of summaries) {
    const { runId } = summary;
    if (summary.suite !== suite || flagged.has(runId) || counted.has(runId) || runId < countedBefore)
      continue;
    counted.add(runId);
    for (const { condition, scenarios } of summary.results ?? []) {
      if (summary.scores?.find((score) => score.condition === condition)?.hash !== good) continue;
      const checks = scenarios.find(({ id }) => id === scenario)?.checks;
      const told = checks?.find(({ id, asks }) => id === question.check && asks === question.asks);
      if (told) add(counts, told);
    }
  }
  return counts.passed + counts.failed > 0 ? counts : undefined;
}

/** False where the baseline says nothing of the check on this condition. */
function addBaseline(
  counts: Counts,
  { scenario, check, asks, good }: HistoryQuestion,
  baseline: Baseline,
): boolean {
  const evidence = baselineEvidence(baseline);
  const there = evidence.scenarios.get(scenario);
  const known = there?.checks.get(check);
  if (!there || !known || evidence.condition.hash !== good) return false;
  const blessedUnder = baseline.scenarios[scenario]?.checks[check]?.condition ?? good;
  if (blessedUnder !== good || criterionHash(evidence, there, known) !== asks) return false;
  add(counts, known);
  return true;
}

function add(counts: Counts, { passed, of }: { passed: number; of: number }): void {
  counts.passed += passed;
  counts.failed += of - passed;
}

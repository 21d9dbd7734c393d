import type { PassRate } from '../base/statistics.js';
import type { CheckEvidence, ScoreComparison, ScoredCase } from './types.js';

/** Trials from which on a base is known: it is not re-run any more, and a warning against it counts. */
export const knownTrials = 20;

/** A judged criterion on both sides. */
export interface JudgedPair {
  scenario: string;
  from: CheckEvidence;
  to: CheckEvidence;
}

/** Mean judged score of the cases that both sides have a score of; undefined without any. */
export function compareScores(pairs: readonly JudgedPair[]): ScoreComparison | undefined {
  const each = pairs.flatMap(scoredCase);
  if (each.length === 0) return undefined;
  const mean = (scoreOf: (one: ScoredCase) => number) =>
    each.reduce((sum, one) => sum + scoreOf(one), 0) / each.length;
  return {
    from: mean(({ from }) => from),
    to: mean(({ to }) => to),
    cases: each.length,
    each,
    ...(each.some(({ pooled }) => pooled) && {
      pooled: {
        from: mean(({ from, pooled }) => pooled?.from ?? from),
        to: mean(({ to, pooled }) => pooled?.to ?? to),
      },
    }),
  };
}

function scoredCase({ scenario, from, to }: JudgedPair): ScoredCase[] {
  if (from.score === undefined || to.score === undefined) return [];
  return [
    {
      scenario,
      check: to.id,
      from: from.score,
      to: to.score,
      needsBase: needsBase(from),
      ...(to.fresh && {
        pooled: { from: pooledScore(from, from.score), to: pooledScore(to, to.score) },
        rerun: {
          from: knownScores(from),
          to: to.fresh.scores ?? [],
          ungraded: { from: from.fresh?.ungraded ?? 0, to: to.fresh.ungraded ?? 0 },
        },
      }),
    },
  ];
}

/** Whether a base is re-run with the candidate: it is hardly known, or nothing of it but a median score is. */
export function needsBase({ of, score, scores }: CheckEvidence): boolean {
  return of < knownTrials || (score !== undefined && scores === undefined);
}

/** Passed and graded trials, those of a confirmation included. */
export function pooledRate({ passed, of, fresh }: CheckEvidence): PassRate {
  return { passed: passed + (fresh?.passed ?? 0), of: of + (fresh?.of ?? 0) };
}

/** The scores that are known one by one, those of a confirmation included. */
export function knownScores({ scores, fresh }: Pick<CheckEvidence, 'scores' | 'fresh'>): number[] {
  return [...(scores ?? []), ...(fresh?.scores ?? [])];
}

/**
 * The median over all trials. Of a stored base only its median is known: it and that of the fresh trials are weighed by
 * how many trials they are of.
 */
export function pooledScore({ of, fresh }: CheckEvidence, score: number): number {
  if (fresh?.pooled !== undefined) return fresh.pooled;
  if (fresh?.score === undefined || of + fresh.of === 0) return score;
  return (score * of + fresh.score * fresh.of) / (of + fresh.of);
}

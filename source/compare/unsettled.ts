import { median } from '../grade/judge/verdicts.js';
import type { GateSettings } from '../project/gate-settings.js';
import { confirm } from './confirm.js';
import { canBlock, ruleOf } from './rules.js';
import type { CheckEvidence, Comparison, CriterionChange, ScoredCase } from './types.js';

/**
 * Scenarios that nothing is proved about for want of graded trials: a re-run of them was asked for, and what of it could
 * not be graded would make the gate fail, had it failed on the candidate and passed on the base. `comparison` as it was
 * confirmed.
 */
export function findUnsettled(comparison: Comparison, settings: GateSettings): string[] {
  if (!settings.confirm || comparison.refused) return [];
  const isAny = comparison.changes.some(hasUngraded) || comparison.score?.each.some(isUngradedCase);
  if (!isAny) return [];
  const worst = confirm(atWorst(comparison), settings);
  const unsettled = new Set<string>();
  for (const [index, change] of comparison.changes.entries()) {
    const rule = ruleOf(change, comparison, settings);
    const isOpen = change.proof !== 'confirmed' && worst.changes[index]?.proof === 'confirmed';
    if (rule && isOpen && hasUngraded(change) && canBlock(change, rule, settings))
      unsettled.add(change.scenario);
  }
  const isMeanOpen = comparison.score?.proof !== 'confirmed' && worst.score?.proof === 'confirmed';
  if (isMeanOpen && settings.failOn.includes('score-drop')) {
    for (const one of comparison.score?.each ?? []) if (isUngradedCase(one)) unsettled.add(one.scenario);
  }
  return [...unsettled];
}

function hasUngraded({ from, to }: CriterionChange): boolean {
  return to?.fresh !== undefined && (from?.fresh?.ungraded ?? 0) + (to.fresh.ungraded ?? 0) > 0;
}

function isUngradedCase({ rerun }: ScoredCase): boolean {
  return rerun !== undefined && rerun.ungraded.from + rerun.ungraded.to > 0;
}

/** The comparison as it would be if what could not be graded had turned out against the candidate. */
function atWorst(comparison: Comparison): Comparison {
  const { changes, score } = comparison;
  return {
    ...comparison,
    changes: changes.map((change) => ({
      ...change,
      ...(change.from && { from: graded(change.from, true) }),
      ...(change.to && { to: graded(change.to, false) }),
    })),
    score: score && withMean({ ...score, each: score.each.map(caseAtWorst) }),
  };
}

function graded(check: CheckEvidence, hasPassed: boolean): CheckEvidence {
  const { fresh, scores = [] } = check;
  const ungraded = fresh?.ungraded ?? 0;
  if (!fresh || ungraded === 0) return check;
  const rate = { passed: fresh.passed + (hasPassed ? ungraded : 0), of: fresh.of + ungraded };
  if (check.kind !== 'judged') return { ...check, fresh: rate };
  const all = [...(fresh.scores ?? []), ...new Array<number>(ungraded).fill(hasPassed ? 5 : 1)];
  const pooled = scores.length > 0 && { pooled: median([...scores, ...all]) };
  return { ...check, fresh: { ...rate, scores: all, score: median(all), ...pooled } };
}

function caseAtWorst(one: ScoredCase): ScoredCase {
  const { rerun } = one;
  if (!rerun) return one;
  const from = [...rerun.from, ...new Array<number>(rerun.ungraded.from).fill(5)];
  const to = [...rerun.to, ...new Array<number>(rerun.ungraded.to).fill(1)];
  // Medians of fresh trials alone fall at least as far as those with the planned ones pooled in.
  const pooled = {
    from: from.length > 0 ? Math.max(median(from), one.pooled?.from ?? one.from) : one.from,
    to: to.length > 0 ? Math.min(median(to), one.pooled?.to ?? one.to) : one.to,
  };
  return { ...one, pooled, rerun: { from, to, ungraded: { from: 0, to: 0 } } };
}

function withMean(score: NonNullable<Comparison['score']>): NonNullable<Comparison['score']> {
  const { each } = score;
  const mean = (side: 'from' | 'to') =>
    each.reduce((sum, { pooled, ...one }) => sum + (pooled ?? one)[side], 0) / each.length;
  return { ...score, pooled: { from: mean('from'), to: mean('to') } };
}

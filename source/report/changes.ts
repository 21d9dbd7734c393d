import type { Blocking } from '../compare/blocking.js';
import type { Decision } from '../compare/gate.js';
import type { CheckEvidence, Comparison, CriterionChange, CriterionKey } from '../compare/types.js';
import { countOf, formatShare, formatTime, inline } from './format.js';
import { conditionTitle } from './run-facts.js';

/** What changed, by how much it matters. */
export interface ChangeTiers {
  /** What makes the gate fail; where nothing was decided, what is proved to be worse. */
  blocks: CriterionChange[];
  /** Other changes for the worse: suspects, and drift. */
  suspected: CriterionChange[];
  /** Fixed, better, new, gone, not comparable. */
  others: CriterionChange[];
  /** What blocks without being a change of one criterion: a mean that dropped, tokens. Not made safe yet. */
  beyond: string[];
}

/** `blocking` as the gate found it; not set where it came to no verdict. */
export function changeTiers({ changes }: Comparison, { blocking }: Pick<Decision, 'blocking'>): ChangeTiers {
  const tiers: ChangeTiers = { blocks: [], suspected: [], others: [], beyond: [] };
  const blocked = new Set(blocking?.map(criterionName));
  for (const change of changes) {
    const isWorse = change.direction === 'regression' || change.direction === 'drift';
    const isProved = change.proof === 'violation' || change.proof === 'confirmed';
    if (blocking ? blocked.delete(criterionName(change)) : isWorse && isProved) tiers.blocks.push(change);
    else if (isWorse) tiers.suspected.push(change);
    else tiers.others.push(change);
  }
  for (const one of blocking ?? []) if (blocked.has(criterionName(one))) tiers.beyond.push(one.text);
  return tiers;
}

/** One text for one criterion, for sets. */
export function criterionName({ scenario, check }: Partial<CriterionKey>): string {
  return JSON.stringify([scenario ?? null, check ?? null]);
}

/** What a report says of one criterion that changed. */
export interface ChangeTexts {
  /** Its direction: `regression`, `not comparable`. */
  word: string;
  /** See `rateChange`. */
  rate: string;
  /** See `proofText`. */
  proof: string;
  /** See `whyChanged`: not made safe yet. */
  why: string;
}

export function changeTexts(change: CriterionChange): ChangeTexts {
  return {
    word: change.direction.replace('-', ' '),
    rate: rateChange(change),
    proof: proofText(change),
    why: whyChanged(change),
  };
}

/** What the two sides are together, a line each: scores, axes, the sign test and the tokens. Safe to print. */
export function figureTexts(comparison: Comparison): string[] {
  const figures = [
    scoreText(comparison),
    ...axisTexts(comparison),
    signText(comparison),
    tokensText(comparison),
  ];
  return figures.filter((figure) => figure !== undefined);
}

/** That nothing changed, or nothing but what was listed: `nothing else changed (218 criteria)`. */
export function unchangedText({
  changes,
  same,
  quarantined = [],
}: Pick<Comparison, 'changes' | 'same' | 'quarantined'>): string {
  const what = changes.length === 0 ? 'nothing' : 'nothing else';
  const left = quarantined.length > 0 ? `, ${quarantined.length} quarantined and left out` : '';
  return `${what} changed (${countOf(same, 'criterion', 'criteria')}${left})`;
}

/** Reasons of a verdict without those that say again what a report has told of `told` and of the suspects. Not made safe. */
export function reasonsBeside({ reasons, suspects = [] }: Decision, told: readonly Blocking[]): string[] {
  const texts = new Set(told.map(({ by, text }) => `${by}: ${text}`));
  const heads = suspects.map(({ scenario, check }) => `suspect: ${scenario} / ${check}:`);
  return reasons.filter((reason) => !texts.has(reason) && !heads.some((head) => reason.startsWith(head)));
}

/** `3/3 → 1/3, re-run 0/6`: how often it passed, on both sides. Own words only. */
export function rateChange({ from, to }: CriterionChange): string {
  const fresh = to?.fresh && `re-run ${to.fresh.passed}/${to.fresh.of}`;
  const base = from?.fresh && `base re-run ${from.fresh.passed}/${from.fresh.of}`;
  return [`${sideText(from)} → ${sideText(to)}`, fresh, base]
    .filter((part) => typeof part === 'string')
    .join(', ');
}

function sideText(side: CheckEvidence | undefined): string {
  if (!side) return '–';
  const score = side.score === undefined ? '' : ` score ${formatScore(side.score)}`;
  if (side.of === 0) return side.verdict;
  // Trials over a warning count as passed: the rate alone would not tell.
  const warns = side.verdict === 'warn' && side.passed === side.of ? ' with warnings' : '';
  return `${side.passed}/${side.of}${warns}${score}`;
}

/** A score of 1 to 5, or a mean of such, as `4` or `3.67`. */
export function formatScore(score: number): string {
  return String(Math.round(score * 100) / 100);
}

/** How far a change is proved, in own words; empty where nothing is to be said. */
export function proofText({ proof, p, needs }: Pick<CriterionChange, 'proof' | 'p' | 'needs'>): string {
  const parts: string[] = [];
  if (proof === 'violation') parts.push('absolute: one violation is enough');
  if (proof === 'confirmed') parts.push('confirmed by the re-run');
  if (proof === 'not-confirmed') parts.push('not confirmed by the re-run');
  if (proof === 'suspect') parts.push('suspect');
  if (p !== undefined && proof !== 'violation') parts.push(`p ${formatP(p)}`);
  if (needs !== undefined && proof !== 'violation' && proof !== 'confirmed') {
    parts.push(`${countOf(needs, 'trial')} a side in all would settle it`);
  }
  return parts.join(', ');
}

/** `0.034`, `<0.001`: never zero, which no test can show. */
export function formatP(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(p < 0.1 ? 3 : 2);
}

/** Reason, or in what the criterion differs. Of files and models: not made safe yet. */
export function whyChanged({ direction, why, to, from }: CriterionChange): string {
  if (direction === 'not-comparable') return (why ?? []).join(', ');
  return to?.why ?? (direction === 'gone' ? '' : (from?.why ?? ''));
}

/** What the run was compared with, in one safe line. */
export function baseTitle(base: Comparison['base']): string {
  const title = conditionTitle(base.condition);
  if (base.kind === 'run') return title;
  return `${title}, the baseline of ${formatTime(base.at)} (run ${inline(base.runId)})`;
}

/** The parts in which the two conditions differ, in one line that is not made safe yet. */
export function differencesText({ differences }: Pick<Comparison, 'differences'>): string {
  if (differences.length === 0) return 'the same condition twice';
  return differences.map(({ part, from, to }) => `${part} ${from} → ${to}`).join(', ');
}

/** Whether all scenarios together got worse: `sign test over scenarios: 2 better, 5 worse, p 0.23`. */
export function signText({ sign: { better, worse, p } }: Pick<Comparison, 'sign'>): string | undefined {
  if (better + worse === 0) return undefined;
  const warning = p < 0.05 ? ': a drop over the whole suite, which no single criterion shows' : '';
  return `sign test over scenarios: ${better} better, ${worse} worse, p ${formatP(p)}${warning}`;
}

/** Mean of the judged cases on both sides, with re-runs pooled in where there were any. */
export function scoreText({ score }: Pick<Comparison, 'score'>): string | undefined {
  if (!score) return undefined;
  const { from, to } = score.pooled ?? score;
  const moved = Math.round((to - from) * 100) / 100;
  const by = moved === 0 ? 'unchanged' : `${moved > 0 ? '+' : '−'}${formatScore(Math.abs(moved))}`;
  const proof = score.proof === undefined ? '' : `, ${proofText({ proof: score.proof })}`;
  const rerun = score.pooled ? ', re-runs pooled in' : '';
  return `judged: mean ${formatScore(from)} → ${formatScore(to)} (${by}) over ${countOf(score.cases, 'case')}${rerun}${proof}`;
}

/** What else is to be said of a comparison that no gate decides about, a line each. Not made safe yet: holds ids. */
export function noteTexts(comparison: Comparison): string[] {
  const { stillFailing, simulatedUsers, falseRed } = comparison;
  const notes: string[] = [];
  if (stillFailing.length > 0) {
    const names = stillFailing.map(({ scenario, check }) => `${scenario} / ${check}`);
    notes.push(`fails as before: ${names.join(', ')}`);
  }
  if (simulatedUsers && simulatedUsers.scenarios.length > 0) {
    const how = simulatedUsers.isCompared ? 'confounded' : 'not compared';
    notes.push(`${how}, for a model plays the user: ${simulatedUsers.scenarios.join(', ')}`);
  }
  if (falseRed !== undefined) {
    notes.push(
      `not confirmed: with nothing changed such a gate goes red in ${formatShare(falseRed)} of runs`,
    );
  }
  return notes;
}

/** Input tokens and cache hit rate against the base's. */
export function tokensText({ tokens }: Pick<Comparison, 'tokens'>): string {
  if (tokens.notComparable !== undefined) return `tokens: not comparable, ${inline(tokens.notComparable)}`;
  const parts: string[] = [];
  if (tokens.inputRatio !== undefined) parts.push(`input ×${tokens.inputRatio.toFixed(2)} a trial`);
  if (tokens.hitRate) {
    const { from, to } = tokens.hitRate;
    parts.push(`cache ${formatShare(from)} → ${formatShare(to)}`);
  }
  if (parts.length === 0) return 'tokens: nothing to compare';
  const level = { ok: '', warn: '; over its warning', fail: '; over its limit' }[tokens.level];
  return `tokens: ${parts.join(', ')}${level}`;
}

/** Rates of the axes that moved. */
export function axisTexts({ axes }: Pick<Comparison, 'axes'>): string[] {
  return axes
    .filter(({ from, to }) => from.of > 0 && to.of > 0 && from.passed * to.of !== to.passed * from.of)
    .map(({ axis, from, to }) => `axis ${inline(axis)}: ${from.passed}/${from.of} → ${to.passed}/${to.of}`);
}

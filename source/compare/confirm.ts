import { boschloo } from '../base/boschloo.js';
import { falseDiscovery } from '../base/false-discovery.js';
import { permutationTest, type Stratum } from '../base/permutation.js';
import type { PassRate } from '../base/statistics.js';
import { trialsNeeded } from '../base/trials-needed.js';
import type { GateSettings } from '../project/gate-settings.js';
import { criterionId } from '../run/change-classes.js';
import { rateVerdict } from '../tally/verdict.js';
import { type ChangeRule, canBlock, hasMeanDropped, ruleOf } from './rules.js';
import { knownScores, needsBase, pooledRate, pooledScore } from './score.js';
import type { CheckEvidence, Comparison, CriterionChange, Proof, ScoreComparison, Suspect } from './types.js';

/** Trials that each suspect is re-run with, a side. */
export const confirmationTrials = 6;

/**
 * The criteria that are to be re-run before the gate may go red over them: six times on the candidate, and six times on
 * the base where it is known by fewer than 20 trials. Criteria that passed and now fail (or warn, once the base is
 * known), judged cases whose median dropped by more than it may, and all judged cases where their mean did. Those that
 * were re-run already, and those that could block nothing, are left out; so is everything without confirmation.
 */
export function findSuspects(comparison: Comparison, settings: GateSettings): Suspect[] {
  if (!settings.confirm || comparison.refused) return [];
  const suspects = new Map<string, Suspect>();
  const add = (suspect: Suspect) => suspects.set(criterionId(suspect), suspect);
  for (const change of comparison.changes) {
    const { scenario, check, from, to } = change;
    const rule = ruleOf(change, comparison, settings);
    if (!rule || rule === 'violation' || rule === 'warning' || !from || !to || to.fresh) continue;
    if (canBlock(change, rule, settings)) add({ scenario, check, needsBase: needsBase(from) });
  }
  const { score } = comparison;
  if (score && hasMeanDropped(score, settings) && settings.failOn.includes('score-drop')) {
    for (const { scenario, check, needsBase: isBaseNeeded, pooled } of score.each)
      if (!pooled) add({ scenario, check, needsBase: isBaseNeeded });
  }
  return [...suspects.values()];
}

/**
 * What the re-runs prove: the pooled base against the fresh trials alone, since those that raised a suspect were selected
 * for failing; over all suspects that were re-run, the mean score among them, at most 5 % false discoveries (Benjamini
 * and Hochberg 1995). A pass rate is held against the base's by Boschloo's test, scores by a permutation test, and their
 * median must be down again. A drop of the mean is confirmed when it is still there with the re-run cases pooled in, and the fresh scores
 * are lower than the base's within the cases, those of one scenario taken as one. Gives a new comparison.
 */
export function confirm(comparison: Comparison, settings: GateSettings): Comparison {
  const ruled = comparison.changes.map((change) => ({ change, rule: ruleOf(change, comparison, settings) }));
  const tested = ruled.flatMap(({ change, rule }) => {
    const p = rule && freshP(change, rule);
    return p === undefined ? [] : [{ change, p }];
  });
  const mean = comparison.score && meanP(comparison.score, settings);
  const holds = falseDiscovery([...tested.map(({ p }) => p), ...(mean === undefined ? [] : [mean])]);
  const held = new Set(tested.filter((_, index) => holds[index]).map(({ change }) => change));
  return {
    ...comparison,
    changes: ruled.map(({ change, rule }) =>
      rule === undefined ? change : { ...change, ...proofOf(change, rule, held.has(change), settings) },
    ),
    score: comparison.score && confirmMean(comparison.score, mean, holds.at(-1) === true, settings),
  };
}

type Proven = Pick<CriterionChange, 'proof' | 'p' | 'needs'>;

function proofOf(change: CriterionChange, rule: ChangeRule, isHeld: boolean, settings: GateSettings): Proven {
  const { from, to } = change;
  if (!from || !to) return {};
  if (rule === 'violation') return { proof: 'violation' };
  if (!settings.confirm || rule === 'warning') return {};
  return rule === 'case' ? caseProof(change, isHeld, settings) : rateProof(from, to, isHeld);
}

function rateProof(from: CheckEvidence, to: CheckEvidence, isHeld: boolean): Proven {
  const base = pooledRate(from);
  const isRerun = to.fresh !== undefined && to.fresh.of > 0;
  const after: PassRate = isRerun && to.fresh ? to.fresh : to;
  const p = boschloo(base, after);
  if (isHeld) return { proof: 'confirmed', p };
  const needs = trialsNeeded(rate(base), rate(after));
  const proof: Proof = isRerun && isCleared(to, after) ? 'not-confirmed' : 'suspect';
  return { proof, p, ...(needs !== undefined && { needs }) };
}

/** The re-run does not show again what raised the suspicion. */
function isCleared(to: CheckEvidence, fresh: PassRate): boolean {
  const verdict = rateVerdict(fresh);
  return verdict === 'pass' || (verdict === 'warn' && to.verdict === 'fail');
}

function caseProof(change: CriterionChange, isHeld: boolean, { caseDrop }: GateSettings): Proven {
  const { from, to } = change;
  const fresh = to?.fresh?.score;
  if (fresh === undefined || from?.score === undefined) return { proof: 'suspect' };
  const p = freshP(change, 'case');
  const told = p === undefined ? {} : { p };
  if (pooledScore(from, from.score) - fresh <= caseDrop + 1e-9) return { proof: 'not-confirmed', ...told };
  return { proof: isHeld ? 'confirmed' : 'suspect', ...told };
}

/** The p-value of the re-run; undefined where none was made, or none that could be graded. */
function freshP({ from, to }: CriterionChange, rule: ChangeRule): number | undefined {
  const fresh = to?.fresh;
  if (!from || !fresh || fresh.of === 0) return undefined;
  if (rule === 'rate') return boschloo(pooledRate(from), fresh);
  if (rule !== 'case') return undefined;
  const before = knownScores(from);
  return before.length === 0 ? undefined : permutationTest([[{ before, after: fresh.scores ?? [] }]]);
}

function rate({ passed, of }: PassRate): number {
  return of === 0 ? 0 : passed / of;
}

/** The p-value of a mean that dropped; undefined where it did not, and until all its cases were run again and graded. */
function meanP(score: ScoreComparison, settings: GateSettings): number | undefined {
  if (!settings.confirm || !hasMeanDropped(score, settings)) return undefined;
  const ofScenario = new Map<string, Stratum[]>();
  for (const { scenario, rerun } of score.each) {
    if (!rerun || rerun.to.length === 0) return undefined;
    const own = ofScenario.get(scenario) ?? [];
    ofScenario.set(scenario, own);
    own.push({ before: rerun.from, after: rerun.to });
  }
  return permutationTest([...ofScenario.values()]);
}

function confirmMean(
  score: ScoreComparison,
  p: number | undefined,
  isHeld: boolean,
  settings: GateSettings,
): ScoreComparison {
  if (!settings.confirm || !hasMeanDropped(score, settings)) return score;
  if (p === undefined || !score.pooled) return { ...score, proof: 'suspect' };
  if (!hasMeanDropped(score.pooled, settings)) return { ...score, p, proof: 'not-confirmed' };
  return { ...score, p, proof: isHeld ? 'confirmed' : 'suspect' };
}

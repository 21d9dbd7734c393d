import { boschloo } from '../base/boschloo.js';
import { falseDiscovery } from '../base/false-discovery.js';
import { trialsNeeded } from '../base/trials-needed.js';
import type { FailOn, GateSettings } from '../project/gate-settings.js';
import { checkVerdict, isWorse } from '../tally/verdict.js';
import { isForTheWorse, isStrict, isViolated, scoreDrop, standingOf } from './direction.js';
import { knownTrials, pooledScore } from './score.js';
import type {
  CheckEvidence,
  Comparison,
  CriterionChange,
  PassRate,
  Proof,
  ScoreComparison,
  Suspect,
} from './types.js';

/** Trials that each suspect is re-run with, a side. */
export const confirmationTrials = 6;

/**
 * By which rule a change for the worse counts. `violation`: a strict check failed that never failed in the base.
 * `rate`: the verdict fell, which the re-run proves by its pass rate. `case`: the median score of a judged case fell by
 * more than it may, which the re-run proves by its median. `warning`: no trial failed, but some warned where none did;
 * that counts as it falls, and only where drifts are to block.
 */
export type ChangeRule = 'violation' | 'rate' | 'case' | 'warning';

/** By which rule a change counts; undefined: it is too small, or none for the worse, and blocks nothing. */
export function ruleOf(
  change: CriterionChange,
  comparison: Pick<Comparison, 'base' | 'candidate'>,
  settings: GateSettings,
): ChangeRule | undefined {
  const { from, to } = change;
  if (!from || !to || !isForTheWorse(change)) return undefined;
  if (isStrict(to, settings) && isViolated(to) && (!settings.confirm || !isViolated(from)))
    return 'violation';
  const drop = scoreDrop({ from, to });
  if (to.kind === 'judged' && drop !== undefined && drop > settings.caseDrop + 1e-9) return 'case';
  const before = standingOf(from, comparison.base.kind);
  const after = standingOf(to, comparison.candidate.kind);
  if (!isWorse(after, before)) return undefined;
  if (to.passed === to.of) return settings.failOn.includes('drift') ? 'warning' : undefined;
  // A single warning says little against a base that is hardly known, and would be re-run for nothing most of the time.
  const isKnown = before === 'pass' && from.of >= knownTrials;
  return after === 'fail' || isKnown || settings.failOn.includes('drift') ? 'rate' : undefined;
}

/** What a change can block by, the strictest first. */
export function blockersOf({ kind, direction }: CriterionChange, rule: ChangeRule): FailOn[] {
  if (rule === 'warning') return ['drift'];
  const blockers: FailOn[] = [];
  if (kind === 'hard') blockers.push('hard-criteria');
  if (rule === 'case') blockers.push('score-drop');
  if (direction === 'regression' || direction === 'drift') blockers.push(direction);
  return blockers;
}

/**
 * The criteria that are to be re-run before the gate may go red over them: six times on the candidate, and six times on
 * the base where it is known by fewer than 20 trials. Hard criteria that passed and now fail (or warn, once the base is
 * known), judged cases whose median dropped by more than it may, and all judged cases where their mean did. Those that
 * were re-run already, and those that could block nothing, are left out; so is everything without confirmation.
 */
export function findSuspects(comparison: Comparison, settings: GateSettings): Suspect[] {
  if (!settings.confirm || comparison.refused) return [];
  const suspects = new Map<string, Suspect>();
  const add = (suspect: Suspect) => suspects.set(JSON.stringify([suspect.scenario, suspect.check]), suspect);
  for (const change of comparison.changes) {
    const { scenario, check, from, to } = change;
    const rule = ruleOf(change, comparison, settings);
    if (!rule || rule === 'violation' || rule === 'warning' || !from || !to || to.fresh) continue;
    if (!blockersOf(change, rule).some((blocker) => settings.failOn.includes(blocker))) continue;
    add({ scenario, check, needsBase: from.of < knownTrials });
  }
  if (
    comparison.score &&
    hasMeanDropped(comparison.score, settings) &&
    settings.failOn.includes('score-drop')
  ) {
    for (const { scenario, check, needsBase, pooled } of comparison.score.each)
      if (!pooled) add({ scenario, check, needsBase });
  }
  return [...suspects.values()];
}

/** Whether the mean judged score dropped by more than it may. */
export function hasMeanDropped(
  { from, to }: { from: number; to: number },
  { meanDrop }: GateSettings,
): boolean {
  return from - to > meanDrop + 1e-9;
}

/**
 * What the re-runs prove: Boschloo's test of the pooled base against the fresh trials alone, since those that raised a
 * suspect were selected for failing; over all suspects that were re-run at most 5 % false discoveries (Benjamini and
 * Hochberg 1995). A judged case is confirmed when the median of its fresh trials is down as well, and a drop of the mean
 * when it is still there with the re-run cases pooled in. Gives a new comparison.
 */
export function confirm(comparison: Comparison, settings: GateSettings): Comparison {
  const ruled = comparison.changes.map((change) => ({ change, rule: ruleOf(change, comparison, settings) }));
  const tested = ruled.flatMap(({ change, rule }) => {
    const p = rule === 'rate' ? freshP(change) : undefined;
    return p === undefined ? [] : [{ change, p }];
  });
  const holds = falseDiscovery(tested.map(({ p }) => p));
  const held = new Set(tested.filter((_, index) => holds[index]).map(({ change }) => change));
  return {
    ...comparison,
    changes: ruled.map(({ change, rule }) =>
      rule === undefined ? change : { ...change, ...proofOf(change, rule, held.has(change), settings) },
    ),
    score: comparison.score && confirmMean(comparison.score, settings),
  };
}

type Proven = Pick<CriterionChange, 'proof' | 'p' | 'needs'>;

function proofOf(
  { from, to }: CriterionChange,
  rule: ChangeRule,
  isHeld: boolean,
  settings: GateSettings,
): Proven {
  if (!from || !to) return {};
  if (rule === 'violation') return { proof: 'violation' };
  if (!settings.confirm || rule === 'warning') return {};
  if (rule === 'case') return { proof: caseProof(from, to, settings) };
  const base = pooled(from);
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
  const counts = { pass: fresh.passed, warn: 0, fail: fresh.of - fresh.passed, unknown: 0, error: 0 };
  const verdict = checkVerdict(counts);
  return verdict === 'pass' || (verdict === 'warn' && to.verdict === 'fail');
}

function caseProof(from: CheckEvidence, to: CheckEvidence, { caseDrop }: GateSettings): Proof {
  const fresh = to.fresh?.score;
  if (fresh === undefined || from.score === undefined) return 'suspect';
  return pooledScore(from, from.score) - fresh > caseDrop + 1e-9 ? 'confirmed' : 'not-confirmed';
}

function freshP({ from, to }: CriterionChange): number | undefined {
  return from && to?.fresh && to.fresh.of > 0 ? boschloo(pooled(from), to.fresh) : undefined;
}

function pooled({ passed, of, fresh }: CheckEvidence): PassRate {
  return { passed: passed + (fresh?.passed ?? 0), of: of + (fresh?.of ?? 0) };
}

function rate({ passed, of }: PassRate): number {
  return of === 0 ? 0 : passed / of;
}

function confirmMean(score: ScoreComparison, settings: GateSettings): ScoreComparison {
  if (!settings.confirm || !hasMeanDropped(score, settings)) return score;
  const isRerun = score.pooled !== undefined && score.each.every(({ pooled: again }) => again !== undefined);
  if (!isRerun || !score.pooled) return { ...score, proof: 'suspect' };
  return { ...score, proof: hasMeanDropped(score.pooled, settings) ? 'confirmed' : 'not-confirmed' };
}

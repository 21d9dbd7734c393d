import { boschloo } from '../base/boschloo.js';
import type { PassRate } from '../base/statistics.js';
import { checkDifferences, scenarioDifferences } from './comparable.js';
import { sideDifferences } from './differences.js';
import { pooledRate } from './score.js';
import type { CheckEvidence, CriterionKey, Difference, Evidence } from './types.js';

/** Runs of each condition that attribution begins with; a run is one trial a scenario, interleaved. */
export const attributionRuns = 2;
/** Trials a side that attributed checks are re-run with. */
export const attributionTrials = 4;
/** Boschloo's p-value over all trials, six a side, from which on an attribution is confirmed. */
const confirmedAt = 0.01;

/**
 * What a difference between two conditions may be put down to. `attributed`: the check always passed under one condition
 * and always failed under the other. `confirmed`: so it did when it was run again. `noise`: it does not even agree with
 * itself under the same condition, or the re-run did not hold. `ungraded`: too few trials could be graded to say.
 */
export type Attribution = 'attributed' | 'confirmed' | 'noise' | 'ungraded';

/** One check that is not the same under both conditions. */
export interface AttributedCheck extends CriterionKey {
  attribution: Attribution;
  /** Whether the candidate is worse or better. Not set where it is neither or not known. */
  direction?: 'worse' | 'better';
  from: CheckEvidence;
  to: CheckEvidence;
  /** Set by the re-run: one-sided, of Boschloo's test in the direction that was seen first, over all trials. */
  p?: number;
}

/** Two conditions, each run twice, and what of their difference is theirs. */
export interface AttributionReport {
  /** Why nothing can be attributed; then there are no checks. */
  refused?: string[];
  differences: Difference[];
  /** In the order of the plan; checks that are stable and the same under both conditions are only counted. */
  checks: AttributedCheck[];
  same: number;
  /** Flips within a condition, seen on the way: checks that disagreed with themselves, of those that could be told. */
  flips: { from: { flipped: number; of: number }; to: { flipped: number; of: number } };
  /** Criteria that are not asked the same way under both conditions. */
  notComparable: (CriterionKey & { why: string[] })[];
}

/**
 * Finds the checks whose difference can be put down to the conditions: stable in all runs of both, and different. On
 * 51 scenarios of which 20 % flip, with nothing changed, that alone blames the candidate for something in six of ten
 * suites, and credits it with something as often; so `confirmAttributed` is to follow, with the attributed ones run
 * again: three in a hundred are left, either way.
 */
export function findAttributed(base: Evidence, candidate: Evidence): AttributionReport {
  const report: AttributionReport = {
    differences: sideDifferences(base, candidate),
    checks: [],
    same: 0,
    flips: { from: { flipped: 0, of: 0 }, to: { flipped: 0, of: 0 } },
    notComparable: [],
  };
  const refused = [
    ...[...base.taints, ...candidate.taints].map(
      (taint) => `a run that is tainted is no evidence (${taint})`,
    ),
    ...(base.isComplete && candidate.isComplete ? [] : ['not all trials were run']),
  ];
  if (refused.length > 0) return { ...report, refused };
  for (const scenario of candidate.scenarios.values()) {
    const known = base.scenarios.get(scenario.id);
    if (!known) continue;
    const differs = scenarioDifferences([base, known], [candidate, scenario]);
    for (const to of scenario.checks.values()) {
      const from = known.checks.get(to.id);
      if (!from) continue;
      const why = [...differs, ...checkDifferences([base, from], [candidate, to])];
      if (why.length > 0) report.notComparable.push({ scenario: scenario.id, check: to.id, why });
      else addCheck(report, scenario.id, from, to);
    }
  }
  return report;
}

function addCheck(report: AttributionReport, scenario: string, from: CheckEvidence, to: CheckEvidence): void {
  countFlip(report.flips.from, from);
  countFlip(report.flips.to, to);
  const before = outcome(from);
  const after = outcome(to);
  const found = { scenario, check: to.id, from, to };
  if (before === 'ungraded' || after === 'ungraded')
    report.checks.push({ ...found, attribution: 'ungraded' });
  else if (before === 'flips' || after === 'flips') report.checks.push({ ...found, attribution: 'noise' });
  else if (before === after) report.same++;
  else {
    const direction = after === 'fails' ? 'worse' : 'better';
    report.checks.push({ ...found, attribution: 'attributed', direction });
  }
}

function countFlip(flips: { flipped: number; of: number }, side: CheckEvidence): void {
  const seen = outcome(side);
  if (seen === 'ungraded') return;
  flips.of++;
  if (seen === 'flips') flips.flipped++;
}

function outcome({ passed, of }: PassRate): 'passes' | 'fails' | 'flips' | 'ungraded' {
  if (of < attributionRuns) return 'ungraded';
  if (passed === of) return 'passes';
  return passed === 0 ? 'fails' : 'flips';
}

/** The checks to run again, `attributionTrials` a side; none that were already. */
export function toConfirm({ checks }: AttributionReport): CriterionKey[] {
  return checks
    .filter(({ attribution, to }) => attribution === 'attributed' && !to.fresh)
    .map(({ scenario, check }) => ({ scenario, check }));
}

/**
 * What the re-run makes of the attributed checks: confirmed at p <= 0.01 over all trials of both sides, noise where it
 * does not hold. One that could not be graded again stays attributed. To be given evidence with its `fresh` trials.
 */
export function confirmAttributed(report: AttributionReport): AttributionReport {
  return {
    ...report,
    checks: report.checks.map((one) => {
      const { attribution, direction, from, to } = one;
      if (attribution !== 'attributed' || !from.fresh?.of || !to.fresh?.of) return one;
      const [before, after] = [pooledRate(from), pooledRate(to)];
      const p = direction === 'worse' ? boschloo(before, after) : boschloo(after, before);
      return { ...one, p, attribution: p <= confirmedAt ? 'confirmed' : 'noise' };
    }),
  };
}

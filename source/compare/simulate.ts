import { drawPassed } from '../base/draws.js';
import type { Random } from '../base/random.js';
import type { PassRate } from '../base/statistics.js';
import { median } from '../grade/judge/verdicts.js';
import { noUsage } from '../model/types.js';
import type { GateSettings } from '../project/gate-settings.js';
import { criterionId } from '../run/change-classes.js';
import type { PlannedScenario } from '../run/planned.js';
import { scoresOfRate } from '../tally/scores.js';
import { rateVerdict } from '../tally/verdict.js';
import { type Blocking, findBlocking } from './blocking.js';
import { compareEvidence } from './compare.js';
import { confirm, confirmationTrials, findSuspects } from './confirm.js';
import type { CheckEvidence, Comparison, Evidence, ScenarioEvidence } from './types.js';

/** A check as the simulation knows it: with its true pass rates, which nobody else does. */
export interface SimulatedCheck {
  scenario: string;
  check: string;
  absolute: boolean;
  /** A judge says yes or no. Not set: a hard check. */
  isJudged?: true;
  /** What is known of the base. */
  base: PassRate;
  /** True pass rates of base and candidate. */
  from: number;
  to: number;
}

/** How a gate ended on a run that was drawn. */
export interface SimulatedGate {
  comparison: Comparison;
  blocking: Blocking[];
  /** Trials that it took, those of the confirmation included and those that the base was known by left out. */
  trials: number;
}

/**
 * Draws one run of the candidate, `repeat` trials of each check, and lets the gate judge it as it judges real ones:
 * suspects are re-run, and what is confirmed blocks. Checks stand for themselves: nothing links those of one scenario.
 */
export function simulateGate(
  checks: readonly SimulatedCheck[],
  repeat: number,
  settings: GateSettings,
  random: Random,
): SimulatedGate {
  const base = sideOf('baseline', checks, ({ base: known }) => known);
  const drawn = new Map(checks.map((one) => [criterionId(one), draw(random, repeat, one.to)]));
  const candidate = sideOf('run', checks, (one) => drawn.get(criterionId(one)) ?? { passed: 0, of: 0 });
  const comparison = compareEvidence(base, candidate, settings);
  const suspects = findSuspects(comparison, settings);
  let trials = checks.length * repeat;
  const byKey = new Map(checks.map((one) => [criterionId(one), one]));
  for (const suspect of suspects) {
    const one = byKey.get(criterionId(suspect));
    if (!one) continue;
    addFresh(candidate, one, draw(random, confirmationTrials, one.to));
    if (suspect.needsBase) addFresh(base, one, draw(random, confirmationTrials, one.from));
    trials += confirmationTrials * (suspect.needsBase ? 2 : 1);
  }
  const rerun = suspects.length > 0 ? compareEvidence(base, candidate, settings) : comparison;
  const confirmed = confirm(rerun, settings);
  return { comparison: confirmed, blocking: findBlocking(confirmed, [], settings), trials };
}

function draw(random: Random, trials: number, rate: number): PassRate {
  return { passed: drawPassed(random, trials, rate), of: trials };
}

function addFresh({ scenarios }: Evidence, { scenario, check }: SimulatedCheck, rate: PassRate): void {
  const checks = scenarios.get(scenario)?.checks;
  const known = checks?.get(check);
  if (!known) return;
  if (known.kind === 'hard') {
    checks?.set(check, { ...known, fresh: rate });
    return;
  }
  const scores = scoresOfRate(rate);
  const pooled = median([...(known.scores ?? []), ...scores]);
  checks?.set(check, { ...known, fresh: { ...rate, scores, score: median(scores), pooled } });
}

/** One side of a comparison in which nothing but the counts is of interest. */
function sideOf(
  kind: Evidence['kind'],
  checks: readonly SimulatedCheck[],
  countsOf: (check: SimulatedCheck) => PassRate,
): Evidence {
  const scenarios = new Map<string, ScenarioEvidence>();
  for (const one of checks) {
    const scenario = scenarios.get(one.scenario) ?? emptyScenario(one.scenario);
    scenarios.set(one.scenario, scenario);
    scenario.checks.set(one.check, checkOf(one, countsOf(one)));
  }
  const condition = {
    id: kind,
    target: 'prompt' as const,
    promptName: kind,
    promptDirty: false,
    model: 'simulated',
    parts: { model: 'simulated', target: 'prompt' },
    hash: kind,
  };
  return {
    kind,
    suite: 'simulated',
    runId: kind,
    at: 0,
    repeat: 0,
    condition,
    answered: { models: [], versions: [] },
    cache: 'unknown',
    tokens: { agent: noUsage, judge: noUsage },
    trials: 0,
    taints: [],
    isComplete: true,
    scenarios,
  };
}

function emptyScenario(id: string): ScenarioEvidence {
  const parts: PlannedScenario['parts'] = { turns: '', fixtures: '', persona: '' };
  return { id, hash: '', parts, tags: [], checks: new Map() };
}

function checkOf({ check: id, absolute, isJudged }: SimulatedCheck, rate: PassRate): CheckEvidence {
  const { passed, of } = rate;
  const scores = isJudged && of > 0 ? scoresOfRate(rate) : undefined;
  return {
    id,
    type: 'simulated',
    kind: isJudged ? 'judged' : 'hard',
    absolute,
    verdict: rateVerdict(rate) ?? 'unknown',
    passed,
    of,
    ...(scores && { scores, score: median(scores) }),
  };
}

import type { GateSettings } from '../project/gate-settings.js';
import type { RunTally } from '../tally/types.js';
import { type AttributionReport, attributionTrials, confirmAttributed, findAttributed } from './attribute.js';
import { type CompareOptions, compareEvidence } from './compare.js';
import { confirm, confirmationTrials, findSuspects } from './confirm.js';
import { evidenceOf } from './evidence.js';
import { type Decision, decide } from './gate.js';
import { type NoiseFloor, noiseFloor } from './noise-floor.js';
import type { Purposes } from './purposes.js';
import { leaveOutQuarantined } from './quarantined.js';
import { type RunningSide, sidesSoFar } from './so-far.js';
import type { CheckEvidence, Comparison, Evidence, ScenarioEvidence, Suspect } from './types.js';

/** What a run is judged by, beside what it says of itself. */
export interface Judging {
  /** Where the run does not say what its gate went by. */
  gate: GateSettings;
  /** The baseline that the run is compared with, where it names one. */
  baseline?: Evidence;
}

/** The gate's word about a run, and what it rests on: the comparison, or what the run was made for. */
export interface Judgement extends Purposes {
  decision: Decision;
  comparison: Comparison | undefined;
}

/** Judges a run as it stands: the one way in which a verdict comes about, live, in reports and of runs of the past. */
export function judgeRun(tally: RunTally, judging: Judging): Judgement {
  const gate = tally.started.gate ?? judging.gate;
  const purposes = purposesOf(tally, gate);
  const comparison = tally.started.purpose === undefined ? compareRun(tally, judging) : undefined;
  return { ...purposes, comparison, decision: decide(tally, gate, comparison, purposes) };
}

/** Noise takes a second or two to draw, and a run is judged for its summary and for its report. */
const measured = new WeakMap<RunTally, { trials: number; noise: NoiseFloor }>();

/** What a run was made for, once it is over and clean; of other runs nothing. */
function purposesOf(tally: RunTally, gate: GateSettings): Purposes {
  const { purpose, base, plan } = tally.started;
  if (purpose === undefined || tally.state !== 'completed' || tally.taints.length > 0) return {};
  switch (purpose) {
    case 'aa': {
      const [first, second] = tally.conditions;
      if (!first || !second) return {};
      const trials = tally.trials.total;
      const before = measured.get(tally);
      if (before?.trials === trials) return { noise: before.noise };
      const { base: one, candidate: other } = sidesOf(tally, first.id, second.id);
      const noise = noiseFloor(one, other, gate, { repeat: plan.repeat });
      measured.set(tally, { trials, noise });
      return { noise };
    }
    case 'attribution': {
      const candidate = candidateOf(tally);
      if (candidate === undefined || base?.condition === undefined) return {};
      return { attribution: attributeRun(tally, base.condition, candidate) };
    }
    case 'bisect':
      return {};
  }
}

function attributeRun(tally: RunTally, base: string, candidate: string): AttributionReport {
  const sides = sidesOf(tally, base, candidate);
  return confirmAttributed(findAttributed(sides.base, sides.candidate));
}

/** Two conditions of a run, what is quarantined left out: no gate goes red over it, and nothing is put down to it. */
function sidesOf(tally: RunTally, base: string, candidate: string): { base: Evidence; candidate: Evidence } {
  return leaveOutQuarantined(evidenceOf(tally, base), evidenceOf(tally, candidate));
}

/** Trials of one scenario that are to be run afresh. */
export interface Rerun {
  scenario: string;
  condition: string;
  trials: number;
}

/**
 * What is to be run again before anything is said of a run: suspects of a gate that confirms, checks that are attributed
 * to one of two conditions. By the planned trials alone: what was begun already is named again.
 */
export function rerunsOf(tally: RunTally, judging: Judging): Rerun[] {
  const { base, purpose } = tally.started;
  const candidate = candidateOf(tally);
  if (candidate === undefined) return [];
  const reruns = new Map<string, Rerun>();
  const add = (scenario: string, condition: string, trials: number) =>
    reruns.set(JSON.stringify([scenario, condition]), { scenario, condition, trials });
  if (purpose === 'attribution') {
    if (base?.condition === undefined) return [];
    const sides = sidesOf(tally, base.condition, candidate);
    const found = findAttributed(sides.base, sides.candidate);
    for (const { scenario, attribution } of found.checks) {
      if (attribution !== 'attributed') continue;
      add(scenario, base.condition, attributionTrials);
      add(scenario, candidate, attributionTrials);
    }
    return [...reruns.values()];
  }
  for (const { scenario, needsBase } of suspectsOf(tally, judging)) {
    add(scenario, candidate, confirmationTrials);
    if (needsBase && base?.condition !== undefined) add(scenario, base.condition, confirmationTrials);
  }
  return [...reruns.values()];
}

/** The candidate of a run against its base, with what the confirmation has proved so far; undefined without a base. */
export function compareRun(tally: RunTally, judging: Judging): Comparison | undefined {
  const gate = tally.started.gate ?? judging.gate;
  const candidate = candidateOf(tally);
  const base = baseOf(tally, judging.baseline);
  if (candidate === undefined || !base) return undefined;
  return confirm(compareEvidence(base, evidenceOf(tally, candidate), gate, optionsOf(gate)), gate);
}

/**
 * The same of a run that is going on: of what has ended on both sides, for people to look at; no verdict rests on it. Of
 * a run under several conditions that has no base, the second against the first: that is how models are swapped.
 */
export function compareSoFar(tally: RunTally, judging: Judging): Comparison | undefined {
  const gate = tally.started.gate ?? judging.gate;
  const [first, second] = tally.conditions.filter(({ standby }) => standby !== true);
  const isSwap = !tally.started.base && tally.conditions.length > 1;
  const candidate = isSwap ? second?.id : candidateOf(tally);
  const base = isSwap ? first?.id : soFarBase(tally, judging.baseline);
  if (candidate === undefined || base === undefined) return undefined;
  const sides = sidesSoFar(tally, base, candidate);
  return confirm(compareEvidence(sides.base, sides.candidate, gate, optionsOf(gate)), gate);
}

/**
 * What is to be re-run before the gate may go red, judged by the planned trials alone: so a run that was killed while it
 * confirmed asks for the same again.
 */
export function suspectsOf(tally: RunTally, judging: Judging): Suspect[] {
  const gate = tally.started.gate ?? judging.gate;
  const candidate = candidateOf(tally);
  const base = baseOf(tally, judging.baseline);
  if (candidate === undefined || !base) return [];
  return findSuspects(
    compareEvidence(withoutFresh(base), withoutFresh(evidenceOf(tally, candidate)), gate, optionsOf(gate)),
    gate,
  );
}

function optionsOf({ compareSimulatedUsers }: GateSettings): CompareOptions {
  return { simulatedUsers: compareSimulatedUsers === true };
}

/** Id of the condition that is tested: the first that neither stands by nor is the base. Undefined of several. */
export function candidateOf({
  conditions,
  started,
}: Pick<RunTally, 'conditions' | 'started'>): string | undefined {
  const { base } = started;
  const candidates = conditions.filter(({ id, standby }) => standby !== true && id !== base?.condition);
  return candidates.length === 1 ? candidates[0]?.id : undefined;
}

function baseOf(tally: RunTally, stored: Evidence | undefined): Evidence | undefined {
  const { base, filtered } = tally.started;
  if (!base) return undefined;
  if (base.kind === 'condition') return evidenceOf(tally, base.condition);
  if (!stored) return undefined;
  const known = filtered === true ? ofPlan(stored, tally) : stored;
  return base.condition === undefined ? known : withFresh(known, evidenceOf(tally, base.condition));
}

/** The base of a run that is going on: one that is run beside the candidate has ended in parts only. */
function soFarBase(tally: RunTally, stored: Evidence | undefined): RunningSide | undefined {
  const { base } = tally.started;
  return base?.kind === 'condition' ? base.condition : baseOf(tally, stored);
}

/** What of a baseline a run that leaves scenarios out can be compared with. */
function ofPlan(evidence: Evidence, { rowById }: RunTally): Evidence {
  return { ...evidence, scenarios: new Map([...evidence.scenarios].filter(([id]) => rowById.has(id))) };
}

function withoutFresh(evidence: Evidence): Evidence {
  const scenarios = new Map<string, ScenarioEvidence>();
  for (const [id, scenario] of evidence.scenarios) {
    if (![...scenario.checks.values()].some(({ fresh }) => fresh)) {
      scenarios.set(id, scenario);
      continue;
    }
    const checks = new Map<string, CheckEvidence>();
    for (const [check, { fresh: _, ...planned }] of scenario.checks) checks.set(check, planned);
    scenarios.set(id, { ...scenario, checks });
  }
  return { ...evidence, scenarios };
}

/** A baseline with the trials that a confirmation ran of it afresh. */
function withFresh(stored: Evidence, rerun: Evidence): Evidence {
  const scenarios = new Map<string, ScenarioEvidence>();
  for (const [id, scenario] of stored.scenarios) {
    const again = rerun.scenarios.get(id)?.checks;
    if (![...(again?.values() ?? [])].some(({ fresh }) => fresh)) {
      scenarios.set(id, scenario);
      continue;
    }
    const checks = new Map<string, CheckEvidence>();
    for (const [check, known] of scenario.checks) {
      const fresh = again?.get(check)?.fresh;
      checks.set(check, fresh ? { ...known, fresh } : known);
    }
    scenarios.set(id, { ...scenario, checks });
  }
  return { ...stored, scenarios };
}

import type { GateSettings } from '../project/gate-settings.js';
import type { RunTally } from '../tally/types.js';
import { compareEvidence } from './compare.js';
import { confirm, findSuspects } from './confirm.js';
import { evidenceOf } from './evidence.js';
import { type Decision, decide } from './gate.js';
import type { CheckEvidence, Comparison, Evidence, ScenarioEvidence, Suspect } from './types.js';

/** What a run is judged by, beside what it says of itself. */
export interface Judging {
  /** Where the run does not say what its gate went by. */
  gate: GateSettings;
  /** The baseline that the run is compared with, where it names one. */
  baseline?: Evidence;
}

/** The gate's word about a run, and the comparison that it rests on. */
export interface Judgement {
  decision: Decision;
  comparison: Comparison | undefined;
}

/** Judges a run as it stands: the one way in which a verdict comes about, live, in reports and of runs of the past. */
export function judgeRun(tally: RunTally, judging: Judging): Judgement {
  const gate = tally.started.gate ?? judging.gate;
  const comparison = compareRun(tally, judging);
  return { comparison, decision: decide(tally, gate, comparison) };
}

/** The candidate of a run against its base, with what the confirmation has proved so far; undefined without a base. */
export function compareRun(tally: RunTally, judging: Judging): Comparison | undefined {
  const gate = tally.started.gate ?? judging.gate;
  const candidate = candidateOf(tally);
  const base = baseOf(tally, judging.baseline);
  if (candidate === undefined || !base) return undefined;
  return confirm(compareEvidence(base, evidenceOf(tally, candidate), gate), gate);
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
    compareEvidence(withoutFresh(base), withoutFresh(evidenceOf(tally, candidate)), gate),
    gate,
  );
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

/** What of a baseline a run that leaves scenarios out can be compared with. */
function ofPlan(evidence: Evidence, { rowById }: RunTally): Evidence {
  return { ...evidence, scenarios: new Map([...evidence.scenarios].filter(([id]) => rowById.has(id))) };
}

function withoutFresh(evidence: Evidence): Evidence {
  const scenarios = new Map<string, ScenarioEvidence>();
  for (const [id, scenario] of evidence.scenarios) {
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
    const checks = new Map<string, CheckEvidence>();
    for (const [check, known] of scenario.checks) {
      const fresh = again?.get(check)?.fresh;
      checks.set(check, fresh ? { ...known, fresh } : known);
    }
    scenarios.set(id, { ...scenario, checks });
  }
  return { ...stored, scenarios };
}

import { dayOf } from '../base/day.js';
import { contentHash } from '../base/hash.js';
import { baselineCheck, type CheckChange, countCheck } from './baseline-check.js';
import { baselineEvidence } from './baseline-evidence.js';
import { baselineHead, type RunRemarks } from './baseline-head.js';
import type { Baseline, BaselineCheck, BaselineScenario, Superseded } from './baseline-schema.js';
import { checkDifferences, scenarioDifferences } from './comparable.js';
import { sideDifferences } from './differences.js';
import type { CheckEvidence, Difference, Evidence, ScenarioEvidence } from './types.js';

/** What evidence does not say of its run, and who saves it. */
export interface SavedRun extends RunRemarks {
  /** Milliseconds since the epoch. */
  now: number;
  /** Who saves it. */
  by?: string;
  /** Failing checks that are known to fail, by `scenario/check`; with the reason where one was given. */
  known?: ReadonlyMap<string, string | true>;
  /** Ids of the scenarios that the suite has today. Not set: those of the run. */
  inSuite?: ReadonlySet<string>;
}

/** What becomes of one criterion of the baseline or of the run. */
export interface BaselineChange extends CheckChange {
  scenario: string;
  check: string;
}

export interface Accumulated {
  baseline: Baseline;
  /** One a criterion of either side, scenarios and checks by id. */
  changes: BaselineChange[];
  /** In what the condition differs from that of the baseline; empty: in nothing. */
  differences: Difference[];
  /** The run was counted before: nothing changes. */
  isCounted: boolean;
}

/** Runs whose ids are kept, so that none is counted twice. */
export const mostCounted = 200;

/** A run that cannot be counted in a baseline; the message is the end of a sentence about it. */
export class UncountableRun extends Error {}

interface Counting {
  old: Baseline | undefined;
  evidence: Evidence;
  run: SavedRun;
  /** Of the run whose conversations these are. */
  id: string;
  /** The baseline as a side of a comparison. */
  base: Evidence | undefined;
  /** Agent, model or tools are others: nothing that was counted can be added to. */
  isOtherAgent: boolean;
  isWhole: boolean;
  isOlder: boolean;
  changes: BaselineChange[];
}

/**
 * Counts a run in. Per check `passed` and `of` grow by its trials where everything is the same: the condition, what the
 * product said of its model and version, the scenario, the check, for judged checks the judge, and the user where one is
 * played. Where something is not, the check starts anew, and what was expected goes into the history if check or verdict
 * are others. A run goes in once, and so do its conversations when they are graded again. Of a run without all scenarios
 * of the suite the other scenarios stay as they are. Throws UncountableRun. `baseline` undefined: there is none yet.
 */
export function accumulate(old: Baseline | undefined, evidence: Evidence, run: SavedRun): Accumulated {
  const inSuite = [...(run.inSuite ?? evidence.scenarios.keys())];
  const base = old && baselineEvidence(old);
  const counting: Counting = {
    old,
    evidence,
    run,
    id: run.regradeOf ?? evidence.runId,
    base,
    isOtherAgent: base !== undefined && sideDifferences(agentAlone(base), agentAlone(evidence)).length > 0,
    isWhole: inSuite.every((scenario) => evidence.scenarios.has(scenario)),
    isOlder: old !== undefined && evidence.runId < old.lastRun.id,
    changes: [],
  };
  const { id, isWhole, isOlder, isOtherAgent, changes } = counting;
  const differences = base ? sideDifferences(base, evidence) : [];
  if (old && run.regradeOf === undefined && isCounted(old, counting)) {
    return { baseline: old, changes: [], differences, isCounted: true };
  }
  if (old) refuse(old, counting, differences);

  const scenarios = countScenarios(counting);
  if (!old) {
    const baseline = { ...baselineHead(evidence, run), runs: isWhole ? [id] : [], scenarios };
    return { baseline, changes, differences, isCounted: false };
  }
  if (!isWhole) return { baseline: { ...old, scenarios }, changes, differences, isCounted: false };
  const runs = isOtherAgent ? [id] : [...new Set([...old.runs, id])].sort().slice(-mostCounted);
  const note = run.note ?? (isOtherAgent ? undefined : old.note);
  const top = isOlder ? old : baselineHead(evidence, { ...run, ...(note !== undefined && { note }) });
  return { baseline: { ...top, runs, scenarios }, changes, differences, isCounted: false };
}

/** Without who judged and who played the user: those have a say in some checks only. */
function agentAlone({ judge: _judge, user: _user, ...agent }: Evidence): Evidence {
  return agent;
}

/** Whether every scenario of the run was counted with it before. */
function isCounted(old: Baseline, { evidence, id }: Counting): boolean {
  if (old.runs.includes(id)) return true;
  return [...evidence.scenarios.keys()].every((one) => old.scenarios[one]?.runs?.includes(id));
}

function refuse(old: Baseline, counting: Counting, differences: readonly Difference[]): void {
  const { evidence, id, isOlder, isWhole } = counting;
  const what = differences.map(({ part, from, to }) => `${part} ${from} → ${to}`).join(', ');
  if (differences.length > 0 && isOlder) {
    throw new UncountableRun(
      `the baseline is newer (run ${old.lastRun.id}) and of another condition (${what}); make a new run`,
    );
  }
  if (differences.length > 0 && !isWhole) {
    throw new UncountableRun(
      `its condition is not that of the baseline (${what}), and it has only ${evidence.scenarios.size} of the suite's scenarios; run all of them`,
    );
  }
  const [oldest] = old.runs;
  if (old.runs.length >= mostCounted && oldest !== undefined && id < oldest) {
    throw new UncountableRun(
      `it is older than the last ${mostCounted} runs that were counted, so nobody can say whether it was`,
    );
  }
}

function countScenarios(counting: Counting): Baseline['scenarios'] {
  const { old, evidence, run, changes } = counting;
  const ids = [...new Set([...Object.keys(old?.scenarios ?? {}), ...evidence.scenarios.keys()])].sort();
  const counted: [string, BaselineScenario][] = [];
  for (const id of ids) {
    const before = old?.scenarios[id];
    const now = evidence.scenarios.get(id);
    if (now) counted.push([id, countScenario(id, before, now, counting)]);
    else if (before && run.inSuite?.has(id)) counted.push([id, before]);
    else if (before) {
      for (const [check, from] of Object.entries(before.checks))
        changes.push({ scenario: id, check, kind: 'gone', from });
    }
  }
  return Object.fromEntries(counted);
}

function countScenario(
  id: string,
  before: BaselineScenario | undefined,
  now: ScenarioEvidence,
  counting: Counting,
): BaselineScenario {
  const { old, base, evidence, run, isOtherAgent, isOlder, isWhole, changes } = counting;
  const isAgain =
    (old?.runs.includes(counting.id) ?? false) || (before?.runs?.includes(counting.id) ?? false);
  const from = base?.scenarios.get(id);
  const isSame =
    base !== undefined &&
    from !== undefined &&
    !isOtherAgent &&
    scenarioDifferences([base, from], [evidence, now]).length === 0;
  const checks: [string, BaselineCheck][] = [];
  const history: Superseded[] = [...(before?.history ?? [])];
  const isSameCheck = (a: CheckEvidence | undefined, b: CheckEvidence | undefined) =>
    base !== undefined &&
    a !== undefined &&
    b !== undefined &&
    checkDifferences([base, a], [evidence, b]).length === 0;
  for (const name of [...new Set([...Object.keys(before?.checks ?? {}), ...now.checks.keys()])].sort()) {
    const was = before?.checks[name];
    const is = now.checks.get(name);
    const change = countCheck(was, is, {
      isSame: isSame && isSameCheck(from?.checks.get(name), is),
      isAgain,
      isOlder,
      condition: contentHash(evidence.condition.parts),
    });
    changes.push({ scenario: id, check: name, ...change });
    const known = run.known?.get(`${id}/${name}`) ?? (change.kind === 'counted' ? was?.known : undefined);
    const kept = change.kind === 'kept' ? was : is && change.to && baselineCheck(is, change.to, known);
    if (kept) checks.push([name, kept]);
    if (change.kind === 'superseded' && was) history.push(supersededBySaving(name, was, counting));
  }
  const runs = [...(isSame ? (before?.runs ?? []) : []), ...(isWhole || isAgain ? [] : [counting.id])];
  // Kept from a newer baseline, it is still what that one was made with.
  const said = isOlder && before && !isSame ? before : now;
  const usage = isWhole && !isOlder ? now.usage : isSame ? before?.usage : undefined;
  return {
    hash: said.hash,
    parts: { ...said.parts },
    ...(now.isSimulatedUser && { simulatedUser: true as const }),
    ...(usage && { usage: { ...usage } }),
    ...(runs.length > 0 && { runs: runs.sort().slice(-mostCounted) }),
    checks: Object.fromEntries(checks),
    ...(history.length > 0 && { history }),
  };
}

function supersededBySaving(check: string, was: BaselineCheck, { evidence, run }: Counting): Superseded {
  return {
    check,
    was: expectedBefore(was),
    how: 'saved',
    ...(run.note !== undefined && { reason: run.note }),
    ...(run.by !== undefined && { by: run.by }),
    at: dayOf(run.now),
    run: evidence.runId,
    ...(evidence.condition.promptPath !== undefined && { prompt: evidence.condition.promptPath }),
    ...(run.commit !== undefined && { commit: run.commit }),
  };
}

/** An expectation as the history keeps it. */
export function expectedBefore({
  verdict,
  passed,
  of,
  score,
  hash,
}: BaselineCheck): NonNullable<Superseded['was']> {
  return { verdict, passed, of, ...(score !== undefined && { score }), hash };
}

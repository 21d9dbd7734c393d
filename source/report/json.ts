import { jeffreysInterval } from '../base/statistics.js';
import type { Decision } from '../compare/gate.js';
import type { Comparison } from '../compare/types.js';
import type { KnownLabels } from '../grade/labels/types.js';
import { cacheHitRate, effectiveInput, type Usage } from '../model/types.js';
import type { CellGroup, CheckCounts, RunTally, ScenarioTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import { bisectedFacts } from './bisected.js';
import { calibrationFacts } from './calibration.js';
import { isQuarantinedCheck, quarantineFacts } from './quarantine.js';
import type { FinishedRun, Reporter, ReporterOptions } from './reporter.js';
import { isSimulatedModel, isSimulatedRun, vendorNoticeOf } from './run-facts.js';
import { scoreFacts } from './scores.js';

/** Version of the shape below; grows only when something is renamed or taken away. */
const formatVersion = 1;

/**
 * One JSON object for the whole invocation, printed when it is over: `{format, evalrun, runs: [...], exitCode}`.
 * A run is written scenario by scenario, so that the object never has to fit into one text.
 */
export function createJsonReporter(options: ReporterOptions): Reporter {
  let runs = 0;
  const { write } = options;

  return {
    hear() {},
    async finishRun(finished) {
      await write(
        runs++ === 0 ? `{"format":${formatVersion},"evalrun":${safeJson(options.version)},"runs":[\n` : ',\n',
      );
      for (const piece of runPieces(finished)) await write(piece);
    },
    async finish(exitCode) {
      if (runs > 0) await write(`\n],"exitCode":${exitCode}}\n`);
    },
  };
}

/**
 * JSON in which no character can do harm on its way through a terminal or a log: what is invisible or a control, and
 * what a CI engine takes for the start of a command, is written as an escape, which every JSON reader turns back into
 * the same character.
 */
export function safeJson(value: unknown): string {
  const text = JSON.stringify(value).replaceAll('##', `#${unicodeEscape(0x23)}`);
  return text.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_, i) => unicodeEscape(found.charCodeAt(i))).join(''),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function* runPieces({
  tally,
  decision,
  place,
  judgeNotes = [],
  labels = [],
  comparison,
  attribution,
  noise,
  bisects = [],
}: FinishedRun): Generator<string> {
  // Scenarios come last, so that they can be written one by one before the object is closed.
  const facts = {
    ...runFacts(tally, decision, place.journal),
    judgeNotes,
    comparison: comparison ? comparisonFacts(comparison) : null,
    attribution: attribution ?? null,
    noise: noise ?? null,
    bisects: bisects.map(bisectedFacts),
  };
  yield `${safeJson(facts).slice(0, -1)},"scenarios":[`;
  let separator = '\n';
  for (const row of tally.rows) {
    yield `${separator}${safeJson(scenarioFacts(row, tally, labels))}`;
    separator = ',\n';
  }
  yield '\n]}';
}

function runFacts(tally: RunTally, decision: Decision, journal: string) {
  const { started } = tally;
  return {
    runId: started.runId,
    suite: started.suite,
    simulated: isSimulatedRun(started),
    verdict: decision.verdict,
    exitCode: decision.exitCode,
    headline: decision.headline,
    reasons: decision.reasons,
    state: tally.state,
    startedAt: new Date(started.at).toISOString(),
    finishedAt: tally.finishedAt === undefined ? null : new Date(tally.finishedAt).toISOString(),
    seed: started.seed,
    repeat: started.plan.repeat,
    label: started.label ?? null,
    note: started.note ?? null,
    purpose: started.purpose ?? null,
    knownNoise: started.noise ?? null,
    regradeOf: started.regradeOf ?? null,
    git: started.git ?? null,
    conditions: tally.conditions.map((condition) => ({
      ...condition,
      simulated: isSimulatedModel(condition.model),
    })),
    judge: started.judge ? { ...started.judge, simulated: isSimulatedModel(started.judge.model) } : null,
    trials: { ...tally.trials, coverage: decision.coverage },
    verdicts: tally.verdicts,
    quarantined: tally.quarantined,
    quarantine: quarantineFacts(tally),
    user: started.user ? { ...started.user, simulated: isSimulatedModel(started.user.model) } : null,
    liveTools: tally.conditions.some((condition) => condition.liveTools === true),
    judgeSameVendor: started.judge ? sameVendorFact(started) : null,
    stopReason: tally.stopReason ?? null,
    retries: tally.retries.count,
    tokens: {
      agent: ledger(tally.tokens.agent),
      judge: ledger(tally.tokens.judge),
      user: tally.tokens.user ? ledger(tally.tokens.user) : null,
      agentPartial: tally.tokens.isAgentPartial ?? false,
    },
    scores: scoreFacts(tally),
    taints: tally.taints,
    journal,
  };
}

/** Whether judge and agent are of one vendor; `unknown` where nobody said whose a model is. */
function sameVendorFact(started: RunTally['started']): boolean | 'unknown' {
  const notice = vendorNoticeOf(started);
  return notice?.kind === 'unknown' ? 'unknown' : notice !== undefined;
}

/** A comparison as JSON has it. */
export function comparisonFacts(comparison: Comparison) {
  const { base, candidate, ...rest } = comparison;
  return { base: sideFacts(base), candidate: sideFacts(candidate), ...rest, score: rest.score ?? null };
}

function sideFacts({ at, ...rest }: Comparison['base']) {
  return { ...rest, at: new Date(at).toISOString() };
}

function ledger(usage: Usage) {
  return { ...usage, cacheHitRate: cacheHitRate(usage) ?? null, effectiveInput: effectiveInput(usage) };
}

function scenarioFacts(row: ScenarioTally, { started }: RunTally, labels: KnownLabels) {
  const { id, hash, tags, source } = row.scenario;
  const calibrationOf = (check: string) => calibrationFacts(started, labels, id, check);
  return {
    id,
    hash,
    tags,
    source: source ?? null,
    verdict: row.verdict ?? null,
    partial: row.isPartial,
    quarantined: row.isQuarantined,
    why: row.why ? { check: row.why.checkId ?? null, reason: row.why.reason } : null,
    conditions: row.groups.map((group) => groupFacts(group, row, calibrationOf)),
  };
}

function groupFacts(
  group: CellGroup,
  row: ScenarioTally,
  calibrationOf: (check: string) => ReturnType<typeof calibrationFacts>,
) {
  const planned = new Map(row.scenario.checks.map((check) => [check.id, check]));
  return {
    condition: group.condition,
    verdict: group.verdict ?? null,
    partial: group.isPartial,
    checks: Array.from(group.checks, ([id, counts]) => ({
      ...checkFacts(id, counts, planned.get(id)),
      quarantined: isQuarantinedCheck(row, id),
      calibration: calibrationOf(id),
    })),
    trials: group.cells.map((cell) => ({
      repeat: cell.repeat,
      verdict: cell.state === 'waiting' || cell.state === 'running' ? null : cell.state,
      attempt: cell.attempt,
      ms: cell.ms ?? null,
      tokens: cell.tokens ?? null,
      worstCheck: cell.worstCheck ?? null,
      why: cell.why ?? null,
    })),
  };
}

function checkFacts(
  id: string,
  counts: CheckCounts,
  planned: ScenarioTally['scenario']['checks'][number] | undefined,
) {
  const { pass, warn, fail, unknown, error } = counts;
  const { passed, of } = checkRate(counts);
  const { low, high } = jeffreysInterval(passed, of);
  return {
    id,
    type: planned?.type ?? null,
    kind: planned?.kind ?? null,
    verdict: checkVerdict(counts) ?? null,
    passed,
    of,
    interval: [low, high],
    counts: { pass, warn, fail, unknown, error },
    scores: counts.scores ?? null,
    why: counts.why?.reason ?? null,
  };
}

import type { Decision } from '../compare/gate.js';
import type { Condition } from '../run/planned.js';
import type { CellGroup, ScenarioTally } from '../tally/types.js';
import { checkRate, checkVerdict } from '../tally/verdict.js';
import { bisectedSentence } from './bisected.js';
import { criterionName } from './changes.js';
import { formatInterval } from './format.js';
import { isQuarantinedCheck } from './quarantine.js';
import type { FinishedRun, Reporter, ReporterOptions } from './reporter.js';
import { conditionLabel, isSimulatedRun } from './run-facts.js';
import { xmlTag, xmlText } from './xml-text.js';

/** How a test case ends. `skipped`: it is not passed, and it does not block either. */
interface Outcome {
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  message: string;
}

interface TestCase {
  classname: string;
  name: string;
  seconds: number;
  outcome: Outcome;
}

/**
 * JUnit XML: a suite a run and condition, a case a criterion of a scenario, and one more for the gate, which fails when
 * the gate does. A criterion is a failure only where it blocks, so that a CI engine that counts failures says the same
 * as the exit code; one that is quarantined is skipped where it does not pass. Fits the schemas of Ant (Windy Road) and of Jenkins' xUnit plugin.
 */
export function createJunitReporter({ write }: ReporterOptions): Reporter {
  let suites = 0;
  return {
    hear() {},
    async finishRun(finished) {
      if (suites === 0) await write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n');
      const { conditions } = finished.tally;
      for (const condition of conditions.filter(({ standby }) => standby !== true)) {
        for (const piece of suitePieces(finished, condition, suites++)) await write(piece);
      }
    },
    async finish() {
      if (suites > 0) await write('</testsuites>\n');
    },
  };
}

function* suitePieces(finished: FinishedRun, condition: Condition, id: number): Generator<string> {
  const { tally } = finished;
  const { started } = tally;
  const counts = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  let seconds = 0;
  for (const { outcome, seconds: own } of testCases(finished, condition)) {
    counts.tests++;
    if (outcome.kind === 'failure') counts.failures++;
    if (outcome.kind === 'error') counts.errors++;
    if (outcome.kind === 'skipped') counts.skipped++;
    seconds += own;
  }
  const label = conditionLabel(condition, tally.conditions);
  yield `  ${xmlTag('testsuite', {
    name: label === '' ? started.suite : `${started.suite} (${label})`,
    package: started.suite,
    id,
    timestamp: new Date(started.at).toISOString().slice(0, 19),
    hostname: 'localhost',
    ...counts,
    time: seconds.toFixed(3),
  })}>\n    <properties>\n`;
  for (const [name, value] of propertiesOf(finished, condition)) {
    yield `      ${xmlTag('property', { name, value })}/>\n`;
  }
  yield '    </properties>\n';
  for (const testCase of testCases(finished, condition)) yield caseText(testCase);
  yield '    <system-out/>\n    <system-err/>\n  </testsuite>\n';
}

function propertiesOf(
  { tally: { started }, decision, judgeNotes = [] }: FinishedRun,
  condition: Condition,
): [string, string][] {
  return [
    ['run', started.runId],
    ['verdict', decision.headline],
    ['prompt', condition.promptName],
    ['model', condition.model],
    ['condition', condition.hash],
    ['repeat', String(started.plan.repeat)],
    ['seed', started.seed],
    ['simulated', String(isSimulatedRun(started))],
    ...(judgeNotes.length > 0 ? [['calibration', judgeNotes.join('; ')] satisfies [string, string]] : []),
  ];
}

function* testCases(finished: FinishedRun, condition: Condition): Generator<TestCase> {
  const { tally } = finished;
  const blocks = blockingChecks(finished, condition);
  for (const row of tally.rows) {
    const group = row.groups.find((one) => one.condition === condition.id);
    if (group) yield* casesOfRow(finished, row, group, blocks);
  }
  // The gate is one for all conditions: it stands with the first.
  if (condition.id !== tally.conditions[0]?.id) return;
  yield { classname: tally.started.suite, name: 'gate', seconds: 0, outcome: gateOutcome(finished) };
}

function gateOutcome({ decision: { verdict, headline, reasons }, bisects = [] }: FinishedRun): Outcome {
  const words = bisects.map(bisectedSentence);
  const message = [headline, ...reasons, ...words].join('\n');
  if (verdict === 'pass' || verdict === 'measured') return { kind: 'passed', message };
  return { kind: verdict === 'fail' ? 'failure' : 'error', message };
}

/** Criteria that block, by name, and why. Undefined where nothing was compared: all that fail do. */
function blockingChecks(
  { comparison, attribution, decision, tally }: FinishedRun,
  condition: Condition,
): ReadonlyMap<string, string> | undefined {
  if (!comparison && !attribution) return undefined;
  // What it is compared with blocks nothing.
  const { base } = tally.started;
  const isTested = comparison
    ? comparison.candidate.condition.id === condition.id
    : base?.condition !== condition.id;
  if (!isTested) return new Map();
  return new Map(decision.blocking?.map((one) => [criterionName(one), one.text]));
}

function* casesOfRow(
  { tally, decision }: FinishedRun,
  row: ScenarioTally,
  group: CellGroup,
  blocks: ReadonlyMap<string, string> | undefined,
): Generator<TestCase> {
  const { id, checks } = row.scenario;
  const classname = `${tally.started.suite}.${id}`;
  const ms = group.cells.reduce((sum, cell) => sum + (cell.ms ?? 0), 0);
  for (const [index, check] of checks.entries()) {
    const blocked = blocks?.get(criterionName({ scenario: id, check: check.id }));
    // The time of a conversation is that of all its criteria; it stands with the first.
    const seconds = index === 0 ? ms / 1000 : 0;
    const outcome: Outcome =
      blocked === undefined
        ? isQuarantinedCheck(row, check.id)
          ? quarantinedOutcome(group, check.id)
          : outcomeOf(group, check.id, decision, blocks === undefined && decision.verdict === 'fail')
        : { kind: 'failure', message: blocked };
    yield { classname, name: check.id, seconds, outcome };
  }
}

/** It is passed where it passes, and else holds nothing up. */
function quarantinedOutcome(group: CellGroup, checkId: string): Outcome {
  const counts = group.checks.get(checkId);
  const verdict = counts && checkVerdict(counts);
  if (!counts || !verdict) return { kind: 'skipped', message: 'quarantined: not run' };
  if (verdict === 'pass') return { kind: 'passed', message: '' };
  const { passed, of } = checkRate(counts);
  const why = counts.why === undefined ? '' : `: ${counts.why.reason}`;
  return { kind: 'skipped', message: `quarantined: ${verdict}, passed ${passed} of ${of}${why}` };
}

function outcomeOf(group: CellGroup, checkId: string, decision: Decision, isBlocking: boolean): Outcome {
  const counts = group.checks.get(checkId);
  const verdict = counts && checkVerdict(counts);
  // What leaves a run without a verdict is an error of it; else it holds nothing up.
  const ungraded = decision.verdict === 'pass' || decision.verdict === 'measured' ? 'skipped' : 'error';
  if (!counts || !verdict) return { kind: 'skipped', message: 'not run' };
  const { passed, of } = checkRate(counts);
  if (of === 0 && counts.error > 0) {
    const why = group.cells.find(({ state }) => state === 'error')?.why ?? '';
    return { kind: ungraded, message: `could not be run: ${why}` };
  }
  const rate = of === 0 ? '' : `passed ${passed} of ${of} (${formatInterval(passed, of)})`;
  const message = [rate, counts.why?.reason].filter((part) => part).join(': ');
  switch (verdict) {
    case 'pass':
      return { kind: 'passed', message };
    case 'fail':
      if (isBlocking) return { kind: 'failure', message };
      return { kind: 'skipped', message: `fails, and does not block: ${message}` };
    case 'warn':
      return { kind: 'skipped', message: `warns: ${message}` };
    case 'unknown':
      return { kind: ungraded, message: `could not be graded well enough: ${message}` };
  }
}

function caseText({ classname, name, seconds, outcome }: TestCase): string {
  const open = `    ${xmlTag('testcase', { classname, name, time: seconds.toFixed(3) })}`;
  const { kind, message } = outcome;
  if (kind === 'passed') return `${open}/>\n`;
  const [first = ''] = message.split('\n');
  if (kind === 'skipped') return `${open}>${xmlTag('skipped', { message: first })}/></testcase>\n`;
  const type = kind === 'failure' ? 'criterion' : 'not-run';
  // Behind a bar: no line of this file begins with what somebody else wrote.
  const body = message.split('\n').join('\n│ ');
  return `${open}>${xmlTag(kind, { type, message: first })}>${xmlText(body)}</${kind}></testcase>\n`;
}

import { textWidth } from '../base/width.js';
import type { Decision } from '../compare/gate.js';
import type { Comparison } from '../compare/types.js';
import { cacheHitRate, effectiveInput, type Usage } from '../model/types.js';
import type { RegradeOf } from '../run/planned.js';
import { groupReason, worstCheck } from '../tally/group.js';
import type { CellGroup, RunTally, ScenarioTally, Verdict } from '../tally/types.js';
import { checkRate } from '../tally/verdict.js';
import { type BisectedRun, bisectedLines } from './bisected.js';
import { comparisonLines, verdictLines } from './comparison.js';
import { countOf, formatCount, formatDuration, formatInterval, formatShare, inline } from './format.js';
import { quarantinedWord, quarantineEntryLines } from './quarantine.js';
import {
  conditionLabel,
  conditionTitle,
  isSimulatedRun,
  simulatedNotice,
  testedConditions,
  vendorNoticeOf,
} from './run-facts.js';
import { scoreLines } from './scores.js';

const liveToolsNotice = 'live tools: they were called for real, and no fixture answered';

/** Best first, so that what needs a look stands last, next to the verdict of the run. */
const bestFirst: readonly Verdict[] = ['pass', 'warn', 'unknown', 'error', 'fail'];

export interface ClosingOptions {
  /** Count scenarios that pass instead of listing them: for a screen that has just shown them. */
  hidePassed?: boolean;
  /** How evalrun is started, for the lines to paste. Default: `evalrun`. */
  program?: string;
  /** How far the judge can be trusted, see `judgeNotes`. */
  judgeNotes?: readonly string[];
  /** With what the run was compared, and what changed. */
  comparison?: Comparison | undefined;
  /** What bisects found that look into it. */
  bisects?: readonly BisectedRun[];
}

interface TableRow {
  verdict: Verdict;
  /** It counts for nothing. */
  isQuarantined: boolean;
  /** Trials are missing: the verdict may still change. */
  isPartial: boolean;
  name: string;
  rate: string;
  interval: string;
  note: string;
}

/**
 * What stays on the page when a run is over: a line a scenario, the verdict, what it rests on, the tokens, and how to
 * open the run again. One line at a time, safe to print, without escape codes.
 */
export function* closingLines(
  tally: RunTally,
  decision: Decision,
  options: ClosingOptions = {},
): Generator<string> {
  yield* titleLines(tally);
  yield* options.judgeNotes ?? [];
  yield '';
  yield* tableLines(tally, options.hidePassed ?? false);
  yield* quarantineEntryLines(tally);
  yield* scoreLines(tally);
  if (options.comparison) {
    yield '';
    yield* comparisonLines(options.comparison, decision);
  }
  yield '';
  yield* verdictLines(decision, options.comparison);
  if (options.bisects && options.bisects.length > 0) {
    yield* bisectedLines(options.bisects, options.program ?? 'evalrun');
    yield '';
  }
  yield* factLines(tally, decision, options.program ?? 'evalrun');
}

function* titleLines({ started, conditions }: RunTally): Generator<string> {
  const { plan } = started;
  const facts = [
    inline(started.suite),
    // One that only stood by is named where it was run, in the comparison.
    conditions
      .filter(({ standby }) => standby !== true)
      .map(conditionTitle)
      .join(' and '),
    `${countOf(plan.scenarios.length, 'scenario')} x ${countOf(plan.repeat, 'trial')}`,
    inline(`seed ${started.seed}`),
  ];
  yield facts.join('   ');
  if (isSimulatedRun(started)) yield simulatedNotice;
  const vendor = vendorNoticeOf(started);
  if (vendor) yield vendor.text;
  if (conditions.some(({ liveTools }) => liveTools === true)) yield liveToolsNotice;
  if (started.regradeOf) yield* regradeTitle(started.regradeOf);
  if (started.label !== undefined) yield `label: ${inline(started.label)}`;
  if (started.note !== undefined) yield `note: ${inline(started.note)}`;
}

function* regradeTitle({ runId, stale }: RegradeOf): Generator<string> {
  yield `grades the conversations of run ${runId} again: no agent was asked, its tokens are those of that run`;
  if (stale.length > 0) {
    const ids = stale.map(({ scenario, why }) => `${scenario} (${why})`).join(', ');
    yield inline(`conversations of earlier versions: ${ids}`);
  }
}

function* tableLines(tally: RunTally, hidePassed: boolean): Generator<string> {
  const widest = { name: 0, rate: 0 };
  for (const row of tableRows(tally)) {
    if (hidePassed && row.verdict === 'pass' && !row.isPartial && !row.isQuarantined) continue;
    widest.name = Math.max(widest.name, textWidth(row.name));
    widest.rate = Math.max(widest.rate, row.rate.length);
  }
  // A name longer than this pushes its own line out rather than every other one.
  widest.name = Math.min(widest.name, 60);
  for (const row of tableRows(tally)) if (row.isQuarantined) yield tableLine(row, widest);
  let hidden = 0;
  for (const verdict of bestFirst) {
    for (const row of tableRows(tally, verdict)) {
      if (row.isQuarantined) continue;
      if (hidePassed && verdict === 'pass' && !row.isPartial) hidden++;
      else yield tableLine(row, widest);
    }
    if (verdict === 'pass' && hidden > 0) yield `PASS     ${countOf(hidden, 'scenario')}`;
  }
  const untouched = tally.rows.filter((row) => row.verdict === undefined).length;
  if (untouched > 0) yield `not run  ${countOf(untouched, 'scenario')}`;
}

/** A row a scenario and condition that is tested, with this verdict if one is given: the base has its place in the comparison. Made anew for each pass over them: a large suite is never held as text. */
function* tableRows(tally: RunTally, verdict?: Verdict): Generator<TableRow> {
  const tested = testedConditions(tally.started);
  for (const row of tally.rows) {
    for (const group of row.groups) {
      const condition = tested.find(({ id }) => id === group.condition);
      if (!group.verdict || !condition || (verdict ?? group.verdict) !== group.verdict) continue;
      yield {
        verdict: group.verdict,
        isQuarantined: row.isQuarantined,
        isPartial: group.isPartial,
        name: rowName(row, conditionLabel(condition, tested)),
        ...groupFacts(group),
      };
    }
  }
}

function rowName(row: ScenarioTally, label: string): string {
  const id = inline(row.scenario.id);
  return label === '' ? id : `${id} (${label})`;
}

function groupFacts(group: CellGroup): Pick<TableRow, 'rate' | 'interval' | 'note'> {
  const check = worstCheck(group);
  const { passed, of } = check ? checkRate(check.counts) : { passed: 0, of: 0 };
  const ended = group.cells.filter((cell) => cell.state !== 'waiting' && cell.state !== 'running').length;
  const why = groupReason(group);
  const notes = [
    group.isPartial && `${ended} of ${countOf(group.cells.length, 'trial')} so far`,
    why && inline(why.checkId === undefined ? why.reason : `${why.checkId}: ${why.reason}`),
  ];
  return {
    rate: of === 0 ? '-' : `${passed}/${of}`,
    interval: of === 0 ? '' : formatInterval(passed, of),
    note: notes.filter((note) => typeof note === 'string').join('   '),
  };
}

function tableLine(row: TableRow, widest: { name: number; rate: number }): string {
  const name = row.name + ' '.repeat(Math.max(0, widest.name - textWidth(row.name)));
  const cells = [verdictWord(row).padEnd(7), name, row.rate.padStart(widest.rate), row.interval.padEnd(9)];
  return `${cells.join('  ')}  ${row.note}`.trimEnd();
}

/** In small letters, as in the grid, while it may still change; in brackets where it counts for nothing. */
function verdictWord({ verdict, isPartial, isQuarantined }: TableRow): string {
  if (isQuarantined) return quarantinedWord(verdict);
  return isPartial ? verdict : verdict.toUpperCase();
}

function* factLines(tally: RunTally, decision: Decision, program: string): Generator<string> {
  const { trials, tokens, started } = tally;
  const graded = `${formatCount(trials.done)} of ${formatCount(trials.total)} done`;
  const errors = trials.errors > 0 ? `, ${countOf(trials.errors, 'error')}` : '';
  const time = tally.finishedAt === undefined ? '' : `, ${formatDuration(tally.activeMs)}`;
  yield `trials   ${graded}, coverage ${formatShare(decision.coverage)}${errors}${time}`;
  yield `agent    ${agentLedger(tokens)}`;
  if (tokens.user) yield `user     ${usageText(tokens.user)}`;
  if (tokens.judge.input > 0 || tokens.judge.output > 0) yield `judge    ${usageText(tokens.judge)}`;
  if (tally.retries.count > 0) yield `retries  ${retriesText(tally.retries)}`;
  if (decision.verdict === 'interrupted') {
    const again = started.regradeOf && `begin anew with: ${program} regrade ${started.regradeOf.runId}`;
    yield again ?? `go on with: ${program} run --resume ${started.runId}`;
  }
  yield `reopen with: ${program} show ${started.runId}`;
}

function retriesText({ count, last }: RunTally['retries']): string {
  const told = last ? `; the last was ${last.kind}: ${last.message}` : '';
  return inline(`${countOf(count, 'model request')} sent again${told}`);
}

function agentLedger({ agent, isAgentPartial }: RunTally['tokens']): string {
  if (!isAgentPartial) return usageText(agent);
  const isNothing = agent.input === 0 && agent.output === 0;
  return isNothing
    ? 'tokens unknown: the product reports none'
    : `${usageText(agent)}, and some not reported`;
}

/** Tokens of one ledger in a line. */
export function usageText(usage: Usage): string {
  const rate = cacheHitRate(usage);
  const parts = [
    `${formatCount(usage.input)} input`,
    `${formatCount(usage.output)} output`,
    `${formatCount(usage.cacheRead)} cache read`,
    `${formatCount(usage.cacheWrite)} cache written`,
    rate !== undefined && `cache ${formatShare(rate)}`,
    `effective input ${formatCount(effectiveInput(usage))}`,
  ];
  return `tokens ${parts.filter((part) => part !== false).join(', ')}`;
}

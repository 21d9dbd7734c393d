import type { Clock } from '../base/clock.js';
import { fitToWidth } from '../base/width.js';
import { candidateName } from '../bisect/candidate-prompt.js';
import type { BisectDriver } from '../bisect/driver.js';
import type { BisectRecord } from '../bisect/record.js';
import type { RecordedCell, RecordedTrial } from '../bisect/recorded-trials.js';
import { currentBudget, spentTrials } from '../bisect/session.js';
import type { BisectDecision, Watched } from '../run/bisect-events.js';
import { type RunEvent, type TrialKey, trialId } from '../run/events.js';
import { spoiltBy } from '../run/trial-taint.js';
import { beliefText, purposeText, watchedText } from './bisect-words.js';
import { countOf, formatCount, inline } from './format.js';
import { createLog } from './log.js';
import { isSimulatedRun, simulatedNotice, vendorNoticeOf } from './run-facts.js';

/** Trials between two lines of what is believed. */
const beliefEvery = 4;

/** Tells of a bisect in lines for logs: one a finished trial, in between what is believed. */
export interface BisectReporter {
  /** What is looked into, before anything is tried. */
  open(): void;
  /** Hears every event, after the record has taken it in. */
  hear(event: RunEvent): void;
}

export interface BisectReporterOptions {
  print(line: string): void;
  clock: Clock;
  record: BisectRecord;
  proposal: BisectDriver['proposal'];
}

export function createBisectReporter(options: BisectReporterOptions): BisectReporter {
  const { record, proposal } = options;
  const log = createLog(options);
  const { print } = log;
  /** Of conversations that are going on: why each check that does not pass failed. */
  const reasons = new Map<string, { check: string; verdict: string; reason: string }[]>();
  /** Trials that were told of. */
  const told = new Set<number>();
  let sinceBelief = 0;

  function tellTrial(key: TrialKey): void {
    const id = trialId(key);
    const trial = record.trials.findLast(({ cells }) => cells.some((cell) => trialId(cell.key) === id));
    if (!trial) return;
    if (trial.purpose.kind === 'suite') {
      const cell = trial.cells.find((one) => trialId(one.key) === id);
      if (cell && hasEnded(cell)) print(line(verdictOf(cell), trial, inline(key.scenario), [key]));
      return;
    }
    const outcome = record.outcomeOf(trial);
    if (outcome === undefined || told.has(trial.trial)) return;
    told.add(trial.trial);
    const keys = trial.cells.map((cell) => cell.key);
    const scenarios = inline([...new Set(keys.map(({ scenario }) => scenario))].join(', '));
    print(line(outcome, trial, scenarios, outcome === 'pass' ? [] : keys));
    for (const one of keys) reasons.delete(trialId(one));
    tellBelief(outcome === 'pass' || outcome === 'fail');
  }

  function tellBelief(isEvidence: boolean): void {
    if (!isEvidence || ++sinceBelief < beliefEvery) return;
    const { belief } = proposal();
    if (!belief) return;
    sinceBelief = 0;
    print(`believed ${beliefText(belief)}`);
  }

  function line(
    word: string,
    { trial, candidate, purpose }: RecordedTrial,
    scenarios: string,
    failed: readonly TrialKey[],
  ): string {
    const why = failed.map(whyOf).find((text) => text !== undefined);
    const facts = [inline(candidateName(record.planned, candidate)), purposeText(purpose), scenarios, why];
    return [`${word.toUpperCase().padEnd(8)} #${trial}`, ...facts.filter((fact) => fact !== undefined)].join(
      '  ',
    );
  }

  /** What makes a trial no evidence says most, then a watched check that failed, then any other. */
  function whyOf(key: TrialKey): string | undefined {
    const known = reasons.get(trialId(key));
    if (!known) return undefined;
    const watched = record.watched();
    const isWatched = ({ check }: { check: string }) =>
      watched.some((one) => one.scenario === key.scenario && (one.check ?? check) === check);
    const found =
      known.find(({ verdict }) => verdict === 'error') ??
      known.find((one) => one.verdict === 'fail' && isWatched(one)) ??
      known.find(isWatched);
    const shown = found ?? known[0];
    return shown && shorten(inline(shown.check === '' ? shown.reason : `${shown.check}: ${shown.reason}`));
  }

  function keepReason(id: string, reason: { check: string; verdict: string; reason: string }): void {
    reasons.set(id, [...(reasons.get(id) ?? []), reason]);
  }

  return {
    open() {
      for (const one of openingLines(record)) print(one);
    },
    hear(event) {
      switch (event.type) {
        case 'trial-started':
          reasons.delete(trialId(event.trial));
          log.progress(() => progressLine(record));
          break;
        case 'check-finished': {
          const { checkId, verdict, reason } = event.result;
          if (verdict !== 'pass') keepReason(trialId(event.trial), { check: checkId, verdict, reason });
          log.progress(() => progressLine(record));
          break;
        }
        case 'trial-finished':
          tellTrial(event.trial);
          break;
        case 'trial-errored': {
          const why = `${event.kind}: ${event.message}`;
          if (event.final) {
            keepReason(trialId(event.trial), { check: '', verdict: 'error', reason: why });
            tellTrial(event.trial);
          } else print(`retry    ${shorten(inline(`${event.trial.scenario}  ${why}`))}`);
          break;
        }
        case 'request-retried':
          log.retry(event);
          break;
        case 'bisect-decided':
          print(`said     ${decisionText(event.decision)}`);
          break;
        case 'run-resumed':
          print(`resumed  ${progressText(record)}`);
          break;
        case 'turn-finished': {
          const spoilt = spoiltBy(event);
          if (spoilt) {
            const reason = `${spoilt.kind}: ${spoilt.message}`;
            keepReason(trialId(event.trial), { check: '', verdict: 'error', reason });
          }
          log.progress(() => progressLine(record));
          break;
        }
        case 'reply-progress':
        case 'product-log':
          log.progress(() => progressLine(record));
          break;
        case 'run-started':
        case 'plan-extended':
        case 'condition-added':
        case 'bisect-found':
        case 'taint':
        case 'run-finished':
          break;
      }
    },
  };
}

/** Who is bisected, and by what. */
function* openingLines(record: BisectRecord): Generator<string> {
  const { started, planned, diff } = record;
  const { good, bad, of, strategy } = planned;
  const model = started.plan.conditions[1]?.model ?? '';
  const count = countOf(diff.hunks.length, planned.split);
  yield `bisect ${started.runId}   ${inline(started.suite)}   ${inline(`${good.name} → ${bad.name}`)}   ${count}   ${strategy}   ${inline(`seed ${started.seed}`)}`;
  yield inline(`  on ${model}`);
  const source = of === undefined ? '' : `   confirmed by run ${inline(of)}`;
  for (const one of record.watched()) yield `  watched  ${watchedText(one)}${source}`;
  if (isSimulatedRun(started)) yield `  ${simulatedNotice}`;
  const vendor = vendorNoticeOf(started);
  if (vendor) yield `  ${vendor.text}`;
}

function progressLine(record: BisectRecord): string {
  const trial = record.trials.findLast(({ cells }) => !cells.every(hasEnded));
  const on = trial ? `, ${inline(candidateName(record.planned, trial.candidate))} in flight` : '';
  return `running  ${progressText(record)}${on}`;
}

function progressText(record: BisectRecord): string {
  const session = record.session();
  return `${formatCount(spentTrials(session))} of at most ${countOf(currentBudget(session), 'trial')} spent`;
}

function hasEnded({ state }: RecordedCell): boolean {
  return state === 'ended' || state === 'error';
}

function verdictOf({ state, checks }: RecordedCell): string {
  if (state === 'error') return 'error';
  const verdicts = [...checks.values()];
  return ['fail', 'unknown', 'warn'].find((one) => verdicts.some((verdict) => verdict === one)) ?? 'pass';
}

/** What was said, in a line. */
function decisionText(decision: BisectDecision): string {
  switch (decision.kind) {
    case 'accept':
    case 'skip':
      return `${decision.kind} hunk ${decision.hunk + 1}`;
    case 'override':
      return `hunk ${decision.hunk + 1} is ${decision.says}`;
    case 'note':
      return inline(`${decision.hunk === undefined ? '' : `hunk ${decision.hunk + 1}: `}${decision.text}`);
    case 'hand-over':
      return `go on with ${decision.to}`;
    case 'watch':
      return `watch ${listWatched(decision.watched)}`;
    case 'budget':
      return `a budget of ${countOf(decision.budget, 'trial')}`;
    case 'undo':
      return `undo ${countOf(decision.steps, 'step')}`;
  }
}

function listWatched(watched: readonly Watched[]): string {
  return watched.map(watchedText).join(', ');
}

const widestReason = 140;

function shorten(text: string): string {
  return text.length > widestReason ? fitToWidth(text, widestReason).trimEnd() : text;
}

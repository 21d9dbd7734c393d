import { textWidth } from '../base/width.js';
import type { RunEvent, TrialKey } from '../run/events.js';
import type { RunStarted } from '../run/reader.js';
import { activeTime } from '../tally/tally.js';
import type { Cell, RunTally } from '../tally/types.js';
import { closingLines } from './closing.js';
import { countOf, formatCount, formatDuration, formatTokens, inline } from './format.js';
import { createLog } from './log.js';
import { paceText } from './pace-text.js';
import { quarantinedWord } from './quarantine.js';
import type { Reporter, ReporterOptions } from './reporter.js';
import {
  conditionLabel,
  conditionTitle,
  isSimulatedRun,
  simulatedNotice,
  vendorNoticeOf,
} from './run-facts.js';

/**
 * Lines for logs: one when a run starts, one a finished trial, in between one that says how far it is when nothing
 * else was printed for a while, and a closing table.
 */
export function createPlainReporter(options: ReporterOptions): Reporter {
  const { clock, forLocale = (text) => text } = options;
  // In order all the same, and nothing here could go on faster by waiting.
  const log = createLog({ clock, print: (line) => void options.write(`${forLocale(line)}\n`) });
  const { print } = log;
  let runs = 0;

  return {
    waits(accounts) {
      if (log.isFresh()) return;
      const text = accounts
        .map((account) => paceText(account, clock.now()))
        .filter((part) => part !== undefined)
        .join(', ');
      if (text !== '') print(`waits    ${inline(text)}`);
    },
    hear({ event }, tally) {
      switch (event.type) {
        case 'run-started':
          if (runs++ > 0) print('');
          for (const line of openingLines(event)) print(line);
          break;
        case 'run-resumed':
          print(
            `resumed: ${formatCount(tally.trials.done)} of ${countOf(tally.trials.total, 'trial')} are done`,
          );
          break;
        case 'trial-finished':
        case 'trial-errored': {
          const line = trialLine(event, tally);
          if (line !== undefined) print(line);
          break;
        }
        case 'request-retried':
          log.retry(event);
          break;
        case 'plan-extended':
          print(
            `added    ${inline(event.scenario)}: trials ${event.from} to ${event.to}${addedTo(event, tally)}`,
          );
          break;
        case 'taint':
          print(`TAINTED  by ${event.kind}: ${inline(event.message)}`);
          break;
        case 'reply-progress':
        case 'trial-started':
        case 'turn-finished':
        case 'check-finished':
        case 'product-log':
          log.progress(() => progressLine(tally, clock.now()));
          break;
        case 'run-finished':
          break;
      }
    },
    async finishRun({ tally, decision, judgeNotes = [], comparison, bisects = [] }) {
      await options.write('\n');
      for (const line of closingLines(tally, decision, {
        program: options.program,
        judgeNotes,
        comparison,
        bisects,
      }))
        await options.write(`${forLocale(line)}\n`);
    },
    async finish() {},
  };
}

function* openingLines(started: RunStarted): Generator<string> {
  const { scenarios, conditions, repeat } = started.plan;
  const tried = conditions.filter(({ standby }) => standby !== true);
  const trials = scenarios.length * tried.length * repeat;
  yield `run ${started.runId}   ${inline(started.suite)}   ${countOf(trials, 'trial')}, ${started.concurrency} at once   ${inline(`seed ${started.seed}`)}`;
  for (const condition of conditions) {
    const role = condition.standby ? ', standing by to confirm' : '';
    yield `  ${conditionTitle(condition)}${role}`;
  }
  if (isSimulatedRun(started)) yield `  ${simulatedNotice}`;
  const vendor = vendorNoticeOf(started);
  if (vendor) yield `  ${vendor.text}`;
}

function trialLine(
  event: Extract<RunEvent, { type: 'trial-finished' | 'trial-errored' }>,
  tally: RunTally,
): string | undefined {
  const name = trialName(event.trial, tally);
  if (event.type === 'trial-errored' && !event.final) {
    return `retry    ${name}  ${event.kind}: ${inline(event.message)}`;
  }
  const cell = findCell(event.trial, tally);
  if (!cell || cell.state === 'waiting' || cell.state === 'running') return undefined;
  const facts = [
    cell.tokens && tokensText(cell.tokens),
    cell.ms !== undefined && formatDuration(cell.ms),
    cell.why !== undefined && whyOf(cell),
  ].filter((fact) => typeof fact === 'string');
  const isQuarantined = tally.rowById.get(event.trial.scenario)?.isQuarantined === true;
  const word = isQuarantined ? quarantinedWord(cell.state) : cell.state.toUpperCase();
  return [word.padEnd(7), name, ...facts].join('  ');
}

function tokensText({ agent, isAgentPartial }: NonNullable<Cell['tokens']>): string | undefined {
  const sum = agent.input + agent.output;
  if (!isAgentPartial) return `${formatTokens(sum)} tok`;
  return sum === 0 ? undefined : `over ${formatTokens(sum)} tok`;
}

function whyOf(cell: Cell): string {
  return inline(cell.worstCheck === undefined ? (cell.why ?? '') : `${cell.worstCheck}: ${cell.why}`);
}

/** Widest name of each run, worked out once. */
const nameWidths = new WeakMap<RunTally, number>();

function trialName(key: TrialKey, tally: RunTally): string {
  const total = tally.rowById.get(key.scenario)?.groups[0]?.cells.length ?? key.repeat;
  const condition = tally.conditions.find((candidate) => candidate.id === key.condition);
  const label = condition ? conditionLabel(condition, tally.conditions) : '';
  const name = inline(key.scenario);
  const padding = ' '.repeat(Math.max(0, widestName(tally) - textWidth(name)));
  return `${name}${padding}  #${key.repeat} of ${total}${label === '' ? '' : `  ${label}`}`;
}

/** The condition that trials were added to, where not to all. */
function addedTo({ condition: id }: { condition?: string }, { conditions }: RunTally): string {
  const condition = conditions.find((one) => one.id === id);
  const label = condition ? conditionLabel(condition, conditions) : '';
  return label === '' ? '' : `  ${label}`;
}

function widestName(tally: RunTally): number {
  let width = nameWidths.get(tally);
  if (width === undefined) {
    width = tally.rows.reduce((widest, row) => Math.max(widest, textWidth(inline(row.scenario.id))), 0);
    width = Math.min(width, 60);
    nameWidths.set(tally, width);
  }
  return width;
}

function findCell(key: TrialKey, tally: RunTally): Cell | undefined {
  const row = tally.rowById.get(key.scenario);
  return row?.groups.find((group) => group.condition === key.condition)?.cells[key.repeat - 1];
}

function progressLine(tally: RunTally, now: number): string {
  const { trials } = tally;
  const left = trials.total - trials.done;
  const parts = [`running  ${formatCount(trials.done)} of ${countOf(trials.total, 'trial')}`];
  if (trials.running > 0) parts.push(`${trials.running} in flight`);
  if (trials.done > 0 && left > 0) {
    parts.push(`about ${formatDuration((activeTime(tally, now) / trials.done) * left)} left`);
  }
  return parts.join(', ');
}

import { makeVisible } from '../base/text.js';
import type { TurnReview } from '../grade/review/types.js';
import type { CheckResult, Evidence } from '../grade/types.js';
import type { TrialEnd, Turn } from '../play/types.js';
import type { Condition } from '../run/planned.js';
import type { SavedReview } from '../run/reviews.js';
import type { TrialRecord } from '../run/types.js';
import type { ToolCall } from '../target/types.js';
import { cacheLine, formatDuration, formatTokens, inline } from './format.js';
import { conditionTitle, isSimulatedModel } from './run-facts.js';

export interface TranscriptHeading {
  condition: Condition;
  /** Trials of the scenario under this condition. */
  of: number;
  verdict: string;
  /** What the reviewer said of the conversation. */
  review?: SavedReview | undefined;
  /** How far the judge of a check, by its id, can be trusted; undefined where no judge is asked. */
  calibration?: (check: string) => string | undefined;
}

/** One trial as text: heading, checks with their reasons, and the conversation. Safe to print, one line at a time. */
export function* transcriptLines(record: TrialRecord, heading: TranscriptHeading): Generator<string> {
  const { key } = record;
  const model = conditionTitle(heading.condition);
  const simulated = isSimulatedModel(heading.condition.model) ? ' (simulated)' : '';
  yield `${inline(key.scenario)}   trial ${key.repeat} of ${heading.of}   ${model}${simulated}   ${heading.verdict}`;
  if (record.finished) {
    const { tokens, ms } = record.finished;
    const { agent, user } = tokens;
    yield `${formatTokens(agent.input + agent.output)} tokens, ${cacheLine(agent)}, ${formatDuration(ms)}${user ? `, ${formatTokens(user.input + user.output)} tokens of the simulated user` : ''}${record.attempt > 1 ? `, attempt ${record.attempt}` : ''}`;
  }
  if (record.error) yield `error (${inline(record.error.kind)}): ${inline(record.error.message)}`;
  if (record.results.length > 0) {
    yield '';
    for (const result of record.results) yield* checkLines(result, heading.calibration?.(result.checkId));
  }
  const { review } = heading;
  if (review) yield* reviewHead(review);
  for (const turn of record.turns) {
    yield* turnLines(turn);
    const said = review?.turns.find((one) => one.turn === turn.index);
    if (said) yield* remarkLines(said);
  }
  if (record.finished) {
    yield* endLines(record.finished.end);
    for (const message of record.finished.unsent) yield* speech('unsent', message);
  }
  if (record.log !== undefined) {
    yield '';
    yield 'the product said beside its replies';
    yield* speech('log', record.log);
  }
}

function* checkLines(result: CheckResult, calibration: string | undefined): Generator<string> {
  const score = result.score === undefined ? '' : `   ${result.score}/5`;
  const seen = (result.evidence ?? []).map(evidencePlace).join(', ');
  yield `${result.verdict.toUpperCase().padEnd(7)}  ${inline(result.checkId)}${score}${seen === '' ? '' : `   (${seen})`}`;
  if (result.verdict !== 'pass' || result.kind === 'judged') yield* block(result.reason, '         ');
  if (result.judge) yield `         judged by ${inline(`${result.judge.model} ${result.judge.prompt}`)}`;
  if (calibration !== undefined) yield `         judge ${inline(calibration)}`;
}

/** Who read the conversation, and what it says of the whole. */
function* reviewHead({ model, prompt, summary, unread }: SavedReview): Generator<string> {
  yield '';
  yield inline(`read by ${model} ${prompt}; part of no verdict`);
  if (unread) yield inline(`  the answer could not be read: ${unread.why}`);
  else yield* block(summary, '  ');
}

function* remarkLines({ right, missed, tooEarly }: TurnReview): Generator<string> {
  for (const text of right) yield* speech('right', text);
  for (const text of missed) yield* speech('missed', text);
  for (const text of tooEarly) yield* speech('early', text);
}

function evidencePlace(evidence: Evidence): string {
  return `turn ${evidence.turn}`;
}

function* turnLines(turn: Turn): Generator<string> {
  yield '';
  yield `turn ${turn.index}`;
  yield* speech(turn.simulated ? 'user (simulated)' : 'user', turn.message);
  for (const part of turn.reply.parts) {
    if (part.kind === 'text') yield* speech('agent', part.text);
    else yield* speech('tool', callText(part.call));
  }
  if (turn.reply.parts.length === 0) yield '  agent   (said nothing)';
  const { signals, suggestions } = turn.reply;
  if (signals) yield* speech('signals', signalsText(signals));
  if (suggestions?.length) yield* speech('offers', suggestions.map((one) => JSON.stringify(one)).join('  '));
  const { stop } = turn.reply;
  if (stop !== 'end' && stop !== 'tool-calls') yield `  stopped: ${stop}`;
}

/** `distress 6  category "refund"`: names with their values, as JSON where they are no numbers. */
export function signalsText(signals: NonNullable<Turn['reply']['signals']>): string {
  return Object.entries(signals)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join('  ');
}

function callText({ name, args, result, error, from }: ToolCall): string {
  const call = `${name}(${typeof args === 'string' ? args : JSON.stringify(args)})`;
  if (error !== undefined) return `${call} -> error: ${error}   ${from}`;
  return result === undefined ? `${call} -> no answer` : `${call} -> ${JSON.stringify(result)}   ${from}`;
}

function* endLines(end: TrialEnd): Generator<string> {
  switch (end.kind) {
    case 'completed':
      return;
    case 'turn-limit':
      yield '';
      yield `ended at the limit of ${end.maxTurns} turns`;
      return;
    case 'ended':
      yield '';
      yield `the product ended the session with its reply to turn ${end.turn}`;
      return;
    case 'no-fixture':
      yield '';
      yield `ended: no fixture answers ${inline(`${end.tool}(${end.args})`)}`;
      return;
  }
}

function speech(who: string, text: string): Generator<string> {
  return block(text, `  ${who.padEnd(6)}  `);
}

/**
 * A text of several lines after a prefix. Further lines stand behind a bar: a line of a model must never be the first
 * thing on a line of a log, where it could be taken for a command of whoever reads that log.
 */
function* block(text: string, prefix: string): Generator<string> {
  const bar = `${' '.repeat(prefix.length - 2)}│ `;
  let lead = prefix.trim() === '' ? bar : prefix;
  for (const line of makeVisible(text, { keepNewlines: true }).split('\n')) {
    yield `${lead}${line}`.trimEnd();
    lead = bar;
  }
}

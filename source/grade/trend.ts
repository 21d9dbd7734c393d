import { oneLine, quoteJson } from './quote.js';
import { listReadings, neverReported, type SignalReading } from './signal-values.js';
import { type Selection, undecided } from './turns.js';
import type { CheckOutcome } from './types.js';

/** Two names for each direction. */
export const trends = ['falling', 'rising', 'decreasing', 'increasing'] as const;

export interface TrendArgs {
  name: string;
  trend: (typeof trends)[number];
  /** At least this much; not set: any change. */
  min_change?: number | undefined;
}

/**
 * Whether the last number that was reported lies in the wanted direction of the first one, far enough. Turns
 * without a number are passed over; one number, or a value that is none, shows no trend.
 */
export function gradeTrend(
  args: TrendArgs,
  readings: readonly SignalReading[],
  selection: Selection,
): CheckOutcome {
  if (selection.open) return undecided(selection.open);
  const name = oneLine(args.name, 60);
  const reported = readings.filter(({ value }) => value !== undefined && value !== null);
  const evidence = reported.map(({ turn }) => ({ turn }));
  const odd = reported.find(({ value }) => typeof value !== 'number');
  if (odd)
    return {
      verdict: 'unknown',
      reason: `cannot be decided: ${name} is ${quoteJson(odd.value, 60)} in turn ${odd.turn}, which is no number`,
      evidence: [{ turn: odd.turn }],
    };
  const first = reported[0];
  const last = reported.at(-1);
  if (!first || !last) return { verdict: 'unknown', reason: neverReported(args.name, selection.turns) };
  if (first === last)
    return {
      verdict: 'unknown',
      reason: `cannot be decided: only turn ${first.turn} reports ${name}, and one value shows no trend`,
      evidence,
    };
  const isFalling = args.trend === 'falling' || args.trend === 'decreasing';
  const rise = Number(last.value) - Number(first.value);
  const change = isFalling ? -rise : rise;
  if (
    isEnough(change, args.min_change, Math.max(Math.abs(Number(first.value)), Math.abs(Number(last.value))))
  )
    return {
      verdict: 'pass',
      reason: `${name} ${isFalling ? 'fell' : 'rose'}: ${listReadings(reported)}`,
      evidence,
    };
  const by = args.min_change === undefined ? '' : ` by at least ${args.min_change}`;
  return {
    verdict: 'fail',
    reason: `expected ${name} to ${isFalling ? 'fall' : 'rise'}${by}, went from ${String(first.value)} to ${String(last.value)}: ${listReadings(reported)}`,
    evidence,
  };
}

/** 0.7 - 0.4 is a hair less than 0.3 in binary, and is 0.3 to whoever wrote the check. */
function isEnough(change: number, minChange: number | undefined, size: number): boolean {
  const hair = 1e-9 * Math.max(size, minChange ?? 0);
  return minChange === undefined ? change > hair : change >= minChange - hair;
}

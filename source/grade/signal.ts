import { z } from 'zod';
import { canonicalJson } from '../base/hash.js';
import type { Json } from '../base/json.js';
import { defineCheck } from './define.js';
import { oneLine, quoteJson } from './quote.js';
import { listReadings, neverReported, readSignal, type SignalReading } from './signal-values.js';
import { gradeTrend, trends } from './trend.js';
import { type Selection, selectTurns, undecided, untilTurn } from './turns.js';
import type { ArgumentMistake, CheckOutcome } from './types.js';

const argsSchema = z.strictObject({
  name: z.string().min(1).describe('Name of the signal.'),
  equals: z.json().optional().describe('The value is this one, as written: 7 is not "7".'),
  in: z.array(z.json()).min(1).optional().describe('The value is one of these.'),
  min: z.number().optional().describe('The value is a number, and at least this.'),
  max: z.number().optional().describe('The value is a number, and at most this.'),
  when: z
    .enum(['every', 'any', 'none', 'first', 'last', 'turn'])
    .optional()
    .describe(
      'In which of the turns: every one, at least one, none, the first or the last that reports the signal, or ' +
        'the one that `turn` names. Not given: every; any where `by_turn` is given.',
    ),
  turn: z
    .int()
    .min(1)
    .optional()
    .describe('The turn (from 1) that is looked at, with `when: turn` or alone.'),
  by_turn: z.int().min(1).optional().describe('Looks only at turns up to this one (from 1).'),
  trend: z
    .enum(trends)
    .optional()
    .describe(
      'Instead of a condition: the last number that is reported is lower (falling, decreasing) or higher ' +
        '(rising, increasing) than the first one.',
    ),
  min_change: z
    .number()
    .positive()
    .optional()
    .describe('With trend: by at least this much. Not given: any change; an equal value is none.'),
});
type Args = z.infer<typeof argsSchema>;

export const signal = defineCheck<Args>({
  type: 'signal',
  kind: 'hard',
  summary:
    'A value that the product reports with its turns (a score, a category) is what it should be, in every turn, in ' +
    'one, in none, or over the session.',
  schema: argsSchema,
  example: { name: 'distress', trend: 'falling', min_change: 2 },
  notes: [
    '**Missing values.** A violation that is seen decides. Otherwise `every` and `none` are unknown as soon as one ' +
      'turn does not report the signal, since it could be the one that matters; `any` fails when some turn reports ' +
      'the signal and none meets the condition; `first` and `last` mean the first and the last turn that reports ' +
      'it. Where no turn reports it the check is unknown. `null` is a value for `equals` and `in`, and a missing ' +
      'one where a number is needed.',
    '**Trend.** The last number is compared with the first; what lies between does not count, and turns without ' +
      'the signal are passed over. Equal numbers are no trend: the check fails. A single number shows no trend, ' +
      'nor does a value that is no number: the check is unknown.',
  ],
  defaultOn: 'replies',
  mainArgument: (args) => `${args.name} ${args.trend ?? whenOf(args)}`,
  validate: mistakes,
  grade(args, context, spec) {
    const selection = untilTurn(selectTurns(context.transcript, spec.on ?? 'replies'), args.by_turn);
    const readings = readSignal(selection.turns, args.name);
    if (args.trend !== undefined) return gradeTrend({ ...args, trend: args.trend }, readings, selection);
    return gradeCondition(args, readings, selection);
  },
});

function whenOf(args: Args): NonNullable<Args['when']> {
  if (args.when !== undefined) return args.when;
  if (args.turn !== undefined) return 'turn';
  return args.by_turn === undefined ? 'every' : 'any';
}

function gradeCondition(args: Args, readings: SignalReading[], selection: Selection): CheckOutcome {
  const reported = readings.filter((reading) => isReported(args, reading.value));
  const missing = readings.find((reading) => !isReported(args, reading.value));
  const right = reported.filter((reading) => meets(args, reading.value));
  const wrong = reported.filter((reading) => !meets(args, reading.value));
  const expected = `${oneLine(args.name, 60)} ${describeCondition(args)}`;
  const unknown = (): CheckOutcome => {
    if (selection.open) return undecided(selection.open);
    if (reported.length === 0 || !missing)
      return { verdict: 'unknown', reason: neverReported(args.name, selection.turns) };
    return {
      verdict: 'unknown',
      reason: `cannot be decided: turn ${missing.turn} does not report ${oneLine(args.name, 60)}`,
      evidence: [{ turn: missing.turn }],
    };
  };
  const pass = (seen: SignalReading[]): CheckOutcome => ({
    verdict: 'pass',
    reason: `${oneLine(args.name, 60)} was ${listReadings(seen)}`,
    evidence: seen.map(({ turn }) => ({ turn })),
  });
  const fail = (where: string, seen: SignalReading[]): CheckOutcome => ({
    verdict: 'fail',
    reason: `expected ${expected} ${where}, saw ${listReadings(seen)}`,
    evidence: seen.map(({ turn }) => ({ turn })),
  });
  const one = (reading: SignalReading | undefined, where: string): CheckOutcome => {
    if (!reading) return unknown();
    return meets(args, reading.value) ? pass([reading]) : fail(where, [reading]);
  };
  const when = whenOf(args);
  switch (when) {
    case 'every':
      if (wrong.length > 0) return fail('in every turn', wrong);
      return selection.open || missing || right.length === 0 ? unknown() : pass(right);
    case 'none':
      if (right.length > 0) return fail('in no turn', right);
      return selection.open || missing || wrong.length === 0 ? unknown() : pass(wrong);
    case 'any':
      if (right.length > 0) return pass(right);
      if (selection.open || wrong.length === 0) return unknown();
      return fail(
        args.by_turn === undefined ? 'in at least one turn' : `in a turn up to ${args.by_turn}`,
        wrong,
      );
    case 'first':
      return one(reported[0], 'in the first turn that reports it');
    case 'last':
      return one(selection.open ? undefined : reported.at(-1), 'in the last turn that reports it');
    case 'turn':
      return gradeTurn(args, readings, selection, one);
  }
}

function gradeTurn(
  args: Args,
  readings: SignalReading[],
  selection: Selection,
  one: (reading: SignalReading, where: string) => CheckOutcome,
): CheckOutcome {
  const at = `turn ${args.turn}`;
  const reading = readings.find(({ turn }) => turn === args.turn);
  if (!reading) {
    if (selection.open) return undecided(selection.open);
    return { verdict: 'unknown', reason: `cannot be decided: ${at} is none of the turns that are read` };
  }
  if (isReported(args, reading.value)) return one(reading, `in ${at}`);
  return {
    verdict: 'unknown',
    reason: `cannot be decided: ${at} does not report ${oneLine(args.name, 60)}`,
    evidence: [{ turn: reading.turn }],
  };
}

/** Whether there is a value to compare: null is none where a number is needed. */
function isReported(args: Args, value: Json | undefined): boolean {
  if (value === undefined) return false;
  return value !== null || (args.min === undefined && args.max === undefined);
}

function meets(args: Args, value: Json | undefined): boolean {
  if (value === undefined) return false;
  const isSame = (other: Json) => canonicalJson(other) === canonicalJson(value);
  if (args.equals !== undefined && !isSame(args.equals)) return false;
  if (args.in !== undefined && !args.in.some(isSame)) return false;
  if (args.min === undefined && args.max === undefined) return true;
  return (
    typeof value === 'number' &&
    value >= (args.min ?? Number.NEGATIVE_INFINITY) &&
    value <= (args.max ?? Number.POSITIVE_INFINITY)
  );
}

function describeCondition(args: Args): string {
  const parts: string[] = [];
  if (args.equals !== undefined) parts.push(`to be ${quoteJson(args.equals, 80)}`);
  if (args.in !== undefined) parts.push(`to be one of ${quoteJson(args.in, 80)}`);
  if (args.min !== undefined && args.max !== undefined) parts.push(`to be ${args.min} to ${args.max}`);
  else if (args.min !== undefined) parts.push(`to be at least ${args.min}`);
  else if (args.max !== undefined) parts.push(`to be at most ${args.max}`);
  return parts.join(' and ');
}

function mistakes(args: Args): ArgumentMistake[] {
  const found: ArgumentMistake[] = [];
  const conditions = (['equals', 'in', 'min', 'max'] as const).filter((key) => args[key] !== undefined);
  if (args.trend === undefined && conditions.length === 0)
    found.push({ path: [], message: 'needs equals, in, min, max or trend: what is expected of the signal' });
  if (args.min !== undefined && args.max !== undefined && args.min > args.max)
    found.push({ path: ['min'], message: `no number is at least ${args.min} and at most ${args.max}` });
  if (args.trend !== undefined) {
    const others = [...conditions, ...(['when', 'turn'] as const).filter((key) => args[key] !== undefined)];
    for (const key of others)
      found.push({ path: [key], message: 'a trend is over all turns: use two checks for a condition too' });
    return found;
  }
  if (args.min_change !== undefined)
    found.push({ path: ['min_change'], message: 'goes with trend, which is not given' });
  if (args.when === 'turn' && args.turn === undefined)
    found.push({ path: ['when'], message: 'needs turn: the number of the turn, from 1' });
  if (args.turn !== undefined && whenOf(args) !== 'turn')
    found.push({ path: ['turn'], message: `names one turn, yet when is ${whenOf(args)}` });
  if (args.turn !== undefined && args.by_turn !== undefined)
    found.push({ path: ['by_turn'], message: 'give either turn or by_turn' });
  return found;
}

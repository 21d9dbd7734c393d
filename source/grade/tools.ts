import { z } from 'zod';
import { defineCheck } from './define.js';
import { argumentMistakes, describeDifference, firstArgumentDifference } from './match.js';
import { counted, listed, oneLine, quoteCall, quoteJson } from './quote.js';
import {
  callsOf,
  evidenceOf,
  isEmptyReply,
  nothingToRead,
  type PlacedCall,
  type Selection,
  selectTurns,
  stopNote,
  undecided,
  untilTurn,
} from './turns.js';
import type { CheckOutcome } from './types.js';

const toolName = z.string().min(1).describe('Name of the tool.');
const toolArguments = z
  .record(z.string(), z.json())
  .optional()
  .describe(
    'Arguments that must match, each as given: objects by the members given, arrays in order and whole, ' +
      '7 is not "7". `{any: [...]}`, `{min, max}` and `{pattern: RE2}` stand for values.',
  );

const calledSchema = z.strictObject({
  tool: toolName,
  args: toolArguments,
  times: z
    .union([
      z.int().min(1),
      z.strictObject({ min: z.int().min(1).optional(), max: z.int().min(1).optional() }),
    ])
    .optional()
    .describe('How often: a number, or `{min, max}`. Not given: at least once.'),
  by_turn: z.int().min(1).optional().describe('Counts only calls up to this turn (from 1).'),
});
type CalledArgs = z.infer<typeof calledSchema>;

export const toolCalled = defineCheck<CalledArgs>({
  type: 'tool_called',
  kind: 'hard',
  summary: 'The agent called a tool, with the arguments that are given, as often as is said.',
  schema: calledSchema,
  example: { tool: 'refund_order', args: { amount: { max: 50 } }, times: 1 },
  defaultOn: 'replies',
  mainArgument: (args) => args.tool,
  validate(args) {
    const mistakes = argumentMistakes(args.args ?? {}, ['args']);
    const { least, most } = timesOf(args);
    if (least > most)
      mistakes.push({ path: ['times'], message: `no number is at least ${least} and at most ${most}` });
    return mistakes;
  },
  grade(args, context, spec) {
    const selection = untilTurn(selectTurns(context.transcript, spec.on ?? 'replies'), args.by_turn);
    const all = callsOf(selection.turns);
    const matching = all.filter(
      (placed) => placed.call.name === args.tool && differenceOf(args, placed) === undefined,
    );
    const { least, most } = timesOf(args);
    const evidence = matching.map(evidenceOf);
    const seen = `${shortName(args.tool)} was called ${timesWord(matching.length)}${args.args ? ' with these arguments' : ''}`;
    if (matching.length > most)
      return { verdict: 'fail', reason: `expected ${expectedTimes(least, most)}, ${seen}`, evidence };
    if (matching.length < least) {
      if (selection.open) return undecided(selection.open);
      return matching.length === 0
        ? neverCalled(args, all, selection)
        : { verdict: 'fail', reason: `expected ${expectedTimes(least, most)}, ${seen}`, evidence };
    }
    if (selection.open && most !== Number.POSITIVE_INFINITY) return undecided(selection.open);
    // That it was not called more often is an absence.
    const note = most === Number.POSITIVE_INFINITY ? '' : stopNote(selection.turns);
    return { verdict: 'pass', reason: `${seen}${inTurns(matching)}${note}`, evidence };
  },
});

function neverCalled(args: CalledArgs, all: readonly PlacedCall[], selection: Selection): CheckOutcome {
  const deadline = args.by_turn === undefined ? '' : ` by turn ${args.by_turn}`;
  const note = stopNote(selection.turns);
  // The last call of the tool is the one where a retrying agent came closest.
  const near = all.findLast((placed) => placed.call.name === args.tool);
  const difference = near && differenceOf(args, near);
  if (near && difference)
    return {
      verdict: 'fail',
      reason: `${shortName(args.tool)} was called with other arguments${deadline}: ${difference}; last call: ${quoteCall(near.call.name, near.call.args)}${note}`,
      evidence: [evidenceOf(near)],
    };
  return {
    verdict: 'fail',
    reason: `${shortName(args.tool)} was never called${deadline}; ${othersCalled(all)}${note}`,
  };
}

/** What differs between the arguments that were given and those of a call; undefined when they match. */
function differenceOf(args: { args?: CalledArgs['args'] }, placed: PlacedCall): string | undefined {
  if (!args.args) return undefined;
  const actual = placed.call.args;
  if (typeof actual === 'string') return 'the arguments are no JSON object';
  const difference = firstArgumentDifference(args.args, actual);
  return difference && describeDifference(difference);
}

function timesOf(args: CalledArgs): { least: number; most: number } {
  if (typeof args.times === 'number') return { least: args.times, most: args.times };
  return { least: args.times?.min ?? 1, most: args.times?.max ?? Number.POSITIVE_INFINITY };
}

function expectedTimes(least: number, most: number): string {
  if (least === most) return counted(least, 'call');
  return most === Number.POSITIVE_INFINITY
    ? `at least ${counted(least, 'call')}`
    : `${least} to ${counted(most, 'call')}`;
}

function timesWord(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

function inTurns(calls: readonly PlacedCall[]): string {
  const turns = [...new Set(calls.map((placed) => placed.turn.index))];
  return ` in turn${turns.length === 1 ? '' : 's'} ${listed(turns.map(String))}`;
}

function othersCalled(all: readonly PlacedCall[]): string {
  const names = [...new Set(all.map((placed) => placed.call.name))];
  return names.length === 0 ? 'no tool was called' : `called instead: ${listed(names.map(shortName))}`;
}

const notCalledSchema = z.strictObject({ tool: toolName, args: toolArguments });
type NotCalledArgs = z.infer<typeof notCalledSchema>;

export const toolNotCalled = defineCheck<NotCalledArgs>({
  type: 'tool_not_called',
  kind: 'hard',
  summary: 'The agent did not call a tool; with `args`: not with these arguments.',
  schema: notCalledSchema,
  example: { tool: 'cancel_order' },
  defaultOn: 'replies',
  absoluteByDefault: true,
  mainArgument: (args) => args.tool,
  validate: (args) => argumentMistakes(args.args ?? {}, ['args']),
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const calls = callsOf(selection.turns).filter((placed) => placed.call.name === args.tool);
    const forbidden = calls.filter((placed) => differenceOf(args, placed) === undefined);
    const [first] = forbidden;
    if (first)
      return {
        verdict: 'fail',
        reason: `expected no call of ${shortName(args.tool)}${args.args ? ` with ${quoteJson(args.args, 80)}` : ''}, saw ${quoteCall(first.call.name, first.call.args)}${inTurns(forbidden)}`,
        evidence: forbidden.map(evidenceOf),
      };
    if (selection.open) return undecided(selection.open);
    // What such a call was meant to do cannot be read, so it is no proof that the forbidden thing was not tried.
    const unreadable = calls.find((placed) => typeof placed.call.args === 'string');
    if (unreadable)
      return {
        verdict: 'unknown',
        reason: `cannot be decided: the arguments are no JSON object in ${quoteCall(args.tool, unreadable.call.args)}`,
        evidence: [evidenceOf(unreadable)],
      };
    const empty = selection.turns.find(isEmptyReply);
    if (empty) return nothingToRead(empty);
    return {
      verdict: 'pass',
      reason: `${shortName(args.tool)} was not called${args.args && calls.length > 0 ? ' with these arguments' : ''}${stopNote(selection.turns)}`,
    };
  },
});

const orderSchema = z.strictObject({
  tools: z.array(toolName).min(1).describe('Names of tools, in the order in which they are to be called.'),
  exact: z
    .boolean()
    .default(false)
    .describe('true: these calls and no others. Otherwise other calls may stand between them.'),
});
type OrderArgs = z.infer<typeof orderSchema>;

export const toolOrder = defineCheck<OrderArgs>({
  type: 'tool_order',
  kind: 'hard',
  summary: 'The agent called tools in this order.',
  schema: orderSchema,
  example: { tools: ['get_order', 'refund_order'] },
  defaultOn: 'replies',
  mainArgument: (args) => args.tools.join(' '),
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    const calls = callsOf(selection.turns);
    return args.exact
      ? gradeExact(args.tools, calls, selection)
      : gradeSubsequence(args.tools, calls, selection);
  },
});

function gradeSubsequence(
  tools: readonly string[],
  calls: readonly PlacedCall[],
  selection: Selection,
): CheckOutcome {
  const found: PlacedCall[] = [];
  for (const placed of calls) if (placed.call.name === tools[found.length]) found.push(placed);
  const evidence = found.map(evidenceOf);
  if (found.length === tools.length)
    return { verdict: 'pass', reason: `called in this order: ${arrows(tools)}`, evidence };
  if (selection.open) return undecided(selection.open);
  const missing = shortName(tools[found.length] ?? '');
  const where =
    found.length === 0 ? 'was never called' : `was not called after ${arrows(tools.slice(0, found.length))}`;
  return {
    verdict: 'fail',
    reason: `expected ${arrows(tools)}: ${missing} ${where}; ${sawCalls(calls)}${stopNote(selection.turns)}`,
    evidence,
  };
}

function gradeExact(
  tools: readonly string[],
  calls: readonly PlacedCall[],
  selection: Selection,
): CheckOutcome {
  const wrong = calls.find((placed, index) => placed.call.name !== tools[index]);
  if (wrong)
    return {
      verdict: 'fail',
      reason: `expected exactly ${arrows(tools)}; ${sawCalls(calls)}`,
      evidence: [evidenceOf(wrong)],
    };
  if (selection.open) return undecided(selection.open);
  if (calls.length < tools.length)
    return {
      verdict: 'fail',
      reason: `expected exactly ${arrows(tools)}; ${sawCalls(calls)}${stopNote(selection.turns)}`,
    };
  return {
    verdict: 'pass',
    reason: `called exactly ${arrows(tools)}${stopNote(selection.turns)}`,
    evidence: calls.map(evidenceOf),
  };
}

/** A model may call a tool by any text at all. */
function shortName(name: string): string {
  return oneLine(name, 60);
}

function arrows(names: readonly string[]): string {
  const most = 8;
  const shown = names.slice(0, most).map(shortName).join(' → ');
  return names.length > most ? `${shown} → … (${names.length} in all)` : shown;
}

function sawCalls(calls: readonly PlacedCall[]): string {
  return calls.length === 0 ? 'no tool was called' : `saw ${arrows(calls.map((placed) => placed.call.name))}`;
}

import { z } from 'zod';
import type { JsonObject } from '../base/json.js';
import type { Turn } from '../play/types.js';
import { compareActions, type ExpectedAction, isPartOf, type SeenAction } from './action-compare.js';
import { type Reading, readJsonActions, readToolActions } from './action-read.js';
import { defineCheck } from './define.js';
import { noJson } from './json-fields.js';
import { findPathMistake, lastJsonReply } from './json-reply.js';
import { argumentMistakes } from './match.js';
import { listed, quoteCall } from './quote.js';
import { isEmptyReply, nothingToRead, type Selection, selectTurns, stopNote, undecided } from './turns.js';
import type { ArgumentMistake, CheckOutcome } from './types.js';

const actionType = z
  .string()
  .min(1)
  .nullable()
  .optional()
  .describe('Type of the expected action; with `from: tool` the name of the tool.');
const fields = z
  .record(z.string(), z.json())
  .optional()
  .describe('Expected fields; null: the field is not to be there. How values are compared: `match`.');

const argsSchema = z.strictObject({
  from: z
    .enum(['json', 'tool'])
    .default('json')
    .describe(
      'Where the actions are: in the last reply that is JSON, or in the tool calls (name and arguments).',
    ),
  noop: z.boolean().optional().describe('true: nothing is to be done. Otherwise an action is expected.'),
  action_type: actionType,
  fields,
  actions: z
    .array(z.strictObject({ action_type: actionType, fields }))
    .optional()
    .describe(
      'Several expected actions, as a set: their order does not count, each one is needed, no other is allowed.',
    ),
  match: z
    .enum(['presence', 'normalised', 'exact'])
    .default('presence')
    .describe(
      'presence: an expected field is there and says something. normalised: letter case, white space and the ' +
        'written form of numbers, amounts and dates do not count. exact: as written.',
    ),
  paths: z
    .strictObject({
      several: z.string().min(1).default('$.actions').describe('The list of actions.'),
      action_type: z
        .string()
        .min(1)
        .default('$.action_type')
        .describe('In an action, or in the reply where there is no list.'),
      noop: z
        .string()
        .min(1)
        .default('$.noop')
        .describe('true where the reply says that nothing is to be done.'),
      fields: z
        .string()
        .min(1)
        .default('$.fields')
        .describe('In an action, or in the reply where there is no list.'),
    })
    .prefault({})
    .describe('Where things stand in a JSON reply (JSONPath).'),
});
type Args = z.infer<typeof argsSchema>;

export const action = defineCheck<Args>({
  type: 'action',
  kind: 'hard',
  summary:
    'The agent decided on the right action, or on none, with the right fields: three axes in one check.',
  schema: argsSchema,
  example: { action_type: 'cancel_booking', fields: { booking: 'HT9921' }, match: 'normalised' },
  defaultOn: 'replies',
  mainArgument(args) {
    const expected = expectationOf(args);
    if (expected.noop) return 'noop';
    return (expected.actions ?? []).map((one) => one.type ?? 'fields').join(' ') || 'any action';
  },
  validate: mistakes,
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    return args.from === 'tool' ? gradeTools(args, selection) : gradeJson(args, selection);
  },
});

interface Expectation {
  noop: boolean;
  /** Not set: none is expected, or any will do. */
  actions: ExpectedAction[] | undefined;
}

function expectationOf(args: Args): Expectation {
  const single = args.action_type != null || args.fields !== undefined;
  const listedActions =
    args.actions ?? (single ? [{ action_type: args.action_type, fields: args.fields }] : undefined);
  const noop = args.noop ?? listedActions?.length === 0;
  const actions = listedActions?.map((one) => ({
    type: one.action_type ?? undefined,
    fields: one.fields ?? {},
  }));
  return { noop, actions: noop ? undefined : actions };
}

function gradeJson(args: Args, selection: Selection): CheckOutcome {
  // Which reply is the last one that is JSON is not known before the end.
  if (selection.open) return undecided(selection.open);
  const expected = expectationOf(args);
  const reply = lastJsonReply(selection.turns);
  if (!reply) return { ...noJson(selection.turns), axes: allWrong(expected) };
  const outcome = compare(expected, readJsonActions(reply.value, args.paths), args.match);
  return { ...withStopNote(outcome, [reply.turn]), evidence: [reply.evidence] };
}

function gradeTools(args: Args, selection: Selection): CheckOutcome {
  const expected = expectationOf(args);
  const { evidence, ...reading } = readToolActions(selection.turns);
  const outcome = compare(expected, reading, args.match);
  const isSettled = isSettledBy(reading.actions, expected, args.match);
  if (selection.open) return isSettled ? { ...outcome, evidence } : undecided(selection.open);
  const empty = selection.turns.find(isEmptyReply);
  if (empty && outcome.verdict === 'pass' && !isSettled) return nothingToRead(empty);
  return { ...withStopNote(outcome, selection.turns), evidence };
}

/** Whether actions that are still to come, or could not be seen, could not change the verdict. */
function isSettledBy(seen: readonly SeenAction[], expected: Expectation, match: Args['match']): boolean {
  return expected.actions ? !isPartOf(seen, expected.actions, match) : seen.length > 0;
}

function withStopNote(outcome: CheckOutcome, turns: readonly Turn[]): CheckOutcome {
  return outcome.verdict === 'fail' ? { ...outcome, reason: `${outcome.reason}${stopNote(turns)}` } : outcome;
}

function compare(expected: Expectation, reading: Reading, match: Args['match']): CheckOutcome {
  const saw = sawActions(reading);
  const noopRight = expected.noop ? reading.noop === 'yes' : reading.noop === 'no';
  const axes: Record<string, number> = { noop: Number(noopRight) };
  if (!expected.actions) {
    if (noopRight) return { verdict: 'pass', reason: `saw ${saw}`, axes };
    return {
      verdict: 'fail',
      reason: `expected ${expected.noop ? 'no action' : 'an action'}, saw ${saw}`,
      axes,
    };
  }
  const result = compareActions(expected.actions, reading.actions, match);
  if (expected.actions.some((one) => one.type !== undefined)) axes.action_type = result.typeShare;
  if (result.fieldShare !== undefined) axes.fields = result.fieldShare;
  // Where no action is missing or wrong the reply still may have said that there is none.
  const problems = noopRight || result.problems.length > 0 ? result.problems : [`saw ${saw}`];
  return problems.length === 0
    ? { verdict: 'pass', reason: `saw ${saw}`, axes }
    : { verdict: 'fail', reason: `${shortList(problems)}${result.isShort ? `; saw ${saw}` : ''}`, axes };
}

function allWrong(expected: Expectation): Record<string, number> {
  const axes: Record<string, number> = { noop: 0 };
  if (expected.actions?.some((one) => one.type !== undefined)) axes.action_type = 0;
  if (expected.actions?.some((one) => Object.keys(one.fields).length > 0)) axes.fields = 0;
  return axes;
}

function shortList(problems: readonly string[]): string {
  const most = 3;
  const more = problems.length > most ? `; and ${problems.length - most} more` : '';
  return `${problems.slice(0, most).join('; ')}${more}`;
}

function sawActions(reading: Reading): string {
  switch (reading.noop) {
    case 'yes':
      return 'no action';
    case 'unsaid':
      return 'a reply that names neither an action nor a no-op';
    case 'both':
      return `a no-op and yet ${describe(reading.actions)}`;
    default:
      return describe(reading.actions);
  }
}

function describe(actions: readonly SeenAction[]): string {
  return listed(
    actions.slice(0, 20).map((one) => quoteCall(one.type ?? 'an action without a type', one.fields, 80)),
    3,
  );
}

function mistakes(args: Args): ArgumentMistake[] {
  const found: ArgumentMistake[] = [];
  const expected = expectationOf(args);
  const single = args.action_type != null || args.fields !== undefined;
  if (args.noop === undefined && args.actions === undefined && !single)
    found.push({ path: [], message: 'needs noop, action_type, fields or actions: what is expected' });
  if (args.actions !== undefined && single)
    found.push({ path: ['actions'], message: 'give either actions, or action_type and fields for one' });
  const hasFields = args.fields !== undefined && Object.keys(args.fields).length > 0;
  if (args.noop === true && (args.action_type != null || hasFields || (args.actions?.length ?? 0) > 0))
    found.push({ path: ['noop'], message: 'noop: true expects no action, yet an action is expected too' });
  if (args.noop === false && args.actions?.length === 0)
    found.push({ path: ['actions'], message: 'noop: false expects an action, yet the list is empty' });
  for (const [name, path] of Object.entries(args.paths)) {
    const mistake = findPathMistake(path);
    if (mistake) found.push({ path: ['paths', name], message: mistake });
  }
  if (args.match !== 'presence' && !expected.noop) {
    found.push(...fieldMistakes(args.fields, ['fields']));
    for (const [index, one] of (args.actions ?? []).entries())
      found.push(...fieldMistakes(one.fields, ['actions', index, 'fields']));
  }
  return found;
}

function fieldMistakes(expected: JsonObject | undefined, path: (string | number)[]): ArgumentMistake[] {
  return expected ? argumentMistakes(expected, path) : [];
}

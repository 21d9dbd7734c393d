import { z } from 'zod';
import { canonicalJson } from '../base/hash.js';
import type { Json } from '../base/json.js';
import type { Turn } from '../play/types.js';
import { defineCheck } from './define.js';
import { findPathMistake, isPresent, type JsonReply, lastJsonReply, selectValues } from './json-reply.js';
import { normalisedEqual } from './normalise.js';
import { listed, quoteJson } from './quote.js';
import { quoteReplies, type Selection, selectTurns, stopNote, undecided } from './turns.js';
import type { ArgumentMistake, CheckOutcome } from './types.js';

const path = z
  .string()
  .min(1)
  .describe('JSONPath (RFC 9535) into the reply read as JSON; of several replies the last one that is JSON.');

const equalsSchema = z.strictObject({
  path,
  value: z.json().describe('What at least one of the selected values has to be, objects and arrays whole.'),
  match: z
    .enum(['exact', 'normalised'])
    .default('exact')
    .describe(
      'normalised: letter case, white space and the written form of numbers, amounts and dates do not count.',
    ),
});
type EqualsArgs = z.infer<typeof equalsSchema>;

export const fieldEquals = defineCheck<EqualsArgs>({
  type: 'field_equals',
  kind: 'hard',
  summary: 'A field of a JSON reply has this value.',
  schema: equalsSchema,
  example: { path: '$.status', value: 'refunded' },
  defaultOn: 'replies',
  mainArgument: (args) => args.path,
  validate: pathMistakes,
  grade(args, context, spec) {
    return gradeField(args.path, selectTurns(context.transcript, spec.on ?? 'replies'), (values, reply) => {
      const same = args.match === 'normalised' ? normalisedEqual : exactlyEqual;
      if (values.some((value) => same(args.value, value)))
        return passed(`${args.path} is ${quoteJson(args.value, 80)}`, reply);
      return failed(
        `expected ${args.path} to be ${quoteJson(args.value, 80)}, saw ${sawValues(values, reply)}`,
        reply,
      );
    });
  },
});

const presentSchema = z.strictObject({ path });
type PresentArgs = z.infer<typeof presentSchema>;

export const fieldPresent = defineCheck<PresentArgs>({
  type: 'field_present',
  kind: 'hard',
  summary: 'A field of a JSON reply is there and says something: not null, not a blank text.',
  schema: presentSchema,
  example: { path: '$.order.id' },
  defaultOn: 'replies',
  mainArgument: (args) => args.path,
  validate: pathMistakes,
  grade(args, context, spec) {
    return gradeField(args.path, selectTurns(context.transcript, spec.on ?? 'replies'), (values, reply) => {
      const present = values.find(isPresent);
      return present === undefined
        ? failed(`expected ${args.path} to be there, saw ${sawValues(values, reply)}`, reply)
        : passed(`${args.path} is ${quoteJson(present, 80)}`, reply);
    });
  },
});

function gradeField(
  fieldPath: string,
  selection: Selection,
  grade: (values: Json[], reply: JsonReply) => CheckOutcome,
): CheckOutcome {
  // Which reply is the last one that is JSON is not known before the end.
  if (selection.open) return undecided(selection.open);
  const reply = lastJsonReply(selection.turns);
  return reply ? grade(selectValues(reply.value, fieldPath), reply) : noJson(selection.turns);
}

/** The outcome where a JSON reply was needed and none came. */
export function noJson(turns: readonly Turn[]): CheckOutcome {
  const last = turns.at(-1);
  return {
    verdict: 'fail',
    reason: `expected a reply in JSON, saw ${quoteReplies(turns)}${stopNote(turns)}`,
    evidence: last ? [{ turn: last.index }] : [],
  };
}

function passed(reason: string, reply: JsonReply): CheckOutcome {
  return { verdict: 'pass', reason, evidence: [reply.evidence] };
}

function failed(reason: string, reply: JsonReply): CheckOutcome {
  return { verdict: 'fail', reason, evidence: [reply.evidence] };
}

function sawValues(values: readonly Json[], reply: JsonReply): string {
  return values.length === 0
    ? `no such field in ${quoteJson(reply.value)}`
    : listed(
        values.slice(0, 20).map((value) => quoteJson(value, 80)),
        3,
      );
}

function exactlyEqual(expected: Json, actual: Json): boolean {
  return canonicalJson(expected) === canonicalJson(actual);
}

function pathMistakes(args: { path: string }): ArgumentMistake[] {
  const mistake = findPathMistake(args.path);
  return mistake ? [{ path: ['path'], message: mistake }] : [];
}

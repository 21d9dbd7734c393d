import { z } from 'zod';
import { canonicalJson } from '../base/hash.js';
import type { Json } from '../base/json.js';
import { defineCheck } from './define.js';
import { findPathMistake, readJsonReply, selectValues } from './json-reply.js';
import { normalisedBucket, normalisedEqual } from './normalise.js';
import { counted, oneLine, quoteJson } from './quote.js';
import { neverReported, readSignal } from './signal-values.js';
import { hasNoText, nothingToRead, type Selection, selectTurns, undecided } from './turns.js';
import type { ArgumentMistake, CheckOutcome, Evidence } from './types.js';

const argsSchema = z.strictObject({
  signal: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of a signal: no value comes in two turns. Where the value is a list, no item comes in it twice.',
    ),
  path: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Instead of signal: JSONPath (RFC 9535) into each reply read as JSON. What it selects in one reply, or the ' +
        'items of the one list that it selects.',
    ),
  match: z
    .enum(['exact', 'normalised'])
    .default('exact')
    .describe(
      'normalised: letter case, white space and the written form of numbers, amounts and dates do not count.',
    ),
});
type Args = z.infer<typeof argsSchema>;

export const noDuplicates = defineCheck<Args>({
  type: 'no_duplicates',
  kind: 'hard',
  summary: 'Nothing comes twice: among the values of a signal over the turns, or in a list of a JSON reply.',
  schema: argsSchema,
  example: { signal: 'exercise', match: 'normalised' },
  notes: [
    'Turns that do not report the signal, or report `null`, are passed over; where no turn reports it the check is ' +
      'unknown. With `path` it is unknown as soon as one reply is no JSON or has nothing at the path. A list of one ' +
      'item, and an empty list, hold no duplicates.',
  ],
  defaultOn: 'replies',
  mainArgument: (args) => args.signal ?? args.path ?? '',
  validate: mistakes,
  grade(args, context, spec) {
    const selection = selectTurns(context.transcript, spec.on ?? 'replies');
    return args.signal === undefined
      ? gradePath(args.path ?? '$', args.match, selection)
      : gradeSignal(args.signal, args.match, selection);
  },
});

/** A value, and where it stands. */
interface Item {
  value: Json;
  at: Evidence;
}

/** Things among which nothing may come twice. */
interface List {
  items: Item[];
  name: string;
}

function gradeSignal(name: string, match: Args['match'], selection: Selection): CheckOutcome {
  const values = readSignal(selection.turns, name).flatMap(({ turn, value }) =>
    value === undefined || value === null ? [] : [{ value, at: { turn } }],
  );
  const shown = oneLine(name, 60);
  const lists = values.flatMap(({ value, at }): List[] =>
    Array.isArray(value) ? [{ items: itemsOf(value, at), name: `${shown} of turn ${at.turn}` }] : [],
  );
  const single = { items: values.filter(({ value }) => !Array.isArray(value)), name: shown };
  const duplicate = firstDuplicate([...lists, single], match);
  if (duplicate) return duplicate;
  if (selection.open) return undecided(selection.open);
  if (values.length === 0) return { verdict: 'unknown', reason: neverReported(name, selection.turns) };
  return pass([...lists, single]);
}

function gradePath(path: string, match: Args['match'], selection: Selection): CheckOutcome {
  const lists: List[] = [];
  let unread: CheckOutcome | undefined;
  // A turn that a missing fixture broke off has no reply yet.
  for (const turn of selection.turns.filter(({ reply }) => reply.stop !== 'no-fixture')) {
    const reply = readJsonReply(turn);
    const values = reply ? selectValues(reply.value, path) : [];
    const [first] = values;
    if (!reply || first === undefined) {
      const why = reply ? `nothing stands at ${oneLine(path, 60)}` : 'the reply is no JSON';
      unread ??= hasNoText(turn)
        ? nothingToRead(turn)
        : {
            verdict: 'unknown',
            reason: `cannot be decided: ${why} in turn ${turn.index}`,
            evidence: [{ turn: turn.index }],
          };
      continue;
    }
    const items = values.length === 1 && Array.isArray(first) ? first : values;
    lists.push({ items: itemsOf(items, reply.evidence), name: `${oneLine(path, 60)} of turn ${turn.index}` });
  }
  const duplicate = firstDuplicate(lists, match);
  if (duplicate) return duplicate;
  if (selection.open) return undecided(selection.open);
  return (
    unread ?? (lists.length > 0 ? pass(lists) : { verdict: 'unknown', reason: 'there is no turn to read' })
  );
}

function itemsOf(values: readonly Json[], at: Evidence): Item[] {
  return values.map((value) => ({ value, at }));
}

function pass(lists: readonly List[]): CheckOutcome {
  const items = lists.flatMap((list) => list.items);
  return { verdict: 'pass', reason: `no duplicate among ${counted(items.length, 'value')}` };
}

function firstDuplicate(lists: readonly List[], match: Args['match']): CheckOutcome | undefined {
  for (const { items, name } of lists) {
    const pair = firstPair(items, match);
    if (!pair) continue;
    const [one, other] = pair;
    const isSameTurn = one.at.turn === other.at.turn;
    const where = isSameTurn ? '' : ` in turns ${one.at.turn} and ${other.at.turn}`;
    const also =
      canonicalJson(one.value) === canonicalJson(other.value) ? '' : ` and ${quoteJson(other.value, 80)}`;
    return {
      verdict: 'fail',
      reason: `expected no duplicate in ${name}, saw ${quoteJson(one.value, 80)}${also}${also === '' ? ' twice' : ''}${where}`,
      evidence: isSameTurn ? [one.at] : [one.at, other.at],
    };
  }
  return undefined;
}

function firstPair(items: readonly Item[], match: Args['match']): [Item, Item] | undefined {
  const seen = new Map<string, Item[]>();
  for (const item of items) {
    const key = match === 'exact' ? canonicalJson(item.value) : normalisedBucket(item.value);
    const alike = seen.get(key) ?? [];
    const other = alike.find((one) => match === 'exact' || normalisedEqual(one.value, item.value));
    if (other) return [other, item];
    alike.push(item);
    seen.set(key, alike);
  }
  return undefined;
}

function mistakes(args: Args): ArgumentMistake[] {
  if ((args.signal === undefined) === (args.path === undefined))
    return [{ path: [], message: 'needs either signal or path: where nothing may come twice' }];
  const mistake = args.path === undefined ? undefined : findPathMistake(args.path);
  return mistake ? [{ path: ['path'], message: mistake }] : [];
}

import { canonicalJson } from '../../../source/base/hash.js';
import { isJsonObject, type Json, type JsonObject } from '../../../source/base/json.js';
import type { AcceptedCall } from './read-data.js';

/** One call of a function. */
export interface WantedCall {
  name: string;
  args: JsonObject;
}

/**
 * The function's name and, for each argument, what is accepted. In some rows that is nothing at all where others
 * have `["", []]`, and the same is meant: an empty list, or no argument.
 */
export function callOf({ accepted }: AcceptedCall): { name: string; accepted: Record<string, Json[]> } {
  const [[name, args] = ['', {}]] = Object.entries(accepted);
  return {
    name,
    accepted: Object.fromEntries(
      Object.entries(args).map(([argument, values]) => [argument, values.length === 0 ? ['', []] : values]),
    ),
  };
}

/**
 * The arguments as a check expects them. The data's `""` among the accepted values means that the argument may be
 * left out; an accepted object has lists of accepted values for its members in turn.
 */
export function expectedArgs(accepted: Record<string, Json[]>): JsonObject {
  return Object.fromEntries(Object.entries(accepted).map(([name, values]) => [name, expectedValue(values)]));
}

function expectedValue(values: readonly Json[]): Json {
  const alternatives = values.map(expectedAlternative);
  return { any: values.includes('') ? [...alternatives, null] : alternatives };
}

function expectedAlternative(value: Json): Json {
  if (Array.isArray(value)) return value.map(expectedAlternative);
  return isJsonObject(value) ? expectedArgs(value as Record<string, Json[]>) : value;
}

/** A right answer: the first accepted value of each argument; `full` gives those too that may be left out. */
export function rightArgs(accepted: Record<string, Json[]>, full: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(accepted).flatMap(([name, values]) => {
      const given = values.filter((value) => value !== '');
      if (!full && values.includes('')) return [];
      const [first = ''] = given;
      return [[name, rightValue(first, full)]];
    }),
  );
}

function rightValue(value: Json, full: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => rightValue(item, full));
  return isJsonObject(value) ? rightArgs(value as Record<string, Json[]>, full) : value;
}

/** All ways to get one argument wrong, at any depth: another value, another type, or left out where it is needed. */
export function wrongArgs(
  args: JsonObject,
  accepted: Record<string, Json[]>,
): { what: string; args: JsonObject }[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const values = accepted[name] ?? [];
    const replaced = [...otherValues(value), ...inside(value, values)]
      .filter((other) => !values.some((one) => canonicalJson(rightValue(one, true)) === canonicalJson(other)))
      .map((other) => ({ what: `${name} = ${JSON.stringify(other)}`, args: { ...args, [name]: other } }));
    const { [name]: _left, ...rest } = args;
    return values.includes('') ? replaced : [...replaced, { what: `${name} left out`, args: rest }];
  });
}

function otherValues(value: Json): Json[] {
  if (typeof value === 'string') return [`${value} x`, { text: value }];
  if (typeof value === 'number') return [value + 1, String(value)];
  if (typeof value === 'boolean') return [!value, String(value)];
  if (Array.isArray(value)) return [[...value, 'x'], value.slice(1), value.toReversed()];
  return value === null ? ['null'] : [JSON.stringify(value)];
}

/** The same mutations one level down. */
function inside(value: Json, values: readonly Json[]): Json[] {
  const [accepted] = values.filter((one) => one !== '');
  if (isJsonObject(value) && isJsonObject(accepted))
    return wrongArgs(value, accepted as Record<string, Json[]>).map(({ args }) => args);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) =>
    isJsonObject(item) ? [] : otherValues(item).map((other) => value.with(index, other)),
  );
}

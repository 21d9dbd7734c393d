import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { compilePattern, findMistake } from './compiled-pattern.js';
import { oneLine, quoteJson } from './quote.js';
import type { ArgumentMistake } from './types.js';

/** Whether two values that are no containers count as the same. */
export type LeafEquality = (expected: Json, actual: Json) => boolean;

const sameLeaf: LeafEquality = (expected, actual) => expected === actual;

/** Where an actual value first differs from what was expected. */
export interface Difference {
  /** `address.city`, `items[2]`; empty for the value itself. */
  path: string;
  expected: Json;
  actual: Json | undefined;
}

/**
 * Compares a tool call's arguments with those that were given, each of which must match; `undefined` when all do.
 *
 * Objects match by the members given, arrays in order and whole, everything else as written: 7 is not "7".
 * Below the arguments `{any: [...]}` matches each of the alternatives (null among them also a member that is not
 * there), `{min, max}` a number in the range, `{pattern: RE2}` a text that has the pattern. Where the actual value is itself an object with those members,
 * reading them as plain members is allowed too, so that a tool may have an argument `{min: 1, max: 5}`.
 */
export function firstArgumentDifference(
  expected: JsonObject,
  actual: JsonObject,
  same: LeafEquality = sameLeaf,
): Difference | undefined {
  return memberDifference(expected, actual, '', same);
}

/** The same for one value of any kind. */
export function firstDifference(
  expected: Json,
  actual: Json | undefined,
  path = '',
  same: LeafEquality = sameLeaf,
): Difference | undefined {
  if (actual === undefined) return mayBeAbsent(expected) ? undefined : { path, expected, actual };
  if (isJsonObject(expected)) {
    if (matcherAccepts(expected, actual, same)) return undefined;
    return isJsonObject(actual) ? memberDifference(expected, actual, path, same) : { path, expected, actual };
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return { path, expected, actual };
    for (const [index, item] of expected.entries()) {
      const difference = firstDifference(item, actual[index], `${path}[${index}]`, same);
      if (difference) return difference;
    }
    return undefined;
  }
  const isLeaf = actual === null || typeof actual !== 'object';
  return isLeaf && same(expected, actual) ? undefined : { path, expected, actual };
}

function memberDifference(
  expected: JsonObject,
  actual: JsonObject,
  path: string,
  same: LeafEquality,
): Difference | undefined {
  for (const [key, value] of Object.entries(expected)) {
    const member = Object.hasOwn(actual, key) ? actual[key] : undefined;
    const difference = firstDifference(value, member, path === '' ? key : `${path}.${key}`, same);
    if (difference) return difference;
  }
  return undefined;
}

/** `amount: expected 10, saw 12` */
export function describeDifference(difference: Difference): string {
  const name = difference.path === '' ? '' : `${oneLine(difference.path, 80)}: `;
  return `${name}expected ${describeExpected(difference.expected)}, saw ${quoteJson(difference.actual, 80)}`;
}

function describeExpected(expected: Json): string {
  const matcher = readMatcher(expected);
  switch (matcher?.kind) {
    case 'any':
      return `one of ${quoteJson(matcher.alternatives, 80)}`;
    case 'range':
      if (matcher.min === undefined) return `at most ${matcher.max}`;
      return matcher.max === undefined ? `at least ${matcher.min}` : `${matcher.min} to ${matcher.max}`;
    case 'pattern':
      return `a text with ${quoteJson(matcher.pattern, 80)}`;
    default:
      return quoteJson(expected, 80);
  }
}

type Matcher =
  | { kind: 'any'; alternatives: Json[] }
  | { kind: 'range'; min: number | undefined; max: number | undefined }
  | { kind: 'pattern'; pattern: string };

function readMatcher(value: Json): Matcher | undefined {
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const { any, pattern, min, max } = value;
  if (keys.length === 1 && Array.isArray(any)) return { kind: 'any', alternatives: any };
  if (keys.length === 1 && typeof pattern === 'string') return { kind: 'pattern', pattern };
  const isRange =
    keys.length > 0 &&
    keys.every((key) => (key === 'min' || key === 'max') && typeof value[key] === 'number');
  if (!isRange) return undefined;
  return {
    kind: 'range',
    min: typeof min === 'number' ? min : undefined,
    max: typeof max === 'number' ? max : undefined,
  };
}

function matcherAccepts(expected: JsonObject, actual: Json, same: LeafEquality): boolean {
  const matcher = readMatcher(expected);
  switch (matcher?.kind) {
    case 'any':
      return matcher.alternatives.some((one) => firstDifference(one, actual, '', same) === undefined);
    case 'range':
      return (
        typeof actual === 'number' &&
        actual >= (matcher.min ?? Number.NEGATIVE_INFINITY) &&
        actual <= (matcher.max ?? Number.POSITIVE_INFINITY)
      );
    case 'pattern':
      return typeof actual === 'string' && compilePattern(matcher.pattern).matcher(actual).find();
    default:
      return false;
  }
}

/** An argument that need not be given: `{any: [24, null]}`. */
function mayBeAbsent(expected: Json): boolean {
  const matcher = readMatcher(expected);
  return matcher?.kind === 'any' && matcher.alternatives.includes(null);
}

/** Matchers in an expected value that can never match, with their paths below `path`. */
export function matcherMistakes(expected: Json, path: readonly (string | number)[]): ArgumentMistake[] {
  const matcher = readMatcher(expected);
  switch (matcher?.kind) {
    case 'any':
      if (matcher.alternatives.length === 0)
        return [{ path: [...path, 'any'], message: 'any needs at least one alternative' }];
      break;
    case 'range':
      if (matcher.min !== undefined && matcher.max !== undefined && matcher.min > matcher.max)
        return [
          { path: [...path], message: `no number is at least ${matcher.min} and at most ${matcher.max}` },
        ];
      break;
    case 'pattern': {
      const mistake = findMistake(matcher.pattern);
      return mistake ? [{ path: [...path, 'pattern'], message: mistake }] : [];
    }
  }
  if (Array.isArray(expected))
    return expected.flatMap((item, index) => matcherMistakes(item, [...path, index]));
  return isJsonObject(expected) ? argumentMistakes(expected, path) : [];
}

/** The same for the members of an object that is itself no matcher: the arguments of a tool call. */
export function argumentMistakes(
  expected: JsonObject,
  path: readonly (string | number)[],
): ArgumentMistake[] {
  return Object.entries(expected).flatMap(([key, value]) => matcherMistakes(value, [...path, key]));
}

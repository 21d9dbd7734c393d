import type { Json, JsonObject } from '../base/json.js';
import { assign } from './assign.js';
import { isPresent } from './json-reply.js';
import { describeDifference, firstDifference, type LeafEquality } from './match.js';
import { normalisedEqual } from './normalise.js';
import { oneLine, quoteCall } from './quote.js';

export interface ExpectedAction {
  /** Not set: any type. */
  type: string | undefined;
  /** null: the field is not to be there. */
  fields: JsonObject;
}

export interface SeenAction {
  /** Not set: it names none. */
  type: string | undefined;
  fields: JsonObject;
}

export type FieldMatch = 'presence' | 'normalised' | 'exact';

/** How expected and seen actions compare, as sets. */
export interface ActionComparison {
  /** Expected actions whose type was seen, as a share of all expected and all seen ones, 0 to 1. */
  typeShare: number;
  /** Share of expected fields that are right, 0 to 1; undefined when no field is expected. */
  fieldShare: number | undefined;
  /** What is wrong, in words; empty when all is right. */
  problems: string[];
  /** Expected actions are missing, and nothing was seen in their place that `problems` would show. */
  isShort: boolean;
}

/**
 * Pairs expected with seen actions of the same type: as many as possible, then with as many right fields as
 * possible, then with as few half-right pairs as possible. The order of either list does not count. Fields that are not expected are not looked at.
 */
export function compareActions(
  expected: readonly ExpectedAction[],
  seen: readonly SeenAction[],
  match: FieldMatch,
): ActionComparison {
  const fieldCount = expected.reduce((sum, one) => sum + Object.keys(one.fields).length, 0);
  // One more pair outweighs all fields together, and one more right field all pairs that are wholly right.
  const pairGain = fieldCount + 1;
  const unit = expected.length + 1;
  const pairs = assign(expected.length, seen.length, (row, column) => {
    const one = expected[row];
    const other = seen[column];
    if (!one || !other || !isSameType(one, other, match)) return 0;
    const wrong = wrongFields(one, other, match).length;
    return (pairGain + Object.keys(one.fields).length - wrong) * unit + (wrong === 0 ? 1 : 0);
  });
  const problems: string[] = [];
  let pairCount = 0;
  let wrongCount = 0;
  for (const [row, one] of expected.entries()) {
    const column = pairs[row];
    const other = column === undefined ? undefined : seen[column];
    if (!other) {
      problems.push(`expected ${oneLine(one.type ?? 'an action', 60)}, which is missing`);
      wrongCount += Object.keys(one.fields).length;
      continue;
    }
    pairCount++;
    const wrong = wrongFields(one, other, match);
    wrongCount += wrong.length;
    if (wrong.length > 0)
      problems.push(`${oneLine(one.type ?? other.type ?? 'action', 60)}: ${wrong.join(', ')}`);
  }
  const paired = new Set(pairs);
  const extra = seen.filter((_, column) => !paired.has(column));
  for (const one of extra)
    problems.push(
      `saw ${quoteCall(one.type ?? 'an action without a type', one.fields, 80)}, which is not expected`,
    );
  return {
    typeShare: pairCount / Math.max(expected.length, seen.length, 1),
    fieldShare: fieldCount > 0 ? (fieldCount - wrongCount) / fieldCount : undefined,
    problems,
    isShort: pairCount < expected.length && extra.length === 0,
  };
}

/** Whether each seen action is one that is expected and wholly right, so that further ones could complete the set. */
export function isPartOf(
  seen: readonly SeenAction[],
  expected: readonly ExpectedAction[],
  match: FieldMatch,
): boolean {
  const pairs = assign(expected.length, seen.length, (row, column) => {
    const one = expected[row];
    const other = seen[column];
    return one && other && isSameType(one, other, match) && wrongFields(one, other, match).length === 0
      ? 1
      : 0;
  });
  return pairs.filter((column) => column !== undefined).length === seen.length;
}

function isSameType(expected: ExpectedAction, seen: SeenAction, match: FieldMatch): boolean {
  if (expected.type === undefined || expected.type === seen.type) return true;
  return match === 'normalised' && seen.type !== undefined && normalisedEqual(expected.type, seen.type);
}

/** What is wrong with each field that is. */
function wrongFields(expected: ExpectedAction, seen: SeenAction, match: FieldMatch): string[] {
  return Object.entries(expected.fields).flatMap(([name, value]) => {
    const actual = Object.hasOwn(seen.fields, name) ? seen.fields[name] : undefined;
    const problem = fieldProblem(name, value, actual, match);
    return problem === undefined ? [] : [problem];
  });
}

function fieldProblem(
  name: string,
  expected: Json,
  actual: Json | undefined,
  match: FieldMatch,
): string | undefined {
  if (expected === null)
    return isPresent(actual) ? describeDifference({ path: name, expected, actual }) : undefined;
  if (match === 'presence') return isPresent(actual) ? undefined : `${oneLine(name, 60)} is missing`;
  const difference = firstDifference(
    expected,
    actual,
    name,
    match === 'normalised' ? normalisedEqual : sameLeaf,
  );
  return difference && describeDifference(difference);
}

const sameLeaf: LeafEquality = (expected, actual) => expected === actual;

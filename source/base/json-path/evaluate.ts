import type { RE2JS } from 're2js';
import { isJsonObject, type Json } from '../json.js';
import { isLess, isSame, type Step, textSteps } from './compare.js';
import { compileIRegexp, longestDataPattern } from './pattern.js';
import { JsonPathError, type Operand, type Query, type Segment, type Selector, type Test } from './types.js';

/** Values that one evaluation looks at; a path that wants more takes seconds and memory that a run needs. */
const mostSteps = 5_000_000;

/** What a part of a path that finds nothing is worth: not null. */
const nothing = Symbol('nothing');
type Found = Json | typeof nothing;

/**
 * All values that a path selects, in the order of RFC 9535. Throws JsonPathError when the path looks at more than
 * five million values on the way, where long texts and patterns count for several, and for a pattern out of the data
 * that is too long.
 */
export function evaluate(query: Query, root: Json): Json[] {
  let steps = 0;
  const patterns = new Map<string, RE2JS | undefined>();

  function step(count = 1): void {
    steps += count;
    if (steps > mostSteps) throw new JsonPathError('the path looks at too many values of so large an answer');
  }

  function follow({ from, segments }: Query, current: Json): Json[] {
    let values: Json[] = [from === 'root' ? root : current];
    for (const segment of segments) {
      const next: Json[] = [];
      for (const value of values) addSelected(next, segment, value);
      values = next;
    }
    return values;
  }

  function addSelected(found: Json[], { isDescendant, selectors }: Segment, value: Json): void {
    if (!isDescendant) {
      for (const selector of selectors) select(found, selector, value);
      return;
    }
    const open = [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const selector of selectors) select(found, selector, next);
      const children = childrenOf(next);
      for (let index = children.length - 1; index >= 0; index--) {
        const child = children[index];
        if (typeof child === 'object' && child !== null) open.push(child);
      }
      step();
    }
  }

  function select(found: Json[], selector: Selector, value: Json): void {
    step();
    switch (selector.kind) {
      case 'name':
        if (isJsonObject(value) && Object.hasOwn(value, selector.name))
          found.push(value[selector.name] as Json);
        break;
      case 'index': {
        const item = Array.isArray(value) ? value.at(selector.index) : undefined;
        if (item !== undefined) found.push(item);
        break;
      }
      case 'wildcard':
        for (const child of childrenOf(value)) {
          step();
          found.push(child);
        }
        break;
      case 'slice':
        if (Array.isArray(value)) {
          for (const item of sliceOf(value, selector.start, selector.end, selector.step)) {
            step();
            found.push(item);
          }
        }
        break;
      case 'filter':
        for (const child of childrenOf(value)) {
          step();
          if (holds(selector.test, child)) found.push(child);
        }
        break;
    }
  }

  function holds(test: Test, current: Json): boolean {
    switch (test.kind) {
      case 'or':
        return test.tests.some((one) => holds(one, current));
      case 'and':
        return test.tests.every((one) => holds(one, current));
      case 'not':
        return !holds(test.test, current);
      case 'exists':
        return follow(test.query, current).length > 0;
      case 'compare':
        return compares(
          operandValue(test.left, current),
          test.operator,
          operandValue(test.right, current),
          step,
        );
      case 'pattern':
        return matches(operandValue(test.value, current), operandValue(test.pattern, current), test.whole);
    }
  }

  function operandValue(operand: Operand, current: Json): Found {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'query':
        return onlyOf(follow(operand.query, current));
      case 'length':
        return lengthOf(operandValue(operand.of, current), step);
      case 'count':
        return follow(operand.query, current).length;
      case 'value':
        return onlyOf(follow(operand.query, current));
    }
  }

  function matches(value: Found, pattern: Found, whole: boolean): boolean {
    if (typeof value !== 'string' || typeof pattern !== 'string') return false;
    const compiled = patternOf(pattern);
    step(textSteps(value.length));
    return compiled !== undefined && (whole ? compiled.matches(value) : compiled.matcher(value).find());
  }

  /** Undefined for what is no pattern: out of data it matches nothing, as RFC 9535 says. */
  function patternOf(pattern: string): RE2JS | undefined {
    if (patterns.has(pattern)) return patterns.get(pattern);
    if (pattern.length > longestDataPattern)
      throw new JsonPathError(`a pattern out of the data is over ${longestDataPattern} characters long`);
    // The longest take milliseconds, and some short ones too, as x{1000}.
    step(longestDataPattern);
    let compiled: RE2JS | undefined;
    try {
      compiled = compileIRegexp(pattern);
    } catch {
      compiled = undefined;
    }
    // Patterns of the path are few; those out of data may be as many as values.
    if (patterns.size < 100) patterns.set(pattern, compiled);
    return compiled;
  }

  return follow(query, root);
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function* sliceOf(
  list: readonly Json[],
  start: number | undefined,
  end: number | undefined,
  step: number,
): Generator<Json> {
  const { length } = list;
  const from = (place: number) => (place >= 0 ? place : length + place);
  if (step > 0) {
    const last = Math.min(from(end ?? length), length);
    for (let index = Math.max(from(start ?? 0), 0); index < last; index += step) yield list[index] as Json;
  } else if (step < 0) {
    const last = end === undefined ? -1 : Math.max(from(end), -1);
    for (let index = Math.min(from(start ?? length - 1), length - 1); index > last; index += step)
      yield list[index] as Json;
  }
}

function onlyOf(values: readonly Json[]): Found {
  return values.length === 1 ? (values[0] ?? null) : nothing;
}

function lengthOf(value: Found, step: Step): Found {
  if (typeof value === 'string') {
    step(textSteps(value.length));
    return Array.from(value).length;
  }
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && isJsonObject(value) ? Object.keys(value).length : nothing;
}

function compares(left: Found, operator: string, right: Found, step: Step): boolean {
  const isEqual = () => (left === nothing || right === nothing ? left === right : isSame(left, right, step));
  const less = (one: Found, other: Found) => one !== nothing && other !== nothing && isLess(one, other, step);
  switch (operator) {
    case '==':
      return isEqual();
    case '!=':
      return !isEqual();
    case '<':
      return less(left, right);
    case '>':
      return less(right, left);
    case '<=':
      return less(left, right) || isEqual();
    default:
      return less(right, left) || isEqual();
  }
}

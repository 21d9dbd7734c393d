import type { z } from 'zod';
import { hintFor, nameOfExpected, rangeOf, type Wanted } from './expected.js';
import { nearest } from './nearest.js';
import type { DataNode } from './nodes.js';
import { listed, quote } from './quote.js';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value, and what would be right, for an issue that has no words of its own. */
export function describeIssue(issue: Issue, target: DataNode | undefined, wanted: Wanted = {}): string {
  switch (issue.code) {
    case 'invalid_type': {
      const hint = hintFor([issue.expected], target, wanted);
      return expectedFound(nameOfExpected(issue.expected, wanted.schema), target) + hint;
    }
    case 'invalid_value':
      return explainChoice(issue.values.map(String), issue.values.map(showValue), target);
    case 'invalid_union': {
      const options = ('options' in issue && issue.options) || [];
      return explainChoice(options.map(String), options.map(showValue), target);
    }
    case 'too_small':
      return expectedFound(
        rangeOf(wanted.schema) ?? limit(issue, 'at least', issue.minimum, issue.inclusive !== false),
        target,
      );
    case 'too_big':
      return expectedFound(
        rangeOf(wanted.schema) ?? limit(issue, 'at most', issue.maximum, issue.inclusive !== false),
        target,
      );
    case 'not_multiple_of':
      return expectedFound(`a multiple of ${issue.divisor}`, target);
    case 'invalid_format':
      return expectedFound(
        issue.pattern === undefined ? `a text of the form ${issue.format}` : `a text like ${issue.pattern}`,
        target,
      );
    default:
      return expectedFound('another value', target);
  }
}

function explainChoice(
  words: readonly string[],
  shown: readonly string[],
  target: DataNode | undefined,
): string {
  const isText = target?.kind === 'scalar' && typeof target.value === 'string';
  const near = isText ? nearest(String(target.value), words) : undefined;
  const expected = shown.length === 1 ? (shown[0] ?? '') : `one of ${listed(shown, 'or')}`;
  const hint = near === undefined || shown.length === 1 ? '' : `; did you mean ${quote(near)}?`;
  return expectedFound(expected, target) + hint;
}

function limit(
  issue: { origin: string; exact?: boolean },
  word: 'at least' | 'at most',
  bound: number | bigint,
  isInclusive: boolean,
): string {
  const amount = isInclusive
    ? `${issue.exact ? 'exactly' : word} ${bound}`
    : `${word === 'at least' ? 'more' : 'less'} than ${bound}`;
  switch (issue.origin) {
    case 'string':
      if (bound === 1 && word === 'at least') return 'a text that is not empty';
      return `a text of ${amount} characters`;
    case 'array':
    case 'set':
      return `a list of ${amount} ${bound === 1 ? 'item' : 'items'}`;
    case 'object':
    case 'record':
    case 'map':
      return `a map of ${amount} ${bound === 1 ? 'key' : 'keys'}`;
    default:
      return `a number of ${amount}`;
  }
}

/** A value that a schema allows: texts in quotes. */
export function showValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** `expected a text, found a list`. */
export function expectedFound(expected: string, target: DataNode | undefined): string {
  return target === undefined
    ? `expected ${expected}`
    : `expected ${expected}, found ${describeNode(target)}`;
}

/** What a value is, for a message: `a list`, `the number 7`, `the text "abc"`. */
export function describeNode(node: DataNode): string {
  if (node.kind !== 'scalar')
    return node.kind === 'list' ? listOf(node.items.length) : mapOf(node.entries.length);
  if (node.value === null) return node.source === '' ? 'nothing' : 'null';
  if (typeof node.value === 'number') return `the number ${node.source ?? node.value}`;
  if (typeof node.value === 'boolean') return String(node.value);
  return `the text ${quote(node.value)}`;
}

function listOf(count: number): string {
  return count === 0 ? 'an empty list' : 'a list';
}

function mapOf(count: number): string {
  return count === 0 ? 'an empty map' : 'a map';
}

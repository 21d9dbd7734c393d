import { formatOf } from '../base/document.js';
import type { Problem } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { type DataNode, entryOf, type MapNode, problemAt, toPlain } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import { fixtureRuleSchema } from './schema.js';
import type { Fixture, FixtureRule } from './types.js';

/**
 * Answers that look as if they named a file, `{file: order.json}`: they are served as they stand. A note and no
 * mistake, for a tool may answer so.
 */
export function findFileFixtures(fixtures: MapNode | undefined, file: string): Problem[] {
  return (fixtures?.entries ?? []).flatMap(({ key, value }) => {
    const answers = isListOfRules(value) && value.kind === 'list' ? value.items.map(answerOf) : [value];
    return answers.flatMap((answer) => {
      const named = answer && namedFile(answer);
      if (answer === undefined || named === undefined) return [];
      const message = `${quote(key)} answers with the map {file: ${named}} itself, for no file is read here; write the answer in its place, or as a file of --fixtures`;
      return [problemAt(file, answer.at, message)];
    });
  });
}

function answerOf(rule: DataNode): DataNode | undefined {
  return entryOf(rule, 'returns')?.value;
}

/** The file that a map of nothing but `file` names. */
function namedFile(answer: DataNode): string | undefined {
  if (answer.kind !== 'map' || answer.entries.length !== 1) return undefined;
  const named = entryOf(answer, 'file')?.value;
  if (named?.kind !== 'scalar' || typeof named.value !== 'string') return undefined;
  return formatOf(named.value) === undefined ? undefined : quote(named.value).slice(1, -1);
}

const ruleKeys = ['when', 'returns', 'error'];

/**
 * The fixtures of a scenario, by tool. A value that is a list, not empty, whose items all have `returns` or
 * `error` is a list of rules; anything else is what the tool always answers.
 */
export function readFixtures(
  fixtures: MapNode,
  file: string,
): { fixtures: Record<string, Fixture>; problems: Problem[] } {
  const problems: Problem[] = [];
  const read = fixtures.entries.map(({ key, value }): [string, Fixture] => {
    if (!isListOfRules(value)) {
      problems.push(...findMistypedRule(value, file));
      return [key, { kind: 'constant', value: toPlain(value) }];
    }
    const rules: FixtureRule[] = [];
    for (const item of value.kind === 'list' ? value.items : []) {
      const rule = readRule(item, file);
      problems.push(...rule.problems);
      if (rule.rule !== undefined) rules.push(rule.rule);
    }
    return [key, { kind: 'rules', rules }];
  });
  return { fixtures: Object.fromEntries(read), problems };
}

function isRule(node: DataNode): boolean {
  return entryOf(node, 'returns') !== undefined || entryOf(node, 'error') !== undefined;
}

function isListOfRules(node: DataNode): boolean {
  return node.kind === 'list' && node.items.length > 0 && node.items.every(isRule);
}

function readRule(node: DataNode, file: string): { rule: FixtureRule | undefined; problems: Problem[] } {
  const { value, problems } = validateNode(fixtureRuleSchema, node, { file, explainKey });
  const returns = entryOf(node, 'returns');
  const error = entryOf(node, 'error');
  if (returns !== undefined && error !== undefined) {
    problems.push(
      problemAt(file, error.keyAt, 'a rule has "returns" or "error", not both: a call has one outcome'),
    );
  }
  if (value === undefined || problems.length > 0) return { rule: undefined, problems };
  const when = entryOf(node, 'when')?.value;
  const plainWhen = when && toPlain(when);
  const condition = isJsonObject(plainWhen) ? { when: plainWhen } : {};
  if (value.error !== undefined) return { rule: { ...condition, error: value.error }, problems };
  return { rule: { ...condition, returns: returns ? toPlain(returns.value) : null }, problems };
}

function explainKey(key: string): string | undefined {
  if (nearest(key, ruleKeys) !== undefined) return undefined;
  return 'a list whose items all have "returns" or "error" is a list of rules {when, returns} or {when, error}; to answer with such a list as it is, write [{returns: [the list]}]';
}

/**
 * A list in which one item is plainly a rule and another one has a key like `return` is by definition data, and
 * would be served as such without a word.
 */
function findMistypedRule(node: DataNode, file: string): Problem[] {
  if (node.kind !== 'list') return [];
  const isPlainRule = (item: DataNode) =>
    isRule(item) && item.kind === 'map' && item.entries.every(({ key }) => ruleKeys.includes(key));
  if (!node.items.some(isPlainRule)) return [];
  const problems: Problem[] = [];
  for (const item of node.items) {
    if (item.kind !== 'map' || isRule(item)) continue;
    for (const { key, keyAt } of item.entries) {
      const near = ruleKeys.includes(key) ? undefined : nearest(key, ruleKeys);
      if (near === undefined) continue;
      const message = `unknown key ${quote(key)}; did you mean ${quote(near)}? The other items are rules`;
      problems.push(problemAt(file, keyAt, message));
    }
  }
  return problems;
}

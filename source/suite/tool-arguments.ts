import type { Problem } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import { suggest } from '../base/nearest.js';
import { type DataNode, type MapNode, nodeAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import type { ReadCheck } from './check-ids.js';
import type { ToolDefinition } from './types.js';

/**
 * Arguments that a check names and the tool does not take, and values of a type that the tool never gets: such a check
 * says the same whatever the agent does, and one that forbids the call would pass for ever.
 */
export function findUnknownArguments(check: ReadCheck, tools: readonly ToolDefinition[]): Problem[] {
  const { place, type } = check.spec;
  const name = nodeAt(check.argsNode, ['tool']);
  const args = nodeAt(check.argsNode, ['args']);
  if (!type.startsWith('tool_') || name?.kind !== 'scalar' || args?.kind !== 'map') return [];
  const tool = tools.find((one) => one.name === name.value);
  return tool ? strangeArguments(args, place.file, tool) : [];
}

/** The same of what fixtures answer by: a case for arguments that never come is never served. */
export function findUnknownFixtureArguments(
  fixtures: MapNode | undefined,
  file: string,
  tools: readonly ToolDefinition[],
): Problem[] {
  return (fixtures?.entries ?? []).flatMap(({ key, value }) => {
    const tool = tools.find((one) => one.name === key);
    if (!tool) return [];
    const cases = value.kind === 'list' ? value.items : [value];
    return cases.flatMap((one) => {
      const when = nodeAt(one, ['when']);
      return when?.kind === 'map' ? strangeArguments(when, file, tool) : [];
    });
  });
}

function strangeArguments(args: MapNode, file: string, { name, parameters }: ToolDefinition): Problem[] {
  const known = closedProperties(parameters);
  if (!known) return [];
  return args.entries.flatMap(({ key, keyAt, value }) => {
    if (!Object.hasOwn(known, key)) {
      const names = Object.keys(known);
      const what =
        names.length === 0
          ? 'takes no arguments'
          : `takes no argument ${quote(key)}; ${suggest(key, names, 'arguments')}`;
      return [problemAt(file, keyAt, `${quote(name)} ${what}`)];
    }
    const expected = onlyType(known[key]);
    const found = typeOf(value);
    if (expected === undefined || found === undefined || fits(found, expected)) return [];
    const message = `${quote(name)} takes ${quote(key)} as ${expected}, and this is a ${found}: they are never equal`;
    return [problemAt(file, value.at, message)];
  });
}

/** The arguments of a tool that lists all of them; undefined where its schema may allow others. */
function closedProperties(parameters: ToolDefinition['parameters']): Record<string, unknown> | undefined {
  const { properties, additionalProperties } = parameters;
  const isOpen =
    additionalProperties === true ||
    isJsonObject(additionalProperties) ||
    ['patternProperties', 'anyOf', 'oneOf', 'allOf', '$ref', 'if'].some((key) =>
      Object.hasOwn(parameters, key),
    );
  if (isOpen || !isJsonObject(properties)) return undefined;
  // A tool that was written without parameters says nothing about them.
  return Object.keys(properties).length > 0 || additionalProperties === false ? properties : undefined;
}

/** The only type that the schema of an argument allows. */
function onlyType(schema: unknown): string | undefined {
  return isJsonObject(schema) && typeof schema.type === 'string' ? schema.type : undefined;
}

/** The type of a value that stands for itself: maps may be matchers, and lists are compared part by part. */
function typeOf(node: DataNode): 'string' | 'number' | 'boolean' | undefined {
  if (node.kind !== 'scalar') return undefined;
  const type = typeof node.value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
}

function fits(found: string, expected: string): boolean {
  return found === expected || (found === 'number' && expected === 'integer');
}

import { describeNode } from '../base/describe.js';
import type { Problem } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import { nearest, suggest } from '../base/nearest.js';
import { type DataNode, entryOf, type MapNode, positionAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import type { CheckCatalogue, CheckEntry } from './catalogue.js';
import { makeCheckId, type ReadCheck } from './check-ids.js';
import { foreignCheckTypes } from './foreign-names.js';
import { commonCheckSchema, commonCheckShape } from './schema.js';
import type { TurnSelector } from './types.js';

const commonKeys = ['type', ...Object.keys(commonCheckShape)];

/** What reading checks needs beside the file. */
export interface CheckContext {
  catalogue: CheckCatalogue;
  /** Absolute: files that checks name stand below it. */
  suiteFolder: string;
}

/** Reads one list of checks: the `checks` of a scenario or of a suite. */
export function readChecks(
  list: DataNode,
  file: string,
  context: CheckContext,
): { checks: ReadCheck[]; problems: Problem[] } {
  const checks: ReadCheck[] = [];
  const problems: Problem[] = [];
  // That it has to be a list is said by the schema of what it stands in.
  for (const item of list.kind === 'list' ? list.items : []) {
    const read = readCheck(item, file, context);
    if (Array.isArray(read)) problems.push(...read);
    else checks.push(read);
  }
  return { checks, problems };
}

/** The check, or what is wrong with it. */
function readCheck(
  node: DataNode,
  file: string,
  { catalogue, suiteFolder }: CheckContext,
): ReadCheck | Problem[] {
  if (node.kind !== 'map') {
    const message = `expected a check {type: …}, found ${describeNode(node)}`;
    return [problemAt(file, node.at, message)];
  }
  const common = partOf(node, (key) => commonKeys.includes(key) && key !== 'type');
  const validatedCommon = validateNode(commonCheckSchema, common, { file });
  const found = findType(node, file, catalogue);
  if ('message' in found) return [found, ...validatedCommon.problems];

  const args = partOf(node, (key) => !commonKeys.includes(key));
  const validated = validateNode(found.entry.schema, args, { file, alsoKnown: commonKeys });
  const { on, absolute, axis } = validatedCommon.value ?? {};
  const selector = on === undefined ? undefined : readSelector(on);
  const problems = [...validatedCommon.problems];
  if (selector === undefined && on !== undefined) {
    const message = `the range ${quote(String(on))} ends before it begins`;
    problems.push(problemAt(file, positionAt(node, ['on']), message));
  }
  problems.push(...validated.problems);
  const { value } = validated;
  if (value !== undefined && isJsonObject(value)) {
    const unseen = found.entry.validate?.(value, suiteFolder) ?? [];
    problems.push(...unseen.map(({ path, message }) => problemAt(file, positionAt(args, path), message)));
  }
  if (!isJsonObject(value) || problems.length > 0) return problems;
  return {
    givenId: readId(node),
    idAt: positionAt(node, ['id']),
    onAt: positionAt(node, ['on']),
    madeId: makeCheckId(found.type, found.entry.mainArgument(value)),
    content: {
      type: found.type,
      args: value,
      on: selector ?? found.entry.defaultOn,
      absolute: absolute ?? found.entry.absoluteByDefault ?? false,
      axis,
    },
    argsNode: args,
    spec: {
      type: found.type,
      args: value,
      ...(selector !== undefined && { on: selector }),
      ...(absolute !== undefined && { absolute }),
      ...(axis !== undefined && { axis }),
      place: { file, ...node.at },
    },
  };
}

/** The id that a scenario or a check gives itself, as it is written: `007` stays three characters. */
export function readId(node: DataNode): string | undefined {
  const id = entryOf(node, 'id')?.value;
  if (id?.kind !== 'scalar' || id.value === null) return undefined;
  return typeof id.value === 'string' ? id.value : (id.source ?? String(id.value));
}

function partOf(node: MapNode, takes: (key: string) => boolean): MapNode {
  return { ...node, entries: node.entries.filter(({ key }) => takes(key)) };
}

function findType(
  node: MapNode,
  file: string,
  catalogue: CheckCatalogue,
): { type: string; entry: CheckEntry } | Problem {
  const written = entryOf(node, 'type');
  const types = catalogue.types();
  if (written === undefined) {
    const mistyped = node.entries.find(({ key }) => nearest(key, ['type']) !== undefined);
    if (mistyped !== undefined) {
      return problemAt(file, mistyped.keyAt, `unknown key ${quote(mistyped.key)}; did you mean "type"?`);
    }
    return problemAt(file, node.at, `missing key "type": what to check; ${suggest('', types, 'types', 40)}`);
  }
  const { value: typeNode } = written;
  if (typeNode.kind !== 'scalar' || typeof typeNode.value !== 'string') {
    return problemAt(file, typeNode.at, `expected the type of a check, found ${describeNode(typeNode)}`);
  }
  const type = typeNode.value;
  const entry = catalogue.find(type);
  if (entry !== undefined) return { type, entry };
  const foreign = foreignCheckTypes.get(type.toLowerCase());
  const hint =
    foreign !== undefined && types.includes(foreign)
      ? `other tools' ${quote(type)} is ${quote(foreign)} here`
      : suggest(type, types, 'types', 40);
  return problemAt(file, typeNode.at, `unknown type of check ${quote(type)}; ${hint}`);
}

/** Undefined for a range that ends before it begins. */
function readSelector(on: string | number): TurnSelector | undefined {
  if (on === 'replies' || on === 'first' || on === 'last') return on;
  const [from = 0, to = from] = String(on).split('..').map(Number);
  return to < from ? undefined : { from, to };
}

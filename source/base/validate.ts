import type { z } from 'zod';
import { describeIssue, expectedFound, showValue } from './describe.js';
import type { Problem } from './errors.js';
import { formsOf, hintFor, nameOfExpected } from './expected.js';
import { nearest, suggest } from './nearest.js';
import { type DataNode, entryOf, nodeAt, positionAt, problemAt, toPlain } from './nodes.js';
import { listed, quote } from './quote.js';

export interface ValidateOptions {
  /** As it is called in problems. */
  file: string;
  /** Keys of the top level that are read elsewhere: suggested for an unknown key, refused by nobody here. */
  alsoKnown?: readonly string[];
  /** The key of the schema that one of `alsoKnown` gives, where it gives one. */
  standsFor?: (key: string) => string | undefined;
  /** Says more of an unknown key than the nearest known one: the rest of the message after `unknown key "x"; `. */
  explainKey?: (key: string, path: readonly PropertyKey[]) => string | undefined;
}

type Issue = z.core.$ZodIssue;

/** One mistake before its place is known. `key`: the key at the end of the path is wrong, not its value. */
interface Finding {
  path: readonly PropertyKey[];
  key?: string;
  /** The known key that an unknown one was probably meant to be. */
  means?: string | undefined;
  /** The key that is missing in the map at the path. */
  misses?: string;
  message: string;
}

/**
 * Validates what a person wrote. `value` is what the schema made of it, undefined when there is a problem; each
 * problem stands at the place of the part that is wrong, or of the map in which a key is missing.
 */
export function validateNode<T>(
  schema: z.ZodType<T>,
  node: DataNode,
  options: ValidateOptions,
): { value: T | undefined; problems: Problem[] } {
  // zod says which keys are unknown but not which are known; the array of unknown keys is what tells issues apart.
  const knownKeys = new WeakMap<object, readonly string[]>();
  // Nor what the schema is that refuses a value, which says what would be right; a path belongs to one issue.
  const owners = new WeakMap<readonly PropertyKey[], unknown>();
  const result = schema.safeParse(toPlain(node), {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') knownKeys.set(issue.keys, keysOf(issue.inst));
      if (issue.path !== undefined) owners.set(issue.path, ownerOf(issue));
      // Empty: no schema had words of its own, so the message is made below, where the whole node is at hand.
      return '';
    },
  });
  if (result.success) return { value: result.data, problems: [] };

  const findings = result.error.issues.flatMap((issue) =>
    explain(issue, [], { node, options, knownKeys, owners }),
  );
  // `usr` for `user` is one mistake: that `user` is missing then goes without saying.
  const meant = new Set(findings.map(({ path, means }) => means && JSON.stringify([path, means])));
  const problems = findings
    .filter(({ path, misses }) => misses === undefined || !meant.has(JSON.stringify([path, misses])))
    .map(({ path, key, message }) => {
      const parent = key === undefined ? undefined : nodeAt(node, path);
      const at = parent && key !== undefined ? entryOf(parent, key)?.keyAt : undefined;
      return problemAt(options.file, at ?? positionAt(node, path), message);
    });
  return { value: undefined, problems };
}

/** The schema that raised an issue, also where one of its checks did. */
function ownerOf(issue: { inst?: unknown; schema?: unknown }): unknown {
  return issue.schema ?? issue.inst;
}

/** Keys that an object schema, or a record of an enumeration, takes. */
function keysOf(schema: unknown): readonly string[] {
  const definition = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def;
  return definition?.shape === undefined ? [] : Object.keys(definition.shape);
}

interface ExplainContext {
  node: DataNode;
  options: ValidateOptions;
  knownKeys: WeakMap<object, readonly string[]>;
  owners: WeakMap<readonly PropertyKey[], unknown>;
}

function explain(issue: Issue, above: readonly PropertyKey[], context: ExplainContext): Finding[] {
  const path = [...above, ...issue.path];
  const target = nodeAt(context.node, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => explainUnknownKey(key, path, issue, context));
  }
  if (issue.code === 'invalid_union' && issue.message === '' && issue.discriminator === undefined) {
    return explainUnion(issue, path, context);
  }
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message || 'this key is not allowed';
    const key = String(path.at(-1));
    return [{ path: path.slice(0, -1), key, message: `key ${quote(key)}: ${reason}` }];
  }
  const wanted = { schema: context.owners.get(issue.path), file: context.options.file };
  return [findingAt(path, issue.message || describeIssue(issue, target, wanted), target)];
}

/** A mistake of a value, or that it is missing where there is none. */
function findingAt(path: readonly PropertyKey[], message: string, target: DataNode | undefined): Finding {
  if (target !== undefined || path.length === 0) return { path, message };
  const key = path.at(-1);
  const missing =
    typeof key === 'number' ? `item ${key + 1} is missing` : `missing key ${quote(String(key))}`;
  return { path: path.slice(0, -1), misses: String(key), message: `${missing}: ${message}` };
}

function explainUnknownKey(
  key: string,
  path: readonly PropertyKey[],
  issue: { keys: string[] },
  context: ExplainContext,
): Finding {
  const also = path.length === 0 ? (context.options.alsoKnown ?? []) : [];
  const known = [...(context.knownKeys.get(issue.keys) ?? []), ...also];
  const explanation = context.options.explainKey?.(key, path) ?? suggest(key, known, 'keys');
  const near = nearest(key, known);
  const means = near === undefined ? undefined : (context.options.standsFor?.(near) ?? near);
  return { path, key, means, message: `unknown key ${quote(key)}; ${explanation}` };
}

/**
 * Of the forms that a value may have, the one that was probably meant is explained: those of another kind of
 * value are left aside, and of the others the one with the fewest mistakes counts. When all are of another kind,
 * what they expect is listed.
 */
function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
  context: ExplainContext,
): Finding[] {
  const target = nodeAt(context.node, path);
  const isOtherKind = (branch: Issue[]) =>
    branch.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type');
  const isChoice = (branch: Issue[]) => branch.every((inner) => inner.code === 'invalid_value');
  const best = issue.errors
    .filter((branch) => !isOtherKind(branch) && !isChoice(branch))
    .sort((a, b) => a.length - b.length)[0];
  if (best !== undefined) return best.flatMap((inner) => explain(inner, path, context));

  const forms = formsOf(context.owners.get(issue.path));
  const expected = issue.errors
    .flatMap((branch, index) => branch.map((inner) => ({ inner, schema: forms[index] })))
    .filter(({ inner }) => inner.path.length === 0)
    .map(({ inner, schema }) =>
      inner.code === 'invalid_type'
        ? nameOfExpected(inner.expected, schema)
        : inner.code === 'invalid_value'
          ? listed(inner.values.map(showValue), 'or')
          : inner.message,
    )
    .filter((name) => name !== '');
  const types = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) =>
      inner.code === 'invalid_type' && inner.path.length === 0 ? inner.expected : [],
    ),
  );
  const message = expectedFound(listed([...new Set(expected)], 'or'), target) + hintFor(types, target);
  return [findingAt(path, message, target)];
}

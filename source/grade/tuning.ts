import { isJsonObject, type Json, type JsonObject } from '../base/json.js';
import { findPathMistake, selectValues } from './json-reply.js';
import { listed, oneLine, quoteJson } from './quote.js';
import type { ArgumentMistake, CheckDefinition, GradeContext } from './types.js';

/**
 * The path of `{tuning: $.path}`, which stands for a value that the product says it is tuned with; undefined for any
 * other value. An object with that one member whose text does not begin with `$` is what it is.
 */
export function tuningPath(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { tuning } = value;
  const isReference = typeof tuning === 'string' && tuning.startsWith('$') && Object.keys(value).length === 1;
  return isReference ? tuning : undefined;
}

/** Whether a tuning value is named anywhere in a value. */
export function hasTuning(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasTuning);
  if (!isJsonObject(value)) return false;
  return tuningPath(value) !== undefined || Object.values(value).some(hasTuning);
}

/** The value with each reference replaced. */
export function replaceTuning(value: Json, replace: (path: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => replaceTuning(item, replace));
  if (!isJsonObject(value)) return value;
  const path = tuningPath(value);
  if (path !== undefined) return replace(path);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceTuning(member, replace)]),
  );
}

/** References whose path is no JSONPath, with the place of each below `path`. */
export function tuningMistakes(value: Json, path: readonly (string | number)[] = []): ArgumentMistake[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => tuningMistakes(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  const reference = tuningPath(value);
  if (reference !== undefined) {
    const mistake = findPathMistake(reference);
    return mistake ? [{ path: [...path, 'tuning'], message: mistake }] : [];
  }
  return Object.entries(value).flatMap(([key, member]) => tuningMistakes(member, [...path, key]));
}

/**
 * The arguments of a check with the tuning values of the product in place, checked again as if they had been
 * written so. `unknown` says why that cannot be done: a value that is not there says nothing of the trial.
 */
export function tuneArguments(
  definition: CheckDefinition,
  args: JsonObject,
  context: Pick<GradeContext, 'tuning' | 'suiteFolder'>,
): { args: JsonObject } | { unknown: string } {
  if (!hasTuning(args)) return { args };
  const { tuning } = context;
  const paths = new Set<string>();
  const problems: string[] = [];
  const filled = replaceTuning(args, (path) => {
    paths.add(path);
    const found = tuning === undefined ? [] : selectValues(tuning, path);
    if (found.length !== 1)
      problems.push(`${oneLine(path, 80)}, which ${found.length === 0 ? 'is not there' : 'finds several'}`);
    return found[0] ?? null;
  });
  const named = listed([...paths].map((path) => oneLine(path, 80)));
  if (tuning === undefined)
    return {
      unknown: `cannot be decided: it needs the tuning value ${named}, and the product gave no tuning values`,
    };
  if (problems.length > 0)
    return { unknown: `cannot be decided: it needs the tuning value ${listed(problems)}` };
  const parsed = definition.schema.safeParse(filled);
  const mistake = parsed.success
    ? definition.validate?.(parsed.data, context.suiteFolder)[0]
    : parsed.error.issues[0];
  if (parsed.success && !mistake) return { args: parsed.data };
  const path = mistake?.path.map(String) ?? [];
  const [top = ''] = path;
  const where = path.length > 0 ? `${path.join('.')} = ${quoteJson((filled as JsonObject)[top], 60)}: ` : '';
  return {
    unknown: `cannot be decided: with the tuning value ${named} the check is not valid: ${where}${oneLine(mistake?.message ?? '')}`,
  };
}

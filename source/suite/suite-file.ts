import { z } from 'zod';
import type { Problem } from '../base/errors.js';
import { entryOf, type MapNode, nodeAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import { findSecrets, withoutSecrets } from '../project/secrets.js';
import { foreignSuiteKeys } from './foreign-names.js';
import type { LoadContext } from './load-context.js';
import { promptTargetKeys, type SuiteValue, suiteSchema, type TargetKind, targetSchemas } from './schema.js';
import { findPromptTwice, findTargetKind, findUnknownModel } from './target.js';

/** suite.yaml itself, without the files that it names. */
export function readSuiteFile(context: LoadContext): { value: SuiteValue | undefined; problems: Problem[] } {
  const { node, file, project, place, unsure } = context;
  const target = findTargetKind(node, file);
  const secrets = ['target', 'judge', 'user'].flatMap((key) => {
    const part = entryOf(node, key)?.value;
    return part ? findSecrets(part, file, false) : [];
  });
  const { value, problems } = validateSuite(node, target.kind, file);
  problems.push(...target.problems, ...findPromptTwice(node, file));

  const name = entryOf(node, 'name')?.value;
  if (name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== place.name) {
    const message = `the suite is called ${quote(name.value)} and its folder ${quote(place.name)}; give both the same name`;
    problems.push(problemAt(file, name.at, message));
  }
  for (const part of unsure.has('models') ? [] : ['target', 'judge', 'user']) {
    const path = [part, 'model'];
    const reference = nodeAt(node, path);
    if (reference?.kind !== 'scalar' || typeof reference.value !== 'string') continue;
    problems.push(...findUnknownModel(reference.value, { node, path, file }, project));
  }
  return { value, problems: [...secrets, ...withoutSecrets(problems, secrets)] };
}

/**
 * Validates against the schema of the kind that the target is, so that each mistake is told as one of that kind. Of
 * a target of no kind nothing is said here.
 */
function validateSuite(
  node: MapNode,
  kind: TargetKind | undefined,
  file: string,
): { value: SuiteValue | undefined; problems: Problem[] } {
  if (kind === undefined) {
    const schema = suiteSchema.extend({ target: z.unknown() });
    return { value: undefined, problems: validateNode(schema, node, { file, explainKey }).problems };
  }
  const schema: z.ZodType<SuiteValue> = suiteSchema.extend({ target: targetSchemas[kind] });
  return validateNode(schema, node, { file, explainKey });
}

function explainKey(key: string, path: readonly PropertyKey[]): string | undefined {
  if (path.length > 0) return undefined;
  if (promptTargetKeys.includes(key)) return `it belongs under "target"`;
  const own = foreignSuiteKeys.get(key.toLowerCase());
  return own === undefined ? undefined : `here it is called ${quote(own)}`;
}

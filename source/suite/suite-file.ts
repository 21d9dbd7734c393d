import type { Problem } from '../base/errors.js';
import { entryOf, type MapNode, nodeAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { validateNode } from '../base/validate.js';
import type { Project } from '../project/config.js';
import { findSecrets, withoutSecrets } from '../project/secrets.js';
import type { CheckCatalogue } from './catalogue.js';
import type { SuitePlace } from './find.js';
import { foreignSuiteKeys } from './foreign-names.js';
import { isNotYet, notYet, notYetMessages } from './not-yet.js';
import { suiteSchema } from './schema.js';
import { findLaterTarget, findUnknownModel } from './target.js';

/** What loading a suite has at hand. */
export interface LoadContext {
  project: Project;
  place: SuitePlace;
  /** suite.yaml, as it is called in problems. */
  file: string;
  node: MapNode;
  catalogue: CheckCatalogue;
  unsure: ReadonlySet<string>;
}

/** suite.yaml as its schema gives it. */
export type SuiteValue = ReturnType<typeof suiteSchema.parse>;

/** suite.yaml itself, without the files that it names. */
export function readSuiteFile(context: LoadContext): { value: SuiteValue | undefined; problems: Problem[] } {
  const { node, file, project, place, unsure } = context;
  const target = entryOf(node, 'target')?.value;
  const later = [
    ...findLaterTarget(target, file),
    ...node.entries
      .filter(({ key }) => isNotYet('suiteKeys', key))
      .map(({ keyAt }) => problemAt(file, keyAt, notYetMessages.user)),
  ];
  const hasLaterTarget = notYet.targets.some((kind) => target && entryOf(target, kind) !== undefined);
  const known = {
    ...node,
    entries: node.entries.filter(
      ({ key }) => !isNotYet('suiteKeys', key) && !(key === 'target' && hasLaterTarget),
    ),
  };
  const secrets = ['target', 'judge'].flatMap((key) => {
    const part = entryOf(node, key)?.value;
    return part ? findSecrets(part, file, false) : [];
  });
  const validated = validateNode(suiteSchema, known, { file, explainKey });
  const own = hasLaterTarget
    ? validated.problems.filter(({ message }) => !message.startsWith('missing key "target"'))
    : validated.problems;
  const problems = [...later, ...own];

  const name = entryOf(node, 'name')?.value;
  if (name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== place.name) {
    const message = `the suite is called ${quote(name.value)} and its folder ${quote(place.name)}; give both the same name`;
    problems.push(problemAt(file, name.at, message));
  }
  for (const path of unsure.has('models')
    ? []
    : [
        ['target', 'model'],
        ['judge', 'model'],
      ]) {
    const reference = nodeAt(node, path);
    if (reference?.kind !== 'scalar' || typeof reference.value !== 'string') continue;
    problems.push(...findUnknownModel(reference.value, { node, path, file }, project));
  }
  const verdicts = nodeAt(node, ['judge', 'verdicts']);
  if (verdicts?.kind === 'scalar' && typeof verdicts.value === 'number' && verdicts.value > 1) {
    problems.push(problemAt(file, verdicts.at, notYetMessages.verdicts));
  }
  return { value: validated.value, problems: [...secrets, ...withoutSecrets(problems, secrets)] };
}

function explainKey(key: string, path: readonly PropertyKey[]): string | undefined {
  if (path.length > 0) return undefined;
  if (Object.hasOwn(suiteSchema.shape.target.shape, key)) return `it belongs under "target"`;
  const own = foreignSuiteKeys.get(key.toLowerCase());
  return own === undefined ? undefined : `here it is called ${quote(own)}`;
}

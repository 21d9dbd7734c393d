import { resolve } from 'node:path';
import { readTextFile } from '../base/document.js';
import type { Problem } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import { suggest } from '../base/nearest.js';
import {
  type DataNode,
  entryOf,
  type MapNode,
  nodeAt,
  type Position,
  positionAt,
  problemAt,
} from '../base/nodes.js';
import { quote } from '../base/quote.js';
import { whatIsThere } from '../project/folder.js';
import { shownPath } from '../project/paths.js';
import type { CheckCatalogue } from './catalogue.js';
import type { ReadCheck } from './check-ids.js';
import type { ReadScenario } from './scenario.js';
import type { TargetSpec, ToolDefinition } from './types.js';

/** Fixtures of tools that the target does not have would never be served: a name that was mistyped. */
export function findUnknownFixtures(
  fixtures: MapNode | undefined,
  file: string,
  tools: readonly ToolDefinition[],
): Problem[] {
  const names = tools.map((tool) => tool.name);
  return (fixtures?.entries ?? [])
    .filter(({ key }) => names.length > 0 && !names.includes(key))
    .map(({ key, keyAt }) =>
      problemAt(
        file,
        keyAt,
        `a fixture of ${quote(key)}, which is no tool of the target; ${suggest(key, names, 'tools')}`,
      ),
    );
}

/**
 * Tools that a check names and the target does not have: such a check says the same whatever the agent does, and
 * one that forbids the tool would pass for ever.
 */
export function findUnknownTools(check: ReadCheck, tools: readonly ToolDefinition[]): Problem[] {
  const names = tools.map((tool) => tool.name);
  if (names.length === 0 || !check.spec.type.startsWith('tool_')) return [];
  const named: (string | number)[][] = [['tool']];
  const list = nodeAt(check.argsNode, ['tools']);
  if (list?.kind === 'list') named.push(...list.items.map((_, index) => ['tools', index]));
  return named.flatMap((path) => {
    const node = nodeAt(check.argsNode, path);
    if (node?.kind !== 'scalar' || typeof node.value !== 'string' || names.includes(node.value)) return [];
    const message = `${quote(node.value)} is no tool of the target; ${suggest(node.value, names, 'tools')}`;
    return [problemAt(check.spec.place.file, node.at, message)];
  });
}

/** A check of a turn that the scenario does not have could never be graded. */
export function findTurnsOutOfReach(scenario: ReadScenario): Problem[] {
  const count = scenario.turnCount;
  return scenario.checks.flatMap(({ spec, onAt }) => {
    if (typeof spec.on !== 'object' || count === 0 || spec.on.to <= count) return [];
    const turns = count === 1 ? 'one turn' : `${count} turns`;
    const message = `"on" names turn ${spec.on.to}, and the scenario has ${turns}`;
    return [problemAt(spec.place.file, onAt, message)];
  });
}

/** Values that only a product can give, asked of a target that gives none: such a check could never be decided. */
export function findTuningWithoutProduct(check: ReadCheck, target: TargetSpec): Problem[] {
  const why =
    target.kind === 'prompt'
      ? 'a prompt target is tuned with nothing that could be asked for; write the value itself'
      : target.kind === 'http' && target.tuning === undefined
        ? 'the target names no call that gives tuning values; add tuning: {get: …} to it, or write the value itself'
        : undefined;
  if (why === undefined) return [];
  return findTuning(check.argsNode).map((at) => problemAt(check.spec.place.file, at, why));
}

/** Where `{tuning: $.path}` stands in the arguments of a check. */
function findTuning(node: DataNode): Position[] {
  if (node.kind === 'list') return node.items.flatMap(findTuning);
  if (node.kind !== 'map') return [];
  return node.entries.flatMap(({ value }) => {
    const isTuning = value.kind === 'map' && value.entries.length === 1 && entryOf(value, 'tuning');
    return isTuning ? [value.at] : findTuning(value);
  });
}

/** Simulated turns of a suite that names nobody to play the user could not be played. */
export function findMissingUser({ simulatedAt, place }: ReadScenario, suiteFile: string): Problem[] {
  const message = `"simulate" needs a model that plays the user, and ${suiteFile} names none; add user: {model: …} to it`;
  return simulatedAt.map((at) => problemAt(place.file, at, message));
}

/** Judged checks of a suite that names no judge would all be unknown. */
export function findMissingJudge(
  checks: readonly ReadCheck[],
  catalogue: CheckCatalogue,
  suiteFile: string,
): Problem[] {
  return checks
    .filter(({ spec }) => catalogue.find(spec.type)?.kind === 'judged')
    .map(({ spec }) => ({
      ...spec.place,
      message: `a check of type ${quote(spec.type)} asks a judge, and ${suiteFile} names none; add judge: {model: …} to it`,
    }));
}

/** Arguments of checks that name a file whose content decides how they grade. */
const fileArguments = ['file', 'module'] as const;

/**
 * Reads the files that checks name, and adds their hash to what decides how the check grades: of a module its own
 * text, not what it imports. Reported: files that are not there.
 */
export async function readFilesOfChecks(
  checks: readonly ReadCheck[],
  root: string,
  folder: string,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const hashes = new Map<string, string | undefined>();
  for (const check of checks) {
    for (const argument of fileArguments) {
      const named = check.spec.args[argument];
      if (typeof named !== 'string') continue;
      const path = resolve(folder, named);
      if (!hashes.has(path)) {
        const { text } = await readTextFile(path, named);
        hashes.set(path, text === undefined ? undefined : sha256(text));
      }
      const hash = hashes.get(path);
      if (hash === undefined) {
        const at = positionAt(check.argsNode, [argument]);
        const shown = shownPath(root, path);
        const message = `there is no file ${shown} that can be read as text; ${await whatIsThere(root, path)}`;
        problems.push(problemAt(check.spec.place.file, at, message));
      } else {
        check.content = { ...check.content, fileSha256: hash };
      }
    }
  }
  return problems;
}

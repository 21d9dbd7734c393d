import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readDocuments } from '../base/document.js';
import { InputError, type Problem } from '../base/errors.js';
import { type DataNode, entryOf, nodeAt, positionAt, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import type { Project } from '../project/config.js';
import { whatIsThere } from '../project/folder.js';
import { shownPath } from '../project/paths.js';
import type { CheckCatalogue } from './catalogue.js';
import type { ReadCheck } from './check-ids.js';
import { readChecks } from './checks.js';
import { findSuite } from './find.js';
import { finishScenarios } from './finish.js';
import { findFileFixtures } from './fixtures.js';
import type { LoadContext } from './load-context.js';
import {
  findMissingJudge,
  findMissingUser,
  findTuningWithoutProduct,
  findTurnsOutOfReach,
  findUnknownFixtures,
  findUnknownTools,
  readFilesOfChecks,
} from './references.js';
import { type ReadScenario, readScenario } from './scenario.js';
import { findScenarioFiles, findUnreadFiles, type Pattern, readAll } from './scenario-files.js';
import { suiteSchema } from './schema.js';
import { readSuiteFile } from './suite-file.js';
import { findMissingFiles, readTarget, readTargetPrompts } from './target.js';
import { findTargetTemplateProblems, findTemplateProblems } from './template.js';
import { findUnknownArguments, findUnknownFixtureArguments } from './tool-arguments.js';
import { type ReadTools, readTools } from './tools.js';
import type { Suite, SuitePlaces } from './types.js';

export { listOtherFolders, listSuites } from './find.js';

/**
 * Loads a suite: its file, tools, scenarios and the prompt that it names. Throws InputError with every mistake of
 * every file, UserError when there is no such suite.
 */
export async function loadSuite(
  project: Project,
  suiteName: string,
  catalogue: CheckCatalogue,
): Promise<Suite> {
  const { suite, problems } = await readSuite(project, suiteName, catalogue);
  if (suite === undefined || problems.length > 0) throw new InputError(problems);
  return suite;
}

/** As `loadSuite`, but gives the mistakes. `unsure`: parts of the config that nothing should be concluded from. */
export async function readSuite(
  project: Project,
  suiteName: string,
  catalogue: CheckCatalogue,
  unsure: ReadonlySet<string> = new Set(),
): Promise<{ suite: Suite | undefined; problems: Problem[] }> {
  const place = await findSuite(project, suiteName);
  const file = shownPath(project.root, place.file);
  const parsed = await readDocuments(place.file, file);
  const [node, second] = parsed.documents;
  const problems = [...parsed.problems];
  if (second !== undefined) {
    problems.push(problemAt(file, second.at, 'a second document; a suite is one document'));
  }
  if (node?.kind !== 'map') {
    if (node !== undefined) {
      problems.push(problemAt(file, node.at, 'expected a suite {name, target, scenarios}'));
    }
    return { suite: undefined, problems };
  }
  const context: LoadContext = { project, place, file, node, catalogue, unsure };
  const { value, problems: own } = readSuiteFile(context);
  problems.push(...own);

  const [tools, prompts, scenarios, suiteChecks] = await Promise.all([
    loadTools(context),
    unsure.has('prompts') ? noPrompts : readTargetPrompts(project, node, file),
    loadScenarios(context),
    readSuiteChecks(context),
  ]);
  problems.push(...tools.problems, ...prompts.problems, ...scenarios.problems, ...suiteChecks.problems);

  const checks = [...suiteChecks.checks, ...scenarios.read.flatMap((scenario) => scenario.checks)];
  const target = value && readTarget(value.target, tools, place.folder);
  problems.push(...(await findMissingFiles(context)));
  problems.push(...checks.flatMap((check) => findUnknownTools(check, tools.tools)));
  problems.push(...checks.flatMap((check) => findUnknownArguments(check, tools.tools)));
  if (target) problems.push(...checks.flatMap((check) => findTuningWithoutProduct(check, target)));
  for (const { fixturesNode, place: at } of scenarios.read)
    problems.push(
      ...findUnknownFixtures(fixturesNode, at.file, tools.tools),
      ...findUnknownFixtureArguments(fixturesNode, at.file, tools.tools),
    );
  problems.push(...scenarios.read.flatMap(findTurnsOutOfReach));
  problems.push(...(await readFilesOfChecks(checks, project.root, place.folder)));
  if (entryOf(node, 'judge') === undefined) problems.push(...findMissingJudge(checks, catalogue, file));
  if (entryOf(node, 'user') === undefined)
    problems.push(...scenarios.read.flatMap((scenario) => findMissingUser(scenario, file)));

  const notes = [
    ...(await findFilesLeftOut(context, scenarios.files, checks)),
    ...scenarios.read.flatMap(({ fixturesNode, place: at }) => findFileFixtures(fixturesNode, at.file)),
  ];
  const finished = finishScenarios(scenarios.read, suiteChecks.checks);
  problems.push(...finished.problems);
  if (target?.kind === 'prompt' && target.template) {
    for (const { text, file: shown } of prompts.prompts)
      problems.push(...findTemplateProblems(text, shown, finished.scenarios));
  }
  if (target?.kind === 'http') problems.push(...findTargetTemplateProblems(node, file, finished.scenarios));
  const suite = value &&
    target && {
      name: place.name,
      folder: place.folder,
      place: { file, ...node.at },
      target,
      ...(value.prompt !== undefined && { prompt: value.prompt }),
      ...(value.judge && { judge: withoutUndefined(value.judge) }),
      ...(value.user && { user: value.user }),
      ...(value.repeat !== undefined && { repeat: value.repeat }),
      limits: value.limits,
      ...(value.mix && { mix: withoutUndefined(value.mix) }),
      places: placesOf(node, file),
      files: [...namedFiles(context, checks), ...scenarios.files],
      ...(notes.length > 0 && { notes: inReadingOrder(notes) }),
      scenarios: finished.scenarios,
    };
  return { suite, problems: inReadingOrder(problems) };
}

/** Where suite.yaml names what is opened later. */
function placesOf(node: DataNode, file: string): SuitePlaces {
  const at = (key: keyof SuitePlaces, path: string[]): SuitePlaces => {
    const found = nodeAt(node, path);
    return found === undefined ? {} : { [key]: { file, ...found.at } };
  };
  return {
    ...at('model', ['target', 'model']),
    ...at('judge', ['judge', 'model']),
    ...at('judgePrompt', ['judge', 'prompt']),
    ...at('user', ['user', 'model']),
  };
}

/** Files beside the scenarios that no pattern means. */
function findFilesLeftOut(
  context: LoadContext,
  files: readonly string[],
  checks: readonly ReadCheck[],
): Promise<Problem[]> {
  const { node, file, place } = context;
  return findUnreadFiles({
    folder: place.folder,
    file,
    patterns: patternsOf(entryOf(node, 'scenarios')?.value, node),
    read: files,
    except: namedFiles(context, checks),
  });
}

/** What suite.yaml and checks name beside the scenarios, itself among them: not all of it is a file. */
function namedFiles({ node, place }: LoadContext, checks: readonly ReadCheck[]): string[] {
  const tools = nodeAt(node, ['target', 'tools']);
  const named = checks
    .flatMap(({ spec }) => Object.values(spec.args))
    .filter((arg) => typeof arg === 'string');
  const others = [...named, ...(tools?.kind === 'scalar' ? [String(tools.value)] : [])];
  return [place.file, ...others.map((path) => resolve(place.folder, path))];
}

const noPrompts = { prompts: [], problems: [] };

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function readSuiteChecks({ node, file, catalogue, place }: LoadContext) {
  const list = entryOf(node, 'checks')?.value;
  const context = { catalogue, suiteFolder: place.folder };
  return list === undefined ? { checks: [], problems: [] } : readChecks(list, file, context);
}

async function loadTools({ node, file, place, project }: LoadContext): Promise<ReadTools> {
  const named = nodeAt(node, ['target', 'tools']);
  if (named?.kind !== 'scalar' || typeof named.value !== 'string')
    return { tools: [], live: {}, problems: [] };
  const path = resolve(place.folder, named.value);
  const shown = shownPath(project.root, path);
  const read = await readTools(path, shown, place.folder);
  // A file that cannot be read is a mistake of the line that names it.
  const unreadable = read.problems.find((problem) => problem.line === 0 && problem.file === shown);
  if (unreadable === undefined) return read;
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  const hint = isThere ? '' : `; ${await whatIsThere(project.root, path)}`;
  const at = positionAt(node, ['target', 'tools']);
  const problems = [problemAt(file, at, `${shown}: ${unreadable.message}${hint}`)];
  return { ...read, problems };
}

async function loadScenarios(
  context: LoadContext,
): Promise<{ read: ReadScenario[]; files: readonly string[]; problems: Problem[] }> {
  const { node, file, place, project, catalogue } = context;
  const tools = nodeAt(node, ['target', 'tools']);
  const named = entryOf(node, 'scenarios');
  const found = await findScenarioFiles({
    root: project.root,
    folder: place.folder,
    file,
    patterns: patternsOf(named?.value, node),
    except: [place.file, ...(tools?.kind === 'scalar' ? [resolve(place.folder, String(tools.value))] : [])],
  });
  const read: ReadScenario[] = [];
  const problems = [...found.problems];
  const files = await readAll(found.files, (path) => readDocuments(path, shownPath(project.root, path)));
  for (const parsed of files) {
    problems.push(...parsed.problems);
    for (const document of parsed.documents) {
      if (document.kind === 'list' && document.items.length === 0) {
        problems.push(problemAt(parsed.file, document.at, 'the list of scenarios is empty'));
      }
      for (const item of document.kind === 'list' ? document.items : [document]) {
        const scenario = readScenario(item, parsed.file, { catalogue, suiteFolder: place.folder });
        read.push(scenario.read);
        problems.push(...scenario.problems);
      }
    }
  }
  if (read.length === 0 && problems.length === 0) {
    problems.push(problemAt(file, named?.keyAt ?? node.at, 'the suite has no scenarios'));
  }
  return { read, files: found.files, problems };
}

function patternsOf(node: DataNode | undefined, suite: DataNode): Pattern[] {
  if (node === undefined) {
    return [{ value: suiteSchema.shape.scenarios.parse(undefined).toString(), at: suite.at }];
  }
  return (node.kind === 'list' ? node.items : [node]).flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' && item.value !== ''
      ? [{ value: item.value, at: item.at }]
      : [],
  );
}

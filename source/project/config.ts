import { access, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readDocuments } from '../base/document.js';
import { InputError, type Problem } from '../base/errors.js';
import { type DataNode, entryOf, toPlain } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { validateNode } from '../base/validate.js';
import { configSchema, type WrittenConfig } from './config-schema.js';
import { findSecrets, redactSecrets, withoutSecrets } from './secrets.js';

export const configFileName = '.evalrc.json';

/** What `.evalrc.json` says, with the defaults of names and folders filled in. */
export interface Config extends WrittenConfig {
  project: string;
}

/** A project: the folder in which everything that a person wrote stands. */
export interface Project {
  /** Absolute, without symbolic links, so that one project has one data folder. */
  root: string;
  /** Relative to the root; undefined where there is none. */
  configFile: string | undefined;
  config: Config;
  /** The config as written, for the places of mistakes that are found later; not set where there is none. */
  node?: DataNode;
  /** Absolute: where the command was called, for paths in flags. Not set: the root. */
  cwd?: string;
}

/** A project as far as it could be read. */
export interface ReadProject {
  project: Project;
  problems: Problem[];
  /** The config as written, for the places of mistakes that are found later; undefined where there is none. */
  node: DataNode | undefined;
  /** Keys of the top level that the config gives. */
  given: ReadonlySet<string>;
  /** Parts of the config that could not be read, and are at their default: nothing should be concluded from them. */
  unsure: ReadonlySet<string>;
}

/**
 * The project that a folder belongs to: the nearest folder above it with an `.evalrc.json`, else the nearest
 * with a `.git`, else the folder itself. Throws InputError with every mistake of the config.
 */
export async function loadProject(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Project> {
  const { project, problems } = await readProject(options);
  if (problems.length > 0) throw new InputError(problems);
  return project;
}

/** As `loadProject`, but gives what could be read together with the mistakes. */
export async function readProject(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<ReadProject> {
  const cwd = await realpath(resolve(options.cwd)).catch(() => resolve(options.cwd));
  const withConfig = await findAbove(cwd, configFileName);
  const root = withConfig ?? (await findAbove(cwd, '.git')) ?? cwd;
  const bare = bareProject(root);
  const defaults = bare.config;
  if (withConfig === undefined) {
    const project = { ...bare, cwd };
    return { project, problems: [], node: undefined, given: new Set(), unsure: new Set() };
  }

  const parsed = await readDocuments(join(root, configFileName), configFileName);
  const node = parsed.documents[0];
  const problems = [...parsed.problems];
  let config = defaults;
  const unsure = new Set<string>();
  const given = new Set(node?.kind === 'map' ? node.entries.map(({ key }) => key) : []);
  if (node === undefined) {
    for (const key of Object.keys(configSchema.shape)) unsure.add(key);
  } else {
    // Names of models and paths may hold hashes; what stands under providers never does.
    const providers = entryOf(node, 'providers')?.value;
    const secrets = [
      ...findSecrets(node, configFileName, false),
      ...(providers ? findSecrets(providers, configFileName, true) : []),
    ];
    const validated = validateNode(configSchema, node, { file: configFileName, explainKey });
    problems.push(...secrets, ...withoutSecrets(validated.problems, secrets));
    const written = validated.value ?? readParts(node, unsure);
    config = { ...defaults, ...written, project: written.project ?? defaults.project };
  }
  return {
    project: { root, cwd, configFile: configFileName, config, ...(node && { node }) },
    problems: inReadingOrder(problems).map((problem) => ({
      ...problem,
      message: redactSecrets(problem.message),
    })),
    node,
    given,
    unsure,
  };
}

/** A folder, absolute, as a project without a config. */
export function bareProject(root: string): Project {
  const config = { ...configSchema.parse({}), project: basename(root) || 'project' };
  return { root, configFile: undefined, config };
}

/** The parts of a config that are right on their own; the names of the others go to `unsure`. */
function readParts(node: DataNode, unsure: Set<string>): Partial<WrittenConfig> {
  const plain = toPlain(node);
  const parts: [string, unknown][] = [];
  for (const [key, schema] of Object.entries(configSchema.shape)) {
    const value =
      typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? plain[key] : undefined;
    if (value === undefined) continue;
    const result = schema.safeParse(value);
    if (result.success) parts.push([key, result.data]);
    else unsure.add(key);
  }
  return Object.fromEntries(parts);
}

function explainKey(key: string, path: readonly PropertyKey[]): string | undefined {
  if (/^(api[-_]?)?key$/i.test(key) && path[0] === 'providers') {
    return 'a key is never written in a file: put it in an environment variable and name that with "keyEnv"';
  }
  return undefined;
}

async function findAbove(folder: string, name: string): Promise<string | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const isThere = await access(join(current, name)).then(
      () => true,
      () => false,
    );
    if (isThere) return current;
    if (dirname(current) === current) return undefined;
  }
}

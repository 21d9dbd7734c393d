import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import type { Project } from '../project/config.js';
import { shownPath } from '../project/paths.js';

/** Names of the file that makes a folder a suite. */
const suiteFiles = ['suite.yaml', 'suite.yml', 'suite.json'];

/** Where one suite stands, absolute. */
export interface SuitePlace {
  name: string;
  folder: string;
  file: string;
}

/** The names of all suites of a project, sorted: folders of `suites` with a suite.yaml. */
export async function listSuites(project: Project): Promise<string[]> {
  const folder = resolve(project.root, project.config.suites);
  const entries: string[] = await readdir(folder).catch(() => []);
  const places = await Promise.all(entries.map((entry) => placeOf(join(folder, entry), entry)));
  return places
    .filter((place) => place !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** Folders among the suites that are none, for they have no suite.yaml: shown paths, sorted. */
export async function listOtherFolders(project: Project): Promise<string[]> {
  const folder = resolve(project.root, project.config.suites);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(await listSuites(project));
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !names.has(entry.name))
    .map(({ name }) => shownPath(project.root, join(folder, name)))
    .sort();
}

async function placeOf(folder: string, name: string): Promise<SuitePlace | undefined> {
  for (const suiteFile of suiteFiles) {
    const file = join(folder, suiteFile);
    const isFile = await stat(file).then(
      (facts) => facts.isFile(),
      () => false,
    );
    if (isFile) return { name, folder, file };
  }
  return undefined;
}

/**
 * Finds a suite by its name, or by the path of its folder or file as a shell completes it.
 * Throws UserError that names the suites there are.
 */
export async function findSuite(project: Project, asked: string): Promise<SuitePlace> {
  const suites = resolve(project.root, project.config.suites);
  const name = nameIn(suites, asked, project);
  // As the folder spells it, also where the file system takes another spelling: results are kept under the name.
  const entries: string[] = await readdir(suites).catch(() => []);
  const isThere = name !== undefined && entries.includes(name);
  const place = isThere ? await placeOf(join(suites, name), name) : undefined;
  if (place !== undefined) return place;
  const names = await listSuites(project);
  const where = shownPath(project.root, suites);
  const hint =
    names.length === 0
      ? `there are none in ${where}; a suite is a folder in it with a suite.yaml`
      : suggest(asked, names, 'suites');
  throw new UserError(`there is no suite ${quote(asked)}; ${hint}`);
}

/** The name of the suite that a text means: one segment below the folder of the suites. */
function nameIn(suites: string, asked: string, project: Project): string | undefined {
  const trimmed = asked.replace(/[/\\]+$/, '').replace(/[/\\]suite\.(?:yaml|yml|json)$/, '');
  if (/^[^/\\]+$/.test(trimmed)) return trimmed === '.' || trimmed === '..' ? undefined : trimmed;
  for (const start of [project.cwd ?? project.root, project.root]) {
    const path = shownPath(suites, resolve(start, trimmed));
    if (/^[^/]+$/.test(path)) return path;
  }
  return undefined;
}

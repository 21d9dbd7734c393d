import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describeNode } from '../base/describe.js';
import { readDocuments } from '../base/document.js';
import { InputError, type Problem, UserError } from '../base/errors.js';
import { contentHash } from '../base/hash.js';
import { suggest } from '../base/nearest.js';
import { type DataNode, entryOf, type MapNode, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { quote } from '../base/quote.js';
import { whatIsThere } from '../project/folder.js';
import { shownPath } from '../project/paths.js';
import { readFixtures } from './fixtures.js';
import { findUnknownFixtures } from './references.js';
import { findUnknownFixtureArguments } from './tool-arguments.js';
import type { Fixture, Scenario, Suite } from './types.js';

const endings = ['.yaml', '.yml', '.json'];

/** The fixtures of one file. */
interface Override {
  /** As it is called in problems. */
  file: string;
  fixtures: Record<string, Fixture>;
}

/**
 * The suite with the fixtures of a folder: `<scenario id>.yaml` (or .yml, .json) gives, tool by tool, what stands in
 * the place of that scenario's own fixtures; tools that it does not name keep theirs. An id that cannot be the name
 * of a file is percent-encoded. A scenario whose fixtures change by it gets another hash, for it does something else.
 * `folder` is absolute; `root` is what paths in messages start from. To be called before scenarios are left out by a
 * filter: a file of none of them is a mistake.
 * Throws UserError for a folder that is not there or holds no such file, InputError with every mistake of all files.
 */
export async function applyFixtures(suite: Suite, folder: string, root: string): Promise<Suite> {
  const shown = shownPath(root, folder);
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined)
    throw new UserError(`there is no folder of fixtures ${shown}; ${await whatIsThere(root, folder)}`);
  const files = names.filter((name) => endings.includes(extname(name).toLowerCase())).sort();
  if (files.length === 0)
    throw new UserError(`the folder ${shown} holds no fixtures: there is no file SCENARIO.yaml in it`);

  const problems: Problem[] = [];
  const overrides = new Map<string, Override>();
  const ids = suite.scenarios.map(({ id }) => id);
  for (const name of files) {
    const file = `${shown}/${name}`;
    const id = idOf(name, ids);
    if (id === undefined) {
      const stem = name.slice(0, -extname(name).length);
      const message = `${suite.name} has no scenario ${quote(stem)}; ${suggest(stem, ids, 'scenarios', 10)}`;
      problems.push({ file, line: 0, column: 0, message });
      continue;
    }
    const other = overrides.get(id);
    if (other !== undefined) {
      const message = `the fixtures of ${quote(id)} stand in ${other.file} already; keep one of the two files`;
      problems.push({ file, line: 0, column: 0, message });
      continue;
    }
    const read = await readOverride(join(folder, name), file, suite);
    problems.push(...read.problems);
    overrides.set(id, { file, fixtures: read.fixtures });
  }
  if (problems.length > 0) throw new InputError(inReadingOrder(problems));
  return {
    ...suite,
    files: [...(suite.files ?? []), ...files.map((name) => join(folder, name))],
    scenarios: suite.scenarios.map((scenario) => overridden(scenario, overrides.get(scenario.id)?.fixtures)),
  };
}

/** The scenario that a file is of, by its name or by what its name says in percent-encoding. */
function idOf(name: string, ids: readonly string[]): string | undefined {
  const stem = name.slice(0, -extname(name).length).normalize('NFC');
  const decoded = decode(stem);
  return ids.find((id) => id.normalize('NFC') === stem) ?? ids.find((id) => id === decoded);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function readOverride(
  path: string,
  file: string,
  { target }: Suite,
): Promise<{ fixtures: Record<string, Fixture>; problems: Problem[] }> {
  const { documents, problems } = await readDocuments(path, file);
  const [document, second] = documents;
  if (second !== undefined) {
    problems.push(
      problemAt(file, second.at, 'a second document; the fixtures of a scenario are one document'),
    );
  }
  if (document === undefined) return { fixtures: {}, problems };
  const node = fixturesIn(document);
  if (node === undefined) {
    const message = `expected what each tool answers, {tool: …}, found ${describeNode(document)}`;
    return { fixtures: {}, problems: [...problems, problemAt(file, document.at, message)] };
  }
  const read = readFixtures(node, file);
  const tools = target.kind === 'prompt' ? target.tools : [];
  const unknown = [
    ...findUnknownFixtures(node, file, tools),
    ...findUnknownFixtureArguments(node, file, tools),
  ];
  return { fixtures: read.fixtures, problems: [...problems, ...read.problems, ...unknown] };
}

/** The tools of a file: at its top, or under `fixtures` as a missing fixture is printed. */
function fixturesIn(document: DataNode): MapNode | undefined {
  if (document.kind !== 'map') return undefined;
  const [only] = document.entries;
  const inside = document.entries.length === 1 ? entryOf(document, 'fixtures')?.value : undefined;
  return only !== undefined && inside?.kind === 'map' ? inside : document;
}

function overridden(scenario: Scenario, own: Record<string, Fixture> | undefined): Scenario {
  if (own === undefined) return scenario;
  const fixtures = { ...scenario.fixtures, ...own };
  if (contentHash(fixtures) === contentHash(scenario.fixtures)) return scenario;
  return { ...scenario, fixtures, hash: contentHash({ scenario: scenario.hash, fixtures }) };
}

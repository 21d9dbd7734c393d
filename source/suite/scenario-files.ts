import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { glob } from 'tinyglobby';
import { dataExtensions } from '../base/document.js';
import type { Problem } from '../base/errors.js';
import { problemAt, type ScalarNode } from '../base/nodes.js';
import { listed, quote } from '../base/quote.js';
import { shownPath } from '../project/paths.js';

/** Files of a suite that no pattern means, however wide it is. */
const notScenarios = ['quarantine.yaml', 'results/**', '**/node_modules/**'];

/** A pattern and where it stands; the default pattern has no place of its own. */
export type Pattern = Pick<ScalarNode, 'at'> & { value: string };

/**
 * The files that patterns from the folder of a suite name, absolute and sorted by path. A pattern that names no
 * file is a problem that says which files there are. A pattern that begins with `!` takes files out.
 */
export async function findScenarioFiles(options: {
  root: string;
  folder: string;
  patterns: readonly Pattern[];
  /** File of the patterns, as it is called in problems. */
  file: string;
  /** Absolute paths that are no scenarios: the suite itself, its tools. */
  except: readonly string[];
}): Promise<{ files: string[]; problems: Problem[] }> {
  const { root, folder, patterns, file, except } = options;
  const problems: Problem[] = [];
  const ignore = patterns.filter(({ value }) => value.startsWith('!')).map(({ value }) => value.slice(1));
  const search = async (pattern: string) => {
    const found = await glob([pattern], {
      cwd: folder,
      absolute: true,
      expandDirectories: false,
      ignore: [...notScenarios, ...ignore],
    });
    const paths = await once(found.map((path) => resolve(path)));
    return paths.filter(({ real }) => !except.includes(real)).map(({ path }) => path);
  };

  const files = new Set<string>();
  for (const { value, at } of patterns) {
    if (value.startsWith('!')) continue;
    const found = await search(value.replaceAll('\\', '/'));
    for (const path of found) files.add(path);
    if (found.length > 0) continue;
    const isFolder = await stat(resolve(folder, value)).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    const there = isFolder ? [] : await search(`**/*{${dataExtensions.join(',')}}`);
    const hint = isFolder
      ? `this is a folder; write ${quote(`${value.replace(/[/\\]$/, '')}/**/*.yaml`)} for the files in it`
      : whatExists(there.map((path) => shownPath(folder, path)));
    const message = `no file is named by ${quote(value)} in ${shownPath(root, folder)}; ${hint}`;
    problems.push(problemAt(file, at, message));
  }
  const unique = await once([...files]);
  return { files: unique.map(({ path }) => path), problems };
}

/** Each file once, sorted by path: one that a symbolic link reaches too counts by its own path. */
async function once(paths: readonly string[]): Promise<{ path: string; real: string }[]> {
  const byReal = new Map<string, string>();
  for (const path of [...paths].sort()) {
    const real = await realpath(path).catch(() => path);
    if (path === real || !byReal.has(real)) byReal.set(real, path);
  }
  return [...byReal]
    .map(([real, path]) => ({ path, real }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function whatExists(files: string[]): string {
  if (files.length === 0) return 'there are no files of scenarios in it';
  const shown = files.sort().slice(0, 5);
  const more = files.length > shown.length ? [`${files.length - shown.length} more`] : [];
  return `there ${files.length === 1 ? 'is' : 'are'} ${listed([...shown, ...more])}`;
}

/** As Promise.all over `read`, with at most 16 at once: a suite may have more files than a process may open. */
export async function readAll<T>(files: readonly string[], read: (file: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) {
      const file = files[at];
      if (file !== undefined) results[at] = await read(file);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return results;
}

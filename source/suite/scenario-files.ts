import { realpath, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { dataExtensions } from '../base/document.js';
import type { Problem } from '../base/errors.js';
import { problemAt, type ScalarNode } from '../base/nodes.js';
import { listed, quote } from '../base/quote.js';
import { shownPath } from '../project/paths.js';

/** Files of a suite that no pattern means, however wide it is. */
const notScenarios = ['quarantine.yaml', 'noise.yaml', 'results/**', '**/node_modules/**'];

/** Notes on files that are not read: who has more of them has seen the point. */
const mostNotes = 10;

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

/**
 * Files in the folders of the scenarios that could hold some and that no pattern means, a note each. A pattern that
 * names one file was meant so, and so was one that takes files out; in the folder of the suite itself other files
 * stand with good reason, so that only those of the endings that were read there count.
 */
export async function findUnreadFiles(options: {
  folder: string;
  patterns: readonly Pattern[];
  /** File of the patterns, as it is called in notes. */
  file: string;
  /** Absolute: the files that are read. */
  read: readonly string[];
  /** Absolute paths that are no scenarios: the suite itself, its tools, files of its checks. */
  except: readonly string[];
}): Promise<Problem[]> {
  const { folder, patterns, file, read, except } = options;
  const ignore = patterns.filter(({ value }) => value.startsWith('!')).map(({ value }) => value.slice(1));
  const known = new Set([...read, ...except]);
  const notes = new Map<string, Problem>();
  for (const { value, at } of patterns) {
    const pattern = value.replaceAll('\\', '/');
    if (pattern.startsWith('!') || !isDynamicPattern(pattern)) continue;
    const start = resolve(folder, fixedPart(pattern));
    const isSuiteFolder = start === resolve(folder);
    const endings = isSuiteFolder
      ? new Set(read.filter((path) => dirname(path) === start).map((path) => extname(path)))
      : new Set(dataExtensions);
    if (endings.size === 0) continue;
    const found = await glob([`${isSuiteFolder ? '' : '**/'}*{${[...endings].join(',')}}`], {
      cwd: start,
      absolute: true,
      expandDirectories: false,
      ignore: notScenarios,
    });
    const taken = ignore.length === 0 ? [] : await glob(ignore, { cwd: folder, absolute: true });
    const left = await once(found.map((path) => resolve(path)).filter((path) => !taken.includes(path)));
    for (const { path, real } of left) {
      if (known.has(path) || known.has(real) || notes.has(path)) continue;
      const message = `${shownPath(folder, path)} is not read: the glob ${quote(value)} does not match it`;
      notes.set(path, problemAt(file, at, message));
    }
  }
  return [...notes.values()].slice(0, mostNotes);
}

/** The folders of a pattern before its first part that stands for several. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, first === -1 ? parts.length - 1 : first).join('/') || '.';
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

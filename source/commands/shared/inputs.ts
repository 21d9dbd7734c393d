import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import { noisePath } from '../../compare/noise-file.js';
import { configFileName, type Project } from '../../project/config.js';
import { baselineCopy, journalFile } from '../../run/run-folder.js';
import { summaryFile } from '../../run/summary.js';
import type { Suite } from '../../suite/types.js';
import { quarantinePath } from '../../triage/quarantine-file.js';
import { programFiles } from './source-files.js';
import { judgeFolders } from './suite-models.js';

/** A file that something reads: nothing that is written may take its place. It need not be there. */
export interface Input {
  /** Absolute. */
  file: string;
  /** In the middle of a sentence: `a prompt`. */
  what: string;
}

/** What a run or a bisect is made of, as far as files are read for it. */
export interface ReadParts {
  /** Not set: it cannot be read any more. */
  suite?: Suite | undefined;
  /** Paths of prompts, from the root of the project. */
  prompts: readonly (string | undefined)[];
  /** The baseline file that the line or the journal names, from the root. */
  baseline?: string | undefined;
  /** The folder of a run that goes on, absolute. */
  folder?: string;
}

/**
 * Throws UserError where one of the files that will be written is one that is read, by whatever name. `inputs` is asked
 * only where something is written.
 */
export async function refuseOverInputs(
  flag: string,
  files: readonly string[],
  inputs: () => Promise<readonly Input[]>,
): Promise<void> {
  if (files.length === 0) return;
  const places = new Map<string, Input>();
  for (const input of await inputs()) {
    const place = await placeOf(input.file);
    if (place !== undefined && !places.has(place)) places.set(place, input);
  }
  for (const file of files) {
    const place = await placeOf(file);
    const isJournal = path.basename(file) === journalFile;
    const input = place === undefined ? undefined : isJournal ? { what: 'a journal' } : places.get(place);
    if (input)
      throw new UserError(
        `${flag}: ${quote(file)} is ${input.what}, and nothing takes the place of what is read; name another file`,
      );
  }
}

/** The same for all names of a file: links, and other spellings where the file system knows no case. */
async function placeOf(file: string): Promise<string | undefined> {
  try {
    const facts = await stat(file, { bigint: true });
    return facts.isFile() ? `${facts.dev}:${facts.ino}` : undefined;
  } catch {
    // What is not there cannot be overwritten, and what a check says may be no name of a file at all.
    return undefined;
  }
}

/** The files that are read for what a line begins or goes on with. */
export async function inputsOf(project: Project, parts: ReadParts): Promise<Input[]> {
  const { suite, prompts, baseline, folder } = parts;
  const { root, config } = project;
  const all = (what: string, files: readonly (string | undefined)[]): Input[] =>
    files.flatMap((file) => (file === undefined ? [] : [{ file: path.resolve(root, file), what }]));
  const named = Object.values(config.prompts).flatMap(({ deployed, candidate }) => [deployed, candidate]);
  return [
    ...all('the config', [configFileName]),
    ...all('a prompt', [...prompts, ...named]),
    ...(suite ? suiteInputs(root, suite) : []),
    ...all('a baseline', [baseline, ...(await filesIn(path.resolve(root, config.baselines), /\.ya?ml$/i))]),
    ...all('a simulated model', await filesIn(path.resolve(root, config.simulated), /\.ya?ml$/i)),
    ...(await judgeInputs(project)),
    ...(folder === undefined
      ? []
      : all(
          'a file of the run',
          [journalFile, baselineCopy, summaryFile].map((name) => path.join(folder, name)),
        )),
  ];
}

function suiteInputs(root: string, suite: Suite): Input[] {
  const { name, files = [], target } = suite;
  const own = [...files, quarantinePath(suite), noisePath(suite)];
  const programs = [...programFiles(root, suite, true)].map(({ file }) => file);
  if (target.kind === 'module') programs.push(target.file);
  return [
    ...own.map((file) => ({ file, what: `a file of the suite ${quote(name)}` })),
    ...programs.map((file) => ({ file, what: `a program of the suite ${quote(name)}` })),
  ];
}

async function judgeInputs(project: Project): Promise<Input[]> {
  const files = await Promise.all(judgeFolders(project).map((one) => filesIn(one, /@\d+\.md$|\.ya?ml$/i)));
  return files.flat().map((file) => {
    const what = file.endsWith('.md') ? 'a prompt of a judge' : 'labels of a judge';
    return { file, what };
  });
}

/** The files below a folder, absolute; none where it cannot be read. */
async function filesIn(folder: string, names: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries.filter((entry) => names.test(entry)).map((entry) => path.join(folder, entry));
}

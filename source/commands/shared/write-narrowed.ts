import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/make-folder.js';
import { quote } from '../../base/quote.js';
import { badWithout, closeNeeds } from '../../bisect/candidate.js';
import { candidateText } from '../../bisect/candidate-prompt.js';
import type { BisectRecord } from '../../bisect/record.js';
import type { Project } from '../../project/config.js';
import { shownPath } from '../../project/paths.js';
import { unifiedLines } from '../../report/bisect-diff.js';

/** The narrowed prompt in a file. */
export interface WrittenPrompt {
  /** Absolute. */
  path: string;
  /** The file had this text already: nothing was written. */
  isOld: boolean;
  /** From the bad prompt to it, unified; each line safe to print. */
  diff: string;
}

/** So many versions are tried for a free name. */
const mostVersions = 1000;

/**
 * Writes B without the guilty hunks as a new file, never over one that is there. `target`: a file, from the folder of
 * the call; default: the next free version beside the bad one, unless a version there has its text already. Throws
 * UserError where nothing was found, where the file is there already, and where it cannot be written.
 */
export async function writeNarrowed(
  record: BisectRecord,
  target: string | undefined,
  project: Project,
): Promise<WrittenPrompt> {
  const { bad } = record.planned;
  const text = narrowedText(record);
  const badFile = path.resolve(project.root, bad.path);
  const named = target === undefined ? undefined : path.resolve(project.cwd ?? project.root, target);
  const old = named === undefined ? await versionWith(text, badFile) : undefined;
  const file = old ?? (await writeFresh(named === undefined ? versionsAfter(badFile) : [named], text));
  const to = { name: shownPath(project.root, file), text };
  const from = { name: bad.path === '' ? bad.name : bad.path, text: bad.text };
  return { path: file, isOld: old !== undefined, diff: unifiedLines(from, to).join('\n') };
}

/** B without the hunks that were found. Throws UserError where none were. */
function narrowedText(record: BisectRecord): string {
  const finding = record.found()?.finding;
  if (finding?.kind !== 'hunks')
    throw new UserError('no hunks were found, so there is no narrowed prompt to write');
  const { hunks, dependencies } = record.session();
  return candidateText(record.diff, badWithout(finding.hunks, closeNeeds(hunks, dependencies)));
}

/** `v16.md`, `v17.md`, … after `v15.md`; `refund-narrowed.md`, `refund-narrowed2.md`, … after a name without a number. */
export function* versionsAfter(file: string): Generator<string> {
  const { dir, name, ext } = path.parse(file);
  const [, stem = name, digits] = /^(.*?)(\d{1,9})$/.exec(name) ?? [];
  for (let step = 1; step <= mostVersions; step++) {
    if (digits !== undefined)
      yield path.join(dir, `${stem}${String(Number(digits) + step).padStart(digits.length, '0')}${ext}`);
    else yield path.join(dir, `${name}-narrowed${step === 1 ? '' : step}${ext}`);
  }
}

/** The first version beside a prompt that holds the text; those that cannot be read hold none. */
async function versionWith(text: string, prompt: string): Promise<string | undefined> {
  const { dir, ext } = path.parse(prompt);
  const names = await readdir(dir).catch(() => []);
  const size = Buffer.byteLength(text);
  for (const name of names.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))) {
    if (path.extname(name) !== ext) continue;
    const file = path.join(dir, name);
    try {
      const stats = await stat(file);
      if (stats.isFile() && stats.size === size && (await readFile(file, 'utf8')) === text) return file;
    } catch {
      // Gone meanwhile, or not readable.
    }
  }
  return undefined;
}

/** Writes the text to the first of the files that is not there yet. */
async function writeFresh(files: Iterable<string>, text: string): Promise<string> {
  let last = '';
  for (const file of files) {
    last = file;
    if (await writeNew(file, text)) return file;
  }
  throw new UserError(
    `${quote(last)} is there already, and nothing is overwritten; name another with --write FILE`,
  );
}

/** False where something is there. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await makeFolder(path.dirname(file));
    const handle = await open(file, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } catch (error) {
      // Half a prompt would be taken for one.
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (error instanceof UserError) throw error;
    throw new UserError(`the narrowed prompt ${quote(file)} cannot be written: ${messageOf(error)}`);
  }
}

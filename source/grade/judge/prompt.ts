import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { oddFileMistake } from '../../base/odd-file.js';
import { readInstructions } from './instructions.js';

/** One version of a judge prompt. */
export interface JudgePrompt {
  /** `name@N` */
  name: string;
  /** The whole file, line ends as `\n`: what is common, and a part for each task. */
  text: string;
  /** Of `text`, so that the line ends of a checkout do not change it. */
  sha256: string;
}

const judgeName = /^[\p{L}\p{N}][\p{L}\p{N}_-]*@[1-9]\d*$/u;

/**
 * Reads a judge prompt, `<folder>/<name@N>.md`, from the first of the folders (absolute) that has it.
 * Throws UserError, which names the prompts that exist, and for a prompt whose parts are not in order.
 */
export async function loadJudgePrompt(name: string, folders: readonly string[]): Promise<JudgePrompt> {
  if (!judgeName.test(name))
    throw new UserError(
      `"${name}" is no judge prompt: it is named name@N, as in default@1${await existing(folders)}`,
    );
  for (const folder of folders) {
    const bytes = await readIfThere(join(folder, `${name}.md`));
    if (bytes === undefined) continue;
    const text = bytes.replace(/^\ufeff/u, '').replace(/\r\n/gu, '\n');
    if (text.trim() === '') throw new UserError(`the judge prompt ${join(folder, `${name}.md`)} is empty`);
    readInstructions(name, text);
    return { name, text, sha256: sha256(text) };
  }
  throw new UserError(`there is no judge prompt "${name}"${await existing(folders)}`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const odd = oddFileMistake(await stat(path));
    if (odd !== undefined) throw new UserError(`the judge prompt ${path} cannot be read: ${odd}`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`the judge prompt ${path} cannot be read (${String(code ?? error)})`);
  }
}

async function existing(folders: readonly string[]): Promise<string> {
  const names = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(folder).catch(() => []);
      return files.flatMap((file) =>
        file.endsWith('.md') && judgeName.test(file.slice(0, -3)) ? [file.slice(0, -3)] : [],
      );
    }),
  );
  const all = [...new Set(names.flat())].sort();
  return all.length > 0 ? `; there is ${all.join(', ')}` : `; there is none in ${folders.join(' or ')}`;
}

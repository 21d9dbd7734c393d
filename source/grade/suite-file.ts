import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { oddFileMistake } from '../base/odd-file.js';

const texts = new Map<string, string>();

/**
 * The text of a file that a check names, below the suite's folder. Read once a process: a file that is edited
 * while a run is going on must not change what the rest of the trials is graded by. Throws an Error whose
 * message says what is wrong with the name or the file, for a mistake's text.
 */
export function readSuiteFile(suiteFolder: string, file: string): string {
  const path = resolve(suiteFolder, file);
  const below = relative(suiteFolder, path);
  if (isAbsolute(file) || isAbsolute(below) || below === '' || below === '..' || below.startsWith(`..${sep}`))
    throw new Error(`"${file}" has to be a file below the folder of the suite`);
  const known = texts.get(path);
  if (known !== undefined) return known;
  const text = readText(path, file);
  texts.set(path, text);
  return text;
}

function readText(path: string, file: string): string {
  let bytes: Buffer;
  let odd: string | undefined;
  try {
    const facts = statSync(path);
    odd = facts.isDirectory() ? undefined : oddFileMistake(facts);
    bytes = odd === undefined ? readFileSync(path) : Buffer.alloc(0);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Error(`there is no file "${file}" in the folder of the suite`);
    if (code === 'EISDIR') throw new Error(`"${file}" is a folder`);
    throw new Error(`"${file}" cannot be read (${String(code ?? error)})`);
  }
  if (odd !== undefined) throw new Error(`"${file}": ${odd}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`"${file}" is not UTF-8`);
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

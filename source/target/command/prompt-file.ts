import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The text of a prompt in a file that only this user can read, for a program that takes a path. */
export interface PromptFile {
  path: string;
  /** Never rejects. */
  remove(): Promise<void>;
  /** For the moment at which the process exits. */
  removeNow(): void;
}

/** Writes the text to a new file in a new folder of the system's folder for temporary files. */
export async function writePromptFile(text: string): Promise<PromptFile> {
  const folder = await mkdtemp(join(tmpdir(), 'evalrun-prompt-'));
  const path = join(folder, 'prompt.md');
  const options = { recursive: true, force: true };
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await rm(folder, options);
    throw error;
  }
  // A file that cannot be removed is no reason to lose a trial.
  return {
    path,
    remove: () => rm(folder, options).catch(() => {}),
    removeNow: () => rmSync(folder, options),
  };
}

/** Bytes of a prompt that is also given as a variable: one string of an environment may have 128 KiB on Linux, 32 KiB on Windows. */
const largestVariable = 16 * 1024;

/** `EVALRUN_PROMPT_FILE`, and `EVALRUN_PROMPT` for a text that fits into a variable. */
export function promptVariables(text: string, path: string): Record<string, string> {
  const fits = Buffer.byteLength(text, 'utf8') <= largestVariable && !text.includes('\0');
  return { EVALRUN_PROMPT_FILE: path, ...(fits ? { EVALRUN_PROMPT: text } : {}) };
}

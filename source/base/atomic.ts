import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { makeFolder } from './make-folder.js';

/**
 * Writes a file so that a reader sees the old content or the new one, never a half: to a neighbour first,
 * flushed to disk, then renamed over. Makes missing folders (0700). The one place that replaces files.
 * Throws the file system's error; the old content is then still there.
 */
export async function writeFileAtomically(file: string, text: string, mode = 0o600): Promise<void> {
  await makeFolder(path.dirname(file), 0o700);
  await writeFileAtomic(file, text, { mode });
}

/** As `writeFileAtomically`, at once: for what a person has just said. Missing folders are not made. */
export function writeFileAtOnce(file: string, text: string, mode: number): void {
  writeFileAtomic.sync(file, text, { mode });
}

import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nearest } from '../base/nearest.js';
import { listed } from '../base/quote.js';
import { shownPath } from './paths.js';

/** As many names as a message lists before it names only the nearest. */
const few = 8;

/**
 * What stands where a file was looked for, as the second half of a message: all of it where that is little, else
 * the name that was probably meant. `path` is absolute.
 */
export async function whatIsThere(root: string, path: string): Promise<string> {
  const folder = dirname(path);
  const shown = shownPath(root, folder);
  const entries: string[] | undefined = await readdir(folder).catch(() => undefined);
  if (entries === undefined) return `there is no folder ${shown}`;
  const names = entries.filter((name) => !name.startsWith('.')).sort();
  if (names.length === 0) return `the folder ${shown} is empty`;
  const near = nearest(basename(path), names);
  if (names.length > few && near !== undefined) return `did you mean ${near}?`;
  const some = names.length > few ? [...names.slice(0, few), `${names.length - few} more`] : names;
  return `in ${shown} there ${names.length === 1 ? 'is' : 'are'} ${listed(some)}`;
}

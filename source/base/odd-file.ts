import type { Stats } from 'node:fs';

/** Bytes of a file that a person writes; a longer one is something else, and would fill the memory. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Why a file is not one to be read, as the end of a sentence about it; undefined for one that is. To be asked before
 * it is opened: a pipe nobody writes to and a device would be read for ever.
 */
export function oddFileMistake(facts: Pick<Stats, 'isFile' | 'isDirectory' | 'size'>): string | undefined {
  if (facts.isDirectory()) return 'this is a folder; a file was expected';
  if (!facts.isFile()) return 'this is no regular file but a pipe, a socket or a device';
  if (facts.size > mostBytes)
    return `the file has ${Math.round(facts.size / 1024 / 1024)} MiB; at most ${mostBytes / 1024 / 1024} are read`;
  return undefined;
}

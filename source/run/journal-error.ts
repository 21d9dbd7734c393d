import { type ExitCode, messageOf, UserError } from '../base/errors.js';

/** What helps, by what the system says. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on that disk',
  EDQUOT: 'make room in your quota of that disk',
  EFBIG: 'let files be larger there (ulimit -f)',
  EROFS: 'that disk can only be read: mount it for writing, or copy the folder of the run to where it can be',
  EACCES: 'make the file and its folder yours',
  EPERM: 'make the file and its folder yours',
  ENOENT: 'it is gone, or its folder is',
  EMFILE: 'let the process open more files (ulimit -n)',
};

/**
 * Why nothing comes of a journal, for a person: which it is, what the system says, and what helps. `tried`: `written`, as
 * the end of "cannot be …". `after`: what to do then. Its cause is the system's error.
 */
export function journalError(
  file: string,
  tried: string,
  cause: unknown,
  options: { after?: string; exitCode?: ExitCode } = {},
): UserError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const advice = [remedies[code], options.after].filter((part) => part !== undefined).join('; ');
  const error = new UserError(
    `the journal ${file} cannot be ${tried}: ${messageOf(cause)}${advice === '' ? '' : `; ${advice}`}`,
    options.exitCode,
  );
  error.cause = cause;
  return error;
}

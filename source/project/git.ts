import { execFile } from 'node:child_process';

/** What git says of a working tree. */
export interface GitFacts {
  /** 40 hexadecimal digits. */
  commit: string;
  /** Not set where no branch is checked out. */
  branch?: string;
  /** Files differ from the commit, or are new. */
  dirty: boolean;
}

/** What git says of one file. */
export interface GitFileFacts {
  /** The last commit that changed the file; not set where none has. */
  commit?: string;
  /** The file differs from that commit, or is in none. */
  dirty: boolean;
}

/** Facts on the tree that a folder stands in; undefined without git, outside of a tree, and before the first commit. */
export async function gitFacts(root: string): Promise<GitFacts | undefined> {
  const output = await git(root, ['status', '--porcelain=v2', '--branch']);
  if (output === undefined) return undefined;
  const lines = output.split('\n').filter((line) => line !== '');
  const header = (name: string) => {
    const start = `# branch.${name} `;
    return lines.find((line) => line.startsWith(start))?.slice(start.length);
  };
  const commit = header('oid');
  if (commit === undefined || commit === '(initial)') return undefined;
  const branch = header('head');
  return {
    commit,
    ...(branch !== undefined && branch !== '(detached)' && { branch }),
    dirty: lines.some((line) => !line.startsWith('#')),
  };
}

/** Facts on one file, given relative to `root` or absolute; undefined without git and outside of a tree. */
export async function gitFileFacts(root: string, file: string): Promise<GitFileFacts | undefined> {
  const [log, status] = await Promise.all([
    git(root, ['log', '-1', '--format=%H', '--', file]),
    git(root, ['status', '--porcelain', '--ignored', '--', file]),
  ]);
  if (status === undefined) return undefined;
  const commit = log?.trim();
  return { ...(commit && { commit }), dirty: status.trim() !== '' };
}

/** The bytes of a file at a git revision as text, with the commit; undefined where git does not have it. */
export async function gitShow(
  root: string,
  revision: string,
  file: string,
): Promise<{ text: string; commit: string } | undefined> {
  const commit = (
    await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  )
    ?.split('\n')
    .find((line) => /^[0-9a-f]{40,64}$/.test(line));
  if (commit === undefined) return undefined;
  // `./` makes git read the path from the folder that it is called in rather than from the top of the tree.
  const text = await git(root, ['show', `${commit}:./${file}`]);
  return text === undefined ? undefined : { text, commit };
}

/** Who wrote a commit, or would. */
export interface GitPerson {
  name: string;
  /** In lower case. */
  email: string;
}

/** Whom git would name as the author of a commit now; undefined without git, and where it knows nobody. */
export async function gitUser(root: string): Promise<GitPerson | undefined> {
  const [, name, email] =
    /^(.*) <(.*)> \d+ [-+]\d+\s*$/.exec((await git(root, ['var', 'GIT_AUTHOR_IDENT'])) ?? '') ?? [];
  return name === undefined || email === undefined ? undefined : { name, email: email.toLowerCase() };
}

/**
 * Who last changed a file, as of a commit; undefined where git does not know the file. `file` as in `gitFileFacts`.
 */
export async function gitLastAuthor(
  root: string,
  file: string,
  revision = 'HEAD',
): Promise<(GitPerson & { commit: string }) | undefined> {
  const log = await git(root, ['log', '-1', '--format=%H%x00%an%x00%ae', revision, '--', file]);
  const [commit, name, email] = log?.trimEnd().split('\0') ?? [];
  if (!commit || name === undefined || email === undefined) return undefined;
  return { commit, name, email: email.toLowerCase() };
}

/** One commit that changed a file. */
export interface GitFileCommit {
  commit: string;
  author: string;
  /** `2026-11-30` */
  date: string;
  subject: string;
}

/** The commits that changed a file, under whatever name it had, newest first; none without git. */
export async function gitFileLog(root: string, file: string): Promise<GitFileCommit[]> {
  const log = await git(root, [
    'log',
    '--follow',
    '--date=short',
    '--format=%H%x00%an%x00%ad%x00%s',
    '--',
    file,
  ]);
  return (log ?? '').split('\n').flatMap((line) => {
    const [commit, author, date, subject] = line.split('\0');
    return commit && author !== undefined && date !== undefined && subject !== undefined
      ? [{ commit, author, date, subject }]
      : [];
  });
}

/**
 * The environment that git is asked in. A hook is told where the repository is as seen from its top; from another folder
 * git would take that folder for the top.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_PREFIX: _, ...rest } = env;
  const isSaidWhole = GIT_DIR !== undefined && env.GIT_WORK_TREE !== undefined;
  return {
    ...rest,
    ...(isSaidWhole && { GIT_DIR }),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** What git printed, undefined when it is not there or ended in an error. Never asks, never takes a lock. */
export function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--literal-pathspecs', ...args],
      { cwd: folder, env: gitEnvironment(), timeout: 20_000, maxBuffer: 64 * 1024 * 1024, windowsHide: true },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}

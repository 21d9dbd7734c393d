import { spawn } from 'node:child_process';
import { type GitPerson, git, gitEnvironment } from './git.js';

/** A file of a tree or of what is about to be committed. */
export interface TreeFile {
  /** From the folder that was asked about, with slashes. */
  path: string;
  /** Id of its content. */
  blob: string;
}

/** One commit as the guard looks at it. */
export interface Commit {
  commit: string;
  parents: string[];
  author: GitPerson;
  subject: string;
  /** All of it. */
  message: string;
}

/** What stands in the place of a commit for what is about to be committed. */
export const staged = Symbol('staged');

/** Whether a folder is in a working tree of git. */
export async function isInGit(root: string): Promise<boolean> {
  return (await git(root, ['rev-parse', '--is-inside-work-tree']))?.trim() === 'true';
}

/**
 * The commits of a range (`a..b`), or the one commit that is named, parents first. Undefined where git does not know what
 * is meant.
 */
export async function commitsOf(root: string, range: string): Promise<string[] | undefined> {
  const isRange = range.includes('..');
  const args = ['rev-list', '--topo-order', '--reverse', ...(isRange ? [] : ['--no-walk'])];
  const found = await git(root, [...args, '--end-of-options', range]);
  return found?.split('\n').filter((line) => line !== '');
}

/** Parents are those that the commit names, also where a shallow clone does not have them. */
export async function readCommit(root: string, commit: string): Promise<Commit> {
  const raw = await git(root, ['cat-file', 'commit', commit]);
  const format = await git(root, ['show', '--no-patch', '--format=%an%x00%ae%x00%s%x00%B', commit]);
  if (raw === undefined || format === undefined) throw new Error(`git cannot read commit ${commit}`);
  const head = raw.split('\n\n', 1)[0] ?? '';
  const [name = '', email = '', subject = '', message = ''] = format.split('\0');
  return {
    commit,
    parents: head.split('\n').flatMap((line) => /^parent ([0-9a-f]+)$/.exec(line)?.[1] ?? []),
    author: { name, email: email.toLowerCase() },
    subject,
    message,
  };
}

/** Whether git has a commit, which a shallow clone need not. */
export async function hasCommit(root: string, commit: string): Promise<boolean> {
  return (await git(root, ['cat-file', '-e', `${commit}^{commit}`])) !== undefined;
}

/** The commit that is checked out; undefined before the first. */
export async function headCommit(root: string): Promise<string | undefined> {
  return (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim() || undefined;
}

/** The second parent of a merge that is about to be committed; undefined where none is. */
export async function mergeHead(root: string): Promise<string | undefined> {
  return (await git(root, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD^{commit}']))?.trim() || undefined;
}

/** The files below a folder as they stand in a commit, or as they are staged. Links and submodules are left out. */
export async function filesAt(root: string, commit: string | typeof staged): Promise<TreeFile[]> {
  const output =
    commit === staged
      ? await git(root, ['ls-files', '--stage', '-z'])
      : await git(root, ['ls-tree', '-r', '-z', commit]);
  if (output === undefined) throw new Error('git cannot list the files');
  return output.split('\0').flatMap((line) => {
    // `100644 blob ID<tab>path` of a tree, `100644 ID stage<tab>path` of the index; a conflict has no stage 0.
    const [, blob, path] =
      (commit === staged
        ? /^100[0-7]{3} ([0-9a-f]+) 0\t(.+)$/s.exec(line)
        : /^100[0-7]{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line)) ?? [];
    return blob === undefined || path === undefined ? [] : [{ blob, path }];
  });
}

/** The contents of blobs by id, asked of one process. One that git does not have is left out. */
export async function readBlobs(root: string, blobs: readonly string[]): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(blobs)];
  const contents = new Map<string, Buffer>();
  if (wanted.length === 0) return contents;
  const child = spawn('git', ['cat-file', '--batch'], {
    cwd: root,
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`${wanted.join('\n')}\n`);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  const bytes = Buffer.concat(chunks);
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', kind, size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing') continue;
    contents.set(id, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

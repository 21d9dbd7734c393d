import { type ExitCode, InputError, UserError } from '../base/errors.js';
import { quote } from '../base/quote.js';
import {
  commonChanges,
  type GuardChanges,
  guardChanges,
  isRefused,
  unexplainedBlesses,
} from '../compare/guard.js';
import type { ReadSnapshot } from '../compare/guard-snapshot.js';
import { loadProject } from '../project/config.js';
import { type GitPerson, gitLastAuthor, gitUser } from '../project/git.js';
import {
  type Commit,
  commitsOf,
  hasCommit,
  headCommit,
  isInGit,
  mergeHead,
  readCommit,
  staged,
} from '../project/git-history.js';
import { type GuardFinding, guardFacts, guardLines, stops } from '../report/guard.js';
import { safeJson } from '../report/json.js';
import type { CommandIo } from './io.js';
import { createSnapshots } from './shared/git-snapshots.js';
import { writeLines } from './shared/output.js';

export interface GuardArgs {
  /** A commit or a range of commits; not set: the last commit. */
  range?: string | undefined;
  /** What is about to be committed. */
  staged?: boolean;
  json?: boolean;
}

type Snapshots = Awaited<ReturnType<typeof createSnapshots>>;

/**
 * `evalrun guard`: refuses commits that change a prompt and what it is held against together. Exit code 1 where one is
 * refused, 2 where git or the files cannot be read.
 */
export async function guardCommand(args: GuardArgs, io: CommandIo): Promise<ExitCode> {
  if (args.staged === true && args.range !== undefined)
    throw new UserError('--staged looks at what is not committed yet; give it no range');
  const { root, config } = await loadProject({ cwd: io.cwd, env: io.env });
  if (!(await isInGit(root)))
    throw new UserError(`${root} is not in a repository of git; there are no commits to guard`);
  const secondReviewer = config.guard.secondReviewer ?? false;
  const snapshots = await createSnapshots(root);
  const findings: GuardFinding[] = [];
  try {
    if (args.staged === true) findings.push(await lookAtStaged(root, snapshots));
    else
      for (const commit of await namedCommits(root, args.range))
        findings.push(await lookAt(root, commit, snapshots));
  } finally {
    await snapshots.remove();
  }
  const stopped = findings.filter((finding) => stops(finding, secondReviewer));
  const exitCode = stopped.length > 0 ? 1 : 0;
  if (args.json === true) {
    const commits = findings.map((finding) => guardFacts(finding, secondReviewer));
    await writeLines(io.stdout, [safeJson({ commits, exitCode })]);
    return exitCode;
  }
  const what =
    args.staged === true
      ? 'what is staged'
      : `${findings.length} ${findings.length === 1 ? 'commit' : 'commits'}`;
  const lines = findings.flatMap((finding) => guardLines(finding, secondReviewer));
  if (stopped.length === 0)
    lines.push(`guard: ${what}, no prompt changed together with what it is held against`);
  await writeLines(io.stdout, lines, io.env);
  return exitCode;
}

async function namedCommits(root: string, range = 'HEAD'): Promise<string[]> {
  const commits = await commitsOf(root, range);
  if (commits !== undefined) return commits;
  if (range === 'HEAD') return [];
  throw new UserError(
    `git does not know ${quote(range)}; a range is two commits that are both here, as in origin/main..HEAD (in CI: fetch all of the history)`,
  );
}

async function lookAt(root: string, id: string, snapshots: Snapshots): Promise<GuardFinding> {
  const commit = await readCommit(root, id);
  for (const parent of commit.parents) {
    if (await hasCommit(root, parent)) continue;
    throw new UserError(
      `the parent of ${id.slice(0, 9)} is not here: this is a shallow clone; fetch all of the history (fetch-depth: 0 in GitHub Actions)`,
    );
  }
  const { changes, unread } = await changesOf(snapshots, commit.parents, id);
  return {
    commit: id,
    subject: commit.subject,
    isHead: (await headCommit(root)) === id,
    changes,
    unexplained: unexplainedBlesses(changes, commit.message),
    own: await blessedByAuthor(root, changes, commit),
    unread,
  };
}

async function lookAtStaged(root: string, snapshots: Snapshots): Promise<GuardFinding> {
  const parents = [await headCommit(root), await mergeHead(root)].filter((one) => one !== undefined);
  const { changes, unread } = await changesOf(snapshots, parents, staged);
  const author = await gitUser(root);
  const own = author ? await blessedByAuthor(root, changes, { author, commit: 'HEAD' }) : [];
  // The message is not written yet.
  return { isHead: false, changes, unexplained: [], own, unread };
}

/** What a commit changes against its parents; nothing where it has none. */
async function changesOf(
  snapshots: Snapshots,
  parents: readonly string[],
  commit: string | typeof staged,
): Promise<{ changes: GuardChanges; unread: string[] }> {
  const sides: GuardChanges[] = [];
  const unread = new Set<string>();
  for (const parent of parents) {
    if (await snapshots.isSame(parent, commit)) {
      sides.push({ prompts: [], criteria: [], blesses: [] });
      continue;
    }
    const before = await snapshots.read(parent);
    const after = await snapshots.read(commit);
    const changes = guardChanges(before.snapshot, after.snapshot);
    if (isRefused(changes)) {
      refuseUnread(after);
      for (const { file } of before.problems) unread.add(file);
    }
    sides.push(changes);
  }
  return { changes: commonChanges(sides), unread: [...unread] };
}

/** Files that cannot be read hide what they mean. */
function refuseUnread({ problems }: ReadSnapshot): void {
  if (problems.length > 0) throw new InputError(problems);
}

async function blessedByAuthor(
  root: string,
  { blesses }: GuardChanges,
  { author, commit }: Pick<Commit, 'commit'> & { author: GitPerson },
): Promise<GuardFinding['own']> {
  const own: GuardFinding['own'] = [];
  for (const bless of blesses) {
    if (bless.prompt === undefined) continue;
    const editor = await gitLastAuthor(root, bless.prompt, commit);
    if (editor?.email === author.email) own.push(bless);
  }
  return own;
}

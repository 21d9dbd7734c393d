import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ReadSnapshot, readGuardSnapshot } from '../../compare/guard-snapshot.js';
import { configFileName } from '../../project/config.js';
import { filesAt, readBlobs, type staged, type TreeFile } from '../../project/git-history.js';

type Revision = string | typeof staged;

/** Where a path is written to in a file of a suite. */
const pathLike = /(?:\.{1,2}\/)+[\w@%+=,./-]+/g;

/**
 * Reads versions of a project out of git, each once, by writing what it needs of one into a folder of its own: all of
 * them into the same, one after another, so that no path tells them apart.
 */
export async function createSnapshots(root: string) {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'evalrun-guard-')));
  const folder = path.join(parent, path.basename(root) || 'project');
  const listings = new Map<Revision, TreeFile[]>();
  const snapshots = new Map<Revision, ReadSnapshot>();

  async function list(revision: Revision): Promise<TreeFile[]> {
    const files = listings.get(revision) ?? (await filesAt(root, revision));
    listings.set(revision, files);
    return files;
  }

  return {
    /** Whether two versions hold the same of all that could be a prompt, a criterion or a baseline. */
    async isSame(a: Revision, b: Revision): Promise<boolean> {
      const written = async (revision: Revision) => {
        const files = await list(revision);
        const isOurs = await whatMatters(root, files);
        return files.flatMap((file) => (isOurs(file) ? [`${file.blob} ${file.path}`] : [])).join('\n');
      };
      return (await written(a)) === (await written(b));
    },
    async read(revision: Revision): Promise<ReadSnapshot> {
      const known = snapshots.get(revision);
      if (known) return known;
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeVersion(root, folder, await list(revision));
      const snapshot = await readGuardSnapshot(folder);
      snapshots.set(revision, snapshot);
      return snapshot;
    },
    async remove(): Promise<void> {
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Files that people write and that may be named by others. */
const textFile = /\.(?:ya?ml|jsonl?|ndjson|md|txt|csv)$/i;

/** Larger than what a person writes. */
const mostBytes = 4 * 1024 * 1024;

/** Folders of a project whose config does not say otherwise. */
const usualFolders: readonly string[] = ['prompts/', 'suites/', 'baselines/', 'judges/'];

/** Which files could be prompts, criteria or baselines, or be named by them. */
async function whatMatters(root: string, files: readonly TreeFile[]): Promise<(file: TreeFile) => boolean> {
  const starts = [...usualFolders, ...(await pathsInConfig(root, files))];
  return ({ path: name }) =>
    !name.includes('node_modules/') &&
    (textFile.test(name) || starts.some((start) => name.startsWith(start)));
}

async function writeVersion(root: string, folder: string, files: readonly TreeFile[]): Promise<void> {
  const isOurs = await whatMatters(root, files);
  const chosen = files.filter(isOurs);
  const contents = await readBlobs(
    root,
    chosen.map(({ blob }) => blob),
  );
  // Programs and modules that checks name, found where they are named.
  const named = new Set<string>();
  for (const { path: name, blob } of chosen) {
    const bytes = contents.get(blob);
    if (!bytes || bytes.length > mostBytes) continue;
    await write(folder, name, bytes);
    if (!/\.(?:ya?ml|jsonl?|ndjson)$/i.test(name)) continue;
    const folders = ancestors(name);
    for (const [found] of bytes.toString('utf8').matchAll(pathLike)) {
      for (const start of folders) named.add(path.posix.join(start, found));
    }
  }
  const programs = files.filter((file) => named.has(file.path) && !isOurs(file));
  const more = await readBlobs(
    root,
    programs.map(({ blob }) => blob),
  );
  for (const { path: name, blob } of programs) {
    const bytes = more.get(blob);
    if (bytes) await write(folder, name, bytes);
  }
  // Without a config of its own the project would be looked for further up.
  if (!files.some(({ path: name }) => name === configFileName))
    await write(folder, configFileName, Buffer.from('{}\n'));
}

/** What the config names, up to where a glob begins. */
async function pathsInConfig(root: string, files: readonly TreeFile[]): Promise<string[]> {
  const config = files.find(({ path: name }) => name === configFileName);
  if (!config) return [];
  const text = (await readBlobs(root, [config.blob])).get(config.blob)?.toString('utf8') ?? '';
  const strings = Array.from(text.matchAll(/"([^"\\\\]+)"/g), ([, found = '']) => found.replace(/^\.\//, ''));
  return strings.map((found) => found.split(/[*?[{(!]/)[0] ?? '').filter((start) => start !== '');
}

/** The folders that a path in a file may start at: its own, and those above. */
function ancestors(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('/'));
}

async function write(folder: string, name: string, bytes: Buffer): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

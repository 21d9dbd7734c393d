import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../base/atomic.js';
import { type Clock, systemClock } from '../../base/clock.js';
import type { CachedVerdict, JudgeCache } from '../types.js';

export interface FileCacheOptions {
  /** Where it stands, absolute; made when first written to. Nothing else may stand there. */
  folder: string;
  /** Verdicts that are kept, about: the ones used longest ago go first. Default 50,000, some 25 MB. */
  most?: number;
  /** Tells when an entry was used. Default: the system's. */
  clock?: Clock;
}

/** Folders by the first two digits of the key, so that no folder is long and each is kept short by itself. */
const shards = 256;
/** Characters of an entry; a verdict with a longer reason is asked for anew. */
const longestEntry = 64_000;

const entrySchema = z.strictObject({
  key: z.string(),
  verdict: z.strictObject({
    score: z.int().min(1).max(5).exactOptional(),
    pass: z.boolean().exactOptional(),
    answers: z.record(z.string(), z.boolean()).exactOptional(),
    reason: z.string(),
  }),
});

/**
 * Keeps verdicts in files, one each, written by rename: processes may share a folder, a crash leaves no half of an
 * entry, and the one that is written last stays. An entry that is damaged, or whose file was renamed, is none. Never
 * throws: a disk that is full or cannot be read makes the judge be asked.
 */
export function createFileCache({
  folder,
  most = 50_000,
  clock = systemClock,
}: FileCacheOptions): JudgeCache {
  const mostInShard = Math.max(1, Math.ceil(most / shards));
  const shardOf = (key: string) => join(folder, key.slice(0, 2));
  const fileOf = (key: string) => join(shardOf(key), `${key}.json`);
  // Used just now: that is what is told by its time when some have to go.
  const touch = async (file: string) => {
    const seconds = clock.now() / 1000;
    await utimes(file, seconds, seconds).catch(() => {});
  };
  return {
    async get(key) {
      if (!isKey(key)) return undefined;
      try {
        const verdict = readEntry(await readFile(fileOf(key), 'utf8'), key);
        if (verdict) await touch(fileOf(key));
        return verdict;
      } catch {
        return undefined;
      }
    },
    async set(key, verdict) {
      const text = JSON.stringify({ key, verdict });
      if (!isKey(key) || text.length > longestEntry) return;
      try {
        await writeFileAtomically(fileOf(key), text);
        await touch(fileOf(key));
        await shorten(shardOf(key), mostInShard);
      } catch {
        // It is asked for anew another time.
      }
    },
  };
}

/** A key becomes the name of a file. */
function isKey(key: string): boolean {
  return /^[0-9a-f]{8,128}$/.test(key);
}

function readEntry(text: string, key: string): CachedVerdict | undefined {
  const parsed = entrySchema.safeParse(JSON.parse(text));
  return parsed.success && parsed.data.key === key ? parsed.data.verdict : undefined;
}

/** Removes what was used longest ago. Another process may do the same at the same time: what is gone is gone. */
async function shorten(shard: string, most: number): Promise<void> {
  const names = await readdir(shard);
  if (names.length <= most) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(shard, name);
      const found = await stat(file).catch(() => undefined);
      return { file, usedAt: found?.mtimeMs ?? 0 };
    }),
  );
  files.sort((a, b) => a.usedAt - b.usedAt);
  await Promise.all(files.slice(0, files.length - most).map(({ file }) => rm(file, { force: true })));
}

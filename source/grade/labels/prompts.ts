import { readdir } from 'node:fs/promises';

/** The judge prompts in some folders, as `name@N`, sorted. A folder that is not there has none. */
export async function listJudgePrompts(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(folder).catch(() => []);
      return files.flatMap((file) => /^(.+@[1-9]\d*)\.md$/u.exec(file)?.[1] ?? []);
    }),
  );
  return [...new Set(names.flat())].sort();
}

import path from 'node:path';
import { readTextFile } from '../../../base/document.js';
import { configFileName } from '../../../project/config.js';

/** As many as a person chooses from at a glance. */
const most = 9;
const largest = 200_000;
const namedSo = ['md', 'txt', 'j2', 'prompt'].flatMap((ending) => [
  `**/prompts/**/*.${ending}`,
  `**/*{prompt,system,instruction}*.${ending}`,
]);
const elsewhere = [
  '**/node_modules/**',
  '**/dist/**',
  '**/build/**',
  '**/vendor/**',
  '**/readme*',
  '**/license*',
];

/**
 * Files of a project that are prompts by their names, those under `prompts/` first: paths from the root, with slashes.
 * Projects of their own below it keep theirs.
 */
export async function findPromptFiles(root: string): Promise<string[]> {
  const { escapePath, glob } = await import('tinyglobby');
  const usual = { cwd: root, ignore: elsewhere, followSymbolicLinks: false, deep: 6 };
  const configs = await glob(`*/**/${configFileName}`, { ...usual, dot: true });
  const others = configs.map((file) => `${escapePath(path.posix.dirname(file))}/**`);
  const found = await glob(namedSo, {
    ...usual,
    ignore: [...elsewhere, ...others],
    caseSensitiveMatch: false,
  });
  const order = (file: string) => (/(^|\/)prompts\//i.test(file) ? 0 : 1);
  const sorted = found.sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  const prompts: string[] = [];
  for (const file of sorted) {
    if (prompts.length === most) break;
    const { text } = await readTextFile(path.join(root, file), file);
    if (text !== undefined && text.trim() !== '' && text.length <= largest) prompts.push(file);
  }
  return prompts;
}

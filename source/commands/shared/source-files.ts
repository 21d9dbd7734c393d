import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject } from '../../base/json.js';
import { shownPath } from '../../project/paths.js';
import type { Suite } from '../../suite/types.js';

/** Bytes of a file that are read for its hash: longer ones are models and data, told apart by size and time. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Hashes of the files of the project that a run starts as programs, by what they are for and called: those that the
 * command of its target, of its custom checks and of its live tools names. What they load in turn is not followed.
 */
export async function hashCommandFiles(
  root: string,
  suite: CommandParts,
  isLive: boolean,
): Promise<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const { what, file } of programFiles(root, suite, isLive)) {
    const hash = await hashOf(file);
    if (hash !== undefined) sources[`${what} ${shownPath(root, file)}`] = hash;
  }
  return sources;
}

type CommandParts = Pick<Suite, 'folder' | 'target' | 'scenarios'>;

/** The places in the project, absolute, that the words of those commands name, be a file there or not. */
export function* programFiles(
  root: string,
  { folder, target, scenarios }: CommandParts,
  isLive: boolean,
): Generator<{ what: string; file: string }> {
  function* named(what: string, words: readonly string[], cwd: string) {
    for (const word of words) {
      // `--config=agent.json` names a file too.
      for (const name of new Set([word, word.slice(word.indexOf('=') + 1)])) {
        const file = name === '' ? '' : resolve(folder, cwd, name);
        const isInside = file !== '' && shownPath(root, file) !== file.replaceAll('\\', '/');
        if (isInside) yield { what, file };
      }
    }
  }

  if (target.kind === 'command') yield* named('command', target.command, target.cwd);
  if (target.kind === 'prompt' && isLive) {
    for (const tool of Object.values(target.live ?? {}))
      if (tool.kind === 'command') yield* named('tool', tool.command, tool.cwd);
  }
  for (const { args } of scenarios.flatMap(({ checks }) => checks.filter(({ type }) => type === 'custom'))) {
    const { module, command } = isJsonObject(args) ? args : {};
    if (typeof module === 'string') yield* named('check', [module], folder);
    if (Array.isArray(command))
      yield* named(
        'check',
        command.filter((word) => typeof word === 'string'),
        folder,
      );
  }
}

/** Undefined for what is no file, or cannot be read: whoever starts it will say so. */
async function hashOf(file: string): Promise<string | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return undefined;
    if (facts.size > mostBytes) return `${facts.size} bytes of ${facts.mtime.toISOString()}`;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { normaliseText, problemOfFile, readTextFile } from '../base/document.js';
import { InputError, type Problem, UserError } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import { suggest } from '../base/nearest.js';
import { positionAt, problemAt } from '../base/nodes.js';
import { quote } from '../base/quote.js';
import type { Project, ReadProject } from './config.js';
import { whatIsThere } from './folder.js';
import { gitFileFacts, gitShow } from './git.js';
import { shownPath } from './paths.js';

/** One version of a prompt, read. */
export interface PromptVersion {
  /** What screens call it: the file's name without its ending (`v15`), with `@ref` where a git ref was asked for. */
  name: string;
  /** Relative to the root of the project, with slashes. */
  path: string;
  /** Without a byte order mark, lines ending in `\n`, so that it is the same text on every system. */
  text: string;
  /** Of `text`. */
  sha256: string;
  /** The last commit that changed the file; not set outside git and before that. */
  commit?: string;
  /** The file differs from that commit. */
  dirty: boolean;
}

/** Where a version of a prompt is: an absolute path, or a path from the root at a git revision. */
export type PromptPlace =
  | { kind: 'file'; path: string }
  | { kind: 'revision'; revision: string; path: string };

/**
 * Reads one version of a prompt. `nameOrPath`: a name from `prompts` of the config, or the path of a file.
 * `wanted`: `deployed` (default) or `candidate` as the config says, `v15` for a file beside the deployed one,
 * a path, or `<git ref>:<path>`. Paths in `nameOrPath` and after a git ref start at the root of the project, a path
 * in `wanted` at the folder of the call, else at the root.
 * Throws UserError and InputError that name what there is.
 */
export async function loadPrompt(
  project: Project,
  nameOrPath: string,
  wanted?: string,
): Promise<PromptVersion> {
  const place = await findPrompt(project, nameOrPath, wanted);
  return place.kind === 'file' ? readPrompt(project, place.path) : readRevision(project, place);
}

async function readPrompt(project: Project, file: string): Promise<PromptVersion> {
  const shown = shownPath(project.root, file);
  const { text: raw, problems } = await readTextFile(path.resolve(project.root, file), shown);
  if (raw === undefined) throw new InputError(problems);
  const facts = await gitFileFacts(project.root, path.resolve(project.root, file));
  return {
    ...describeText(raw, shown),
    name: path.parse(shown).name,
    ...(facts?.commit !== undefined && { commit: facts.commit }),
    dirty: facts?.dirty ?? false,
  };
}

async function readRevision(
  project: Project,
  { revision, path: file }: { revision: string; path: string },
): Promise<PromptVersion> {
  const shown = shownPath(project.root, file);
  const found = await gitShow(project.root, revision, shown);
  if (found === undefined) {
    throw new UserError(
      `git has no file ${quote(shown)} at ${quote(revision)}; the path starts at the top of the project`,
    );
  }
  return {
    ...describeText(found.text, shown),
    name: `${path.parse(shown).name}@${revision}`,
    commit: found.commit,
    dirty: false,
  };
}

function describeText(raw: string, shown: string): Pick<PromptVersion, 'path' | 'text' | 'sha256'> {
  const text = normaliseText(raw);
  if (text.trim() === '') throw new InputError([problemOfFile(shown, 'the prompt is empty')]);
  return { path: shown, text, sha256: sha256(text) };
}

/** Where the prompt is, without reading it. Throws UserError where no such thing exists. */
export async function findPrompt(
  project: Project,
  nameOrPath: string,
  wanted?: string,
): Promise<PromptPlace> {
  const { prompts } = project.config;
  const entry = Object.hasOwn(prompts, nameOrPath) ? prompts[nameOrPath] : undefined;
  const deployed = entry?.deployed ?? nameOrPath;

  // What the config and suites say does not depend on where the command is called.
  const { root } = project;
  if (wanted === undefined || wanted === 'deployed') {
    const file = await findFile([root], deployed);
    if (file !== undefined) return { kind: 'file', path: file };
    throw new UserError(await explainMissing(project, nameOrPath, deployed));
  }
  if (wanted === 'candidate') {
    if (entry?.candidate === undefined) {
      const where = project.configFile ?? '.evalrc.json';
      throw new UserError(
        `no candidate is named for prompt ${quote(nameOrPath)}; name one in "prompts" of ${where}, or give a path`,
      );
    }
    const file = await findFile([root], entry.candidate);
    if (file !== undefined) return { kind: 'file', path: file };
    throw new UserError(await explainMissing(project, `${nameOrPath} (candidate)`, entry.candidate));
  }

  const extension = path.extname(wanted) === '' ? path.extname(deployed) : '';
  const sibling = path.resolve(root, path.dirname(deployed), wanted + extension);
  const isName = /^[\w.-]+$/.test(wanted);
  const given = isName ? await findFile([root], sibling) : undefined;
  const file = given ?? (await findFile([project.cwd ?? root, root], wanted));
  if (file !== undefined) return { kind: 'file', path: file };

  // A single letter before the colon is a drive of Windows.
  const revision = /^([^:]{2,}|[^:a-zA-Z]):(.+)$/s.exec(wanted);
  if (revision?.[1] !== undefined && revision[2] !== undefined) {
    return { kind: 'revision', revision: revision[1], path: revision[2] };
  }
  const looked = isName ? sibling : path.resolve(project.cwd ?? root, wanted);
  throw new UserError(`there is no prompt ${quote(wanted)}; ${await whatIsThere(root, looked)}`);
}

/** The first of these folders' files of that name that exists, absolute. */
async function findFile(folders: readonly string[], file: string): Promise<string | undefined> {
  for (const folder of folders) {
    const full = path.resolve(folder, file);
    const isFile = await stat(full).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return full;
  }
  return undefined;
}

/** A prompt that the config or a suite names, by name or by path. */
async function explainMissing(project: Project, asked: string, file: string): Promise<string> {
  const { root, config } = project;
  const full = path.resolve(root, file);
  const names = Object.keys(config.prompts);
  if (names.some((name) => asked === name || asked === `${name} (candidate)`)) {
    return `prompt ${quote(asked)}: there is no file ${shownPath(root, full)}; ${await whatIsThere(root, full)}`;
  }
  if (/[/\\]/.test(asked)) return `there is no prompt ${quote(asked)}; ${await whatIsThere(root, full)}`;
  return `there is no prompt ${quote(asked)}, neither in "prompts" of .evalrc.json nor as a file; ${suggest(asked, names, 'prompts')}`;
}

/** Prompts that the config names and that are not there, each at its place in the config. */
export async function findMissingPrompts({ project, node }: ReadProject): Promise<Problem[]> {
  const { configFile, config } = project;
  if (node === undefined || configFile === undefined) return [];
  const problems: Problem[] = [];
  for (const [name, entry] of Object.entries(config.prompts)) {
    for (const version of ['deployed', 'candidate'] as const) {
      if (entry[version] === undefined) continue;
      try {
        await findPrompt(project, name, version);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        problems.push(problemAt(configFile, positionAt(node, ['prompts', name, version]), error.message));
      }
    }
  }
  return problems;
}

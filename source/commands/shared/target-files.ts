import { access, constants, stat } from 'node:fs/promises';
import { basename, delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import type { Problem } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import { parseModelReference } from '../../model/models.js';
import { resolveProvider } from '../../model/provider.js';
import type { Project } from '../../project/config.js';
import { environmentNames } from '../../project/environment.js';
import { shownPath } from '../../project/paths.js';
import type { Suite } from '../../suite/types.js';
import { resolveModelName } from './suite-models.js';

/** Programs whose first argument, where it has the name of a file, is one. */
const interpreters = /^(node|deno|bun|tsx|python[\d.]*|ruby|perl|php|bash|sh|zsh)(\.exe)?$/i;

/** The program and the script of a command target that are not there. A program that is looked up in PATH is no file. */
export async function findMissingPrograms(
  { target, place }: Pick<Suite, 'target' | 'place'>,
  project: Pick<Project, 'root'>,
): Promise<Problem[]> {
  if (target.kind !== 'command') return [];
  const [program = '', ...args] = target.command;
  const script = interpreters.test(basename(program)) ? args.find((arg) => !arg.startsWith('-')) : undefined;
  const files = [
    ...(/[/\\]/.test(program) ? [program] : []),
    ...(script !== undefined && extname(script) !== '' ? [script] : []),
  ];
  const problems: Problem[] = [];
  for (const file of files) {
    const path = resolve(target.cwd, file);
    const isThere = await stat(path).then(
      (facts) => facts.isFile(),
      () => false,
    );
    if (!isThere)
      problems.push({
        ...place,
        message: `the command names ${quote(file)}, and there is no file ${shownPath(project.root, path)}`,
      });
  }
  return problems;
}

/** What the target and the models of a suite want of the machine, and do not find: true here, not elsewhere. */
export async function targetNotes(suite: Suite, project: Project, env: NodeJS.ProcessEnv): Promise<string[]> {
  const missing = variablesOf(suite, project).filter((name) => (env[name] ?? '').trim() === '');
  const notes: string[] = [];
  if (missing.length > 0) {
    const is = missing.length === 1 ? 'is' : 'are';
    notes.push(`note: ${suite.name} needs ${listed(missing)}, which ${is} not set here`);
  }
  const { target } = suite;
  const [program = ''] = target.kind === 'command' ? target.command : [];
  if (program !== '' && !/[/\\]/.test(program) && !(await isInPath(program, env))) {
    notes.push(`note: ${suite.name} starts ${quote(program)}, which is no program in PATH here`);
  }
  return notes;
}

/** The environment variables that a suite takes something from, each once. */
export function variablesOf(suite: Suite, project: Project): string[] {
  const { target, judge, user } = suite;
  const texts: string[] = [];
  const names: string[] = [];
  if (target.kind === 'http') {
    const { tuning, reset, open, send, close } = target;
    const calls = [tuning, reset, open, send, close].flatMap((call) => Object.values(call?.headers ?? {}));
    texts.push(target.baseURL, ...Object.values(target.headers), ...calls);
  }
  if (target.kind === 'command') texts.push(...Object.values(target.env));
  const models = [target.kind === 'prompt' ? target.model : undefined, judge?.model, user?.model];
  for (const model of models) {
    const provider = model && parseModelReference(resolveModelName(project, model))?.provider;
    const settings = provider ? resolveProvider(provider, project.config.providers) : undefined;
    if (settings?.keyEnv) names.push(settings.keyEnv);
    texts.push(...Object.values(settings?.headers ?? {}));
  }
  return [...new Set([...texts.flatMap(environmentNames), ...names])];
}

async function isInPath(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : [''];
  for (const folder of (env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    for (const ending of endings) {
      const found = await access(join(folder, program + ending), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return true;
    }
  }
  return false;
}

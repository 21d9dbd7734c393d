import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type GuardArgs, guardCommand } from '../../source/commands/guard.js';
import { createIo } from '../commands/io.js';
import { createFolder, type Files, writeFiles } from '../suite/project.js';

export interface Repository {
  root: string;
  git(...args: string[]): string;
  write(files: Files): Promise<void>;
  remove(...files: string[]): Promise<void>;
  /** Writes files and commits everything; gives the commit. */
  commit(message: string, files?: Files, author?: string): Promise<string>;
  /** What the command prints, and its exit code. */
  guard(args?: GuardArgs, folder?: string): Promise<{ code: number; text: string }>;
}

/** A repository of git with these files in its first commit; `{}`: without a commit. */
export async function createRepository(files: Files): Promise<Repository> {
  const root = await createFolder({});
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Rosa', '-c', 'user.email=rosa@example.org', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Rosa');
  git('config', 'user.email', 'rosa@example.org');
  const repository: Repository = {
    root,
    git,
    write: (more) => writeFiles(root, more),
    async remove(...names) {
      for (const name of names) await rm(path.join(root, name), { recursive: true });
    },
    async commit(message, more = {}, author) {
      await writeFiles(root, more);
      git('add', '--all');
      git('commit', '--quiet', '-m', message, ...(author === undefined ? [] : [`--author=${author}`]));
      return git('rev-parse', 'HEAD').trim();
    },
    async guard(args = {}, folder = root) {
      const { io, printed } = createIo(folder, {});
      const code = await guardCommand(args, io);
      return { code, text: printed() };
    },
  };
  if (Object.keys(files).length > 0) await repository.commit('first', files);
  return repository;
}

const check = (pattern: string) => `{type: pattern_absent, id: no-promise, pattern: ${pattern}}`;

export function scenarioText(pattern = 'refund', more = ''): string {
  return `id: refund\ninput: I want my money back.\ntags: [money]\nchecks:\n  - ${check(pattern)}\n${more}`;
}

/** A project with one suite and one prompt. */
export const project: Files = {
  '.evalrc.json': JSON.stringify({
    models: { agent: 'simulated:support', judge: 'simulated:judge' },
    prompts: { support: { deployed: 'prompts/support/v1.md' } },
  }),
  'prompts/support/v1.md': 'You help customers.\n',
  'judges/strict@1.md': 'Judge strictly.\n',
  'suites/support/suite.yaml':
    'target: {prompt: support, model: agent}\njudge: {model: judge, prompt: strict@1}\nscenarios: scenarios/*.yaml\n',
  'suites/support/scenarios/refund.yaml': scenarioText(),
  'readme.md': 'About.\n',
};

export const editedPrompt: Files = { 'prompts/support/v1.md': 'You help customers, quickly.\n' };

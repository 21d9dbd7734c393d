import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { formatProblem, InputError } from '../../source/base/errors.js';
import { loadProject, type Project } from '../../source/project/config.js';
import type { CheckCatalogue, CheckEntry } from '../../source/suite/catalogue.js';
import { loadSuite } from '../../source/suite/load.js';
import type { Suite } from '../../source/suite/types.js';

export type Files = Record<string, string | Uint8Array>;

/** A folder with these files, taken away after the test. */
export async function createFolder(files: Files): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'evalrun-test-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFiles(root, files);
  return root;
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

export const suiteText = 'target: {prompt: support, model: agent}\n';

/** A project with one suite `support`; `files` come on top. */
export function projectFiles(files: Files = {}): Files {
  return {
    '.evalrc.json': JSON.stringify({
      models: { agent: 'simulated:support' },
      prompts: { support: { deployed: 'prompts/v1.md' } },
    }),
    'prompts/v1.md': 'You help customers.\n',
    'suites/support/suite.yaml': suiteText,
    ...files,
  };
}

export async function createProject(files: Files = {}): Promise<Project> {
  const root = await createFolder(projectFiles(files));
  return loadProject({ cwd: root, env: {} });
}

/** The suite `support` of a project with these files. */
export async function load(files: Files, catalogue: CheckCatalogue = testCatalogue): Promise<Suite> {
  return loadSuite(await createProject(files), 'support', catalogue);
}

/** The mistakes of such a project, as they are printed. */
export async function mistakesOf(files: Files, catalogue?: CheckCatalogue): Promise<string[]> {
  try {
    await load(files, catalogue);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(formatProblem);
    throw error;
  }
}

const entries: Record<string, CheckEntry> = {
  tool_called: {
    kind: 'hard',
    summary: 'The agent called a tool.',
    schema: z.strictObject({
      tool: z.string().min(1),
      args: z.record(z.string(), z.unknown()).optional(),
      times: z.int().min(1).default(1),
    }),
    mainArgument: (args) => String(args.tool),
  },
  tool_not_called: {
    kind: 'hard',
    schema: z.strictObject({ tool: z.string().min(1) }),
    mainArgument: (args) => String(args.tool),
    absoluteByDefault: true,
  },
  pattern_absent: {
    kind: 'hard',
    schema: z.strictObject({ pattern: z.string().min(1) }),
    mainArgument: (args) => String(args.pattern),
    validate: (args) =>
      String(args.pattern).includes('(') && !String(args.pattern).includes(')')
        ? [{ path: ['pattern'], message: 'the pattern has a "(" that is never closed' }]
        : [],
    defaultOn: 'replies',
    absoluteByDefault: true,
  },
  keywords_present: {
    kind: 'hard',
    schema: z.strictObject({ words: z.array(z.string()).optional(), file: z.string().optional() }),
    mainArgument: (args) => (Array.isArray(args.words) ? args.words.join(' ') : String(args.file)),
    defaultOn: 'replies',
  },
  action: {
    kind: 'hard',
    schema: z.strictObject({
      action_type: z.string().optional(),
      noop: z.boolean().optional(),
      fields: z.record(z.string(), z.unknown()).optional(),
      actions: z
        .array(
          z.strictObject({ action_type: z.string(), fields: z.record(z.string(), z.unknown()).optional() }),
        )
        .optional(),
    }),
    mainArgument: (args) => (args.noop === true ? 'noop' : String(args.action_type ?? 'several')),
  },
  custom: {
    kind: 'hard',
    schema: z.strictObject({ module: z.string() }),
    mainArgument: (args) => String(args.module),
    validate: (args, suiteFolder = '') => {
      const file = join(suiteFolder, String(args.module));
      return existsSync(file) ? [] : [{ path: ['module'], message: `there is no ${file} for custom` }];
    },
  },
  judge: {
    kind: 'judged',
    schema: z.strictObject({ rubric: z.string().min(1), min_score: z.int().min(1).max(5).optional() }),
    mainArgument: (args) => String(args.rubric),
    defaultOn: 'replies',
  },
};

/** A few types of checks, so that tests of loading do not hang on the real ones. */
export const testCatalogue: CheckCatalogue = {
  types: () => Object.keys(entries),
  find: (type) => (Object.hasOwn(entries, type) ? entries[type] : undefined),
};

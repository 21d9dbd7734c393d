import path from 'node:path';
import { readTextFile } from '../../../base/document.js';
import { InputError, UserError } from '../../../base/errors.js';
import { suggest } from '../../../base/nearest.js';
import { quote } from '../../../base/quote.js';
import type { Project } from '../../../project/config.js';
import type { Asker } from '../ask.js';
import { findPromptFiles } from './prompt-files.js';
import { existingFile, readProduct } from './read-product.js';
import { type Choice, free, type Product, suiteNameOf } from './scaffold.js';

/** The flags that say what is to be tested. */
export interface ChoiceFlags {
  target?: string;
  suite?: string;
  prompt?: string;
  command?: string;
  url?: string;
  module?: string;
  /** `false`: no simulated suite beside that of a product. */
  simulated?: boolean;
}

const kinds = ['prompt', 'http', 'command', 'module'] as const;
type Kind = (typeof kinds)[number];

const titles: Record<Kind, string> = {
  prompt: 'a prompt and a model, in a plain agent loop',
  http: 'a backend with HTTP endpoints',
  command: 'a program in any language, which speaks JSON lines',
  module: 'a TypeScript or JavaScript module',
};

/** The flag that says where a product is, by its kind. */
const wheres = { http: 'url', command: 'command', module: 'module' } as const;

/**
 * What a person wants to test, from flags, and where they say nothing from questions, or without an asker from what is
 * usual. `cwd` is where paths in flags and answers start; `isTaken` knows the names of suites. Throws UserError, and
 * NobodyAnswers; nothing is written.
 */
export async function choose(
  flags: ChoiceFlags,
  project: Project,
  cwd: string,
  isTaken: (suite: string) => boolean,
  asker: Asker | undefined,
): Promise<Choice> {
  const kind =
    kindOf(flags) ??
    (asker &&
      kinds[
        await asker.choice(
          'What is tested?',
          kinds.map((one) => titles[one]),
        )
      ]) ??
    'prompt';
  const product = await chooseProduct(kind, flags, project, cwd, asker);
  const prompt = await choosePrompt(kind, flags, project, cwd, asker);
  const suite = await chooseName(flags, usualName(project, prompt?.path), isTaken, asker);
  const isWithSimulated =
    kind !== 'prompt' &&
    flags.simulated !== false &&
    (asker === undefined ||
      (await asker.yes('Also the same conversations on a simulated model, to see a run at once?')));
  return { suite, product, prompt, isWithSimulated };
}

/** The kind that flags name or imply. */
function kindOf(flags: ChoiceFlags): Kind | undefined {
  const implied = (['http', 'command', 'module'] as const).filter(
    (kind) => flags[wheres[kind]] !== undefined,
  );
  if (implied.length > 1)
    throw new UserError('--url, --command and --module are three kinds of target: give one');
  const { target } = flags;
  if (target === undefined) return implied[0] ?? (flags.prompt === undefined ? undefined : 'prompt');
  const kind = kinds.find((one) => one === target);
  if (kind === undefined)
    throw new UserError(`--target: there is no ${quote(target)}; ${suggest(target, kinds, 'targets')}`);
  if (implied[0] !== undefined && implied[0] !== kind)
    throw new UserError(`--${wheres[implied[0]]} is for --target ${implied[0]}, not ${kind}`);
  return kind;
}

async function chooseProduct(
  kind: Kind,
  flags: ChoiceFlags,
  project: Project,
  cwd: string,
  asker: Asker | undefined,
): Promise<Product> {
  if (kind === 'prompt') return { kind };
  const flag = wheres[kind];
  const read = (text: string) => readProduct(kind, text, project, cwd);
  const given = flags[flag];
  if (given !== undefined || asker === undefined) {
    if (given === undefined) throw new UserError(`--target ${kind} needs --${flag}`);
    return read(given);
  }
  const question = {
    http: 'Where is a message sent to, as in http://127.0.0.1:3000/chat?',
    command: 'How is it started, as in python3 agent.py?',
    module: 'Which file is it, as in source/agent.ts?',
  }[kind];
  for (;;) {
    try {
      return await read(await asker.text(question, ''));
    } catch (error) {
      if (!(error instanceof UserError) || error.exitCode === 130) throw error;
      await asker.line(`${error.message}\n(enter asks again) `);
    }
  }
}

async function choosePrompt(
  kind: Kind,
  flags: ChoiceFlags,
  project: Project,
  cwd: string,
  asker: Asker | undefined,
): Promise<Choice['prompt']> {
  const file = flags.prompt ?? (kind === 'prompt' ? await askPrompt(project, asker) : undefined);
  if (file === undefined) return undefined;
  const found = await existingFile(file, project, cwd);
  const { text, problems } = await readTextFile(path.join(project.root, found), found);
  if (text === undefined) throw new InputError(problems);
  if (text.trim() === '') throw new UserError(`${found} is empty; a prompt says something`);
  return { path: found, text };
}

/** Absolute; undefined: a new one is to be written, which is also what is done where nobody is asked and nothing is sure. */
async function askPrompt(project: Project, asker: Asker | undefined): Promise<string | undefined> {
  const found = await findPromptFiles(project.root);
  const [only, ...others] = found;
  if (asker === undefined)
    return only === undefined || others.length > 0 ? undefined : path.join(project.root, only);
  if (only === undefined) return undefined;
  const chosen =
    found[await asker.choice('Which prompt?', [...found, 'none of them: write a small one to begin with'])];
  return chosen === undefined ? undefined : path.join(project.root, chosen);
}

async function chooseName(
  flags: ChoiceFlags,
  usual: string,
  isTaken: (suite: string) => boolean,
  asker: Asker | undefined,
): Promise<string> {
  const mistakeIn = (name: string) => {
    if (suiteNameOf(name) !== name) {
      const near = suiteNameOf(name);
      const hint = near === undefined ? '' : `, as in ${near}`;
      return `a suite is named by small letters, digits and hyphens${hint}`;
    }
    return isTaken(name)
      ? `there is a suite or a simulated model ${quote(name)} already; take another name`
      : undefined;
  };
  if (flags.suite !== undefined) {
    const mistake = mistakeIn(flags.suite);
    if (mistake !== undefined) throw new UserError(`--suite: ${mistake}`);
    return flags.suite;
  }
  const name = free(usual, isTaken);
  return asker === undefined ? name : asker.text('Name of the suite?', name, mistakeIn);
}

/** After the prompt: its folder below `prompts/`, its file; else after the project. */
function usualName({ config }: Project, prompt: string | undefined): string {
  const own = suiteNameOf(config.project) ?? 'first';
  if (prompt === undefined) return own;
  const { dir, name } = path.posix.parse(prompt);
  const folder = path.posix.basename(dir);
  const isVersion = /^(v?\d[\w.]*|system|prompt|main|default|index)$/i.test(name);
  const words = isVersion ? (/^(prompts?|source|src|)$/i.test(folder) ? '' : folder) : name;
  return suiteNameOf(words) ?? own;
}

import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type ExitCode, InputError, UserError } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';
import { makeVisible } from '../base/text.js';
import { listSimulatedModels } from '../model/simulated/open.js';
import { bareProject, configFileName, type Project, readProject } from '../project/config.js';
import { listSuites } from '../suite/load.js';
import type { CommandIo } from './io.js';
import { type Asker, createAsker, NobodyAnswers } from './shared/ask.js';
import { type ChoiceFlags, choose } from './shared/init/choose.js';
import { planScaffold, type Scaffold } from './shared/init/scaffold.js';
import { readConfigText, writeScaffold } from './shared/init/write.js';
import { writeLines } from './shared/output.js';
import { isInteractive } from './shared/terminal.js';

export interface InitArgs extends ChoiceFlags {
  /** Where the project is; not set: the one of this folder, or this folder. */
  folder?: string | undefined;
  /** Nobody is asked: what flags do not say is what is usual. */
  yes?: boolean;
  /** `false`: the suite is written and not run. */
  run?: boolean;
  plain?: boolean;
  /** The words of the line, for the journal. */
  line: readonly string[];
}

/**
 * `evalrun init`: writes a first suite into a project, checks it, and runs what of it needs no key. Nothing is
 * overwritten, and nothing is written before all questions are answered. Exit code of the run; 2 where nothing could be
 * written, 130 where the person left.
 */
export async function initCommand(args: InitArgs, io: CommandIo): Promise<ExitCode> {
  const folder = path.resolve(io.cwd, args.folder ?? '.');
  const cwd = await realpath(folder).catch(() => folder);
  const project = await findProject(cwd, args.folder !== undefined, io.env);
  const isAsking = args.yes !== true && isInteractive(io);
  if (!isAsking && args.yes !== true && !saysWhat(args)) {
    throw new UserError(
      'nobody can be asked here: --yes writes a suite for a prompt, and --target, --prompt, --url, --command or --module say for what else',
    );
  }
  const asker = isAsking ? createAsker(io) : undefined;
  let scaffold: Scaffold;
  try {
    scaffold = await prepare(args, project, cwd, asker);
  } catch (error) {
    if (!(error instanceof NobodyAnswers)) throw error;
    io.stderr.write('\nevalrun: nothing was written\n');
    return 130;
  } finally {
    asker?.close();
  }
  await makeFolder(project.root);
  await writeScaffold(project.root, scaffold);
  await writeLines(io.stdout, writtenLines(scaffold, project.root), io.env);

  const inside = { ...io, cwd: project.root };
  const { checkCommand } = await import('./check.js');
  const checked = await checkCommand({ suites: scaffold.suites }, inside);
  if (checked !== 0) return checked;
  const { simulated } = scaffold;
  let code: ExitCode = 0;
  if (simulated !== undefined && args.run !== false) {
    await writeLines(io.stdout, ['', `running ${simulated} on a simulated model:`], io.env);
    const { runCommand } = await import('./run.js');
    code = await runCommand({ suites: [simulated], plain: args.plain === true, line: args.line }, inside);
  }
  await writeLines(io.stdout, nextLines(scaffold, io), io.env);
  return code;
}

/** Whether flags say what is to be tested, so that nobody has to be asked. */
function saysWhat({ target, prompt, url, command, module }: InitArgs): boolean {
  return [target, prompt, url, command, module].some((flag) => flag !== undefined);
}

/** The project that the suite is for: that of a config in the folder or, of the folder of the call, above it; else the folder itself. */
async function findProject(cwd: string, isNamed: boolean, env: NodeJS.ProcessEnv): Promise<Project> {
  const { project, problems } = await readProject({ cwd, env });
  const isItsOwn = project.configFile !== undefined && (!isNamed || project.root === cwd);
  if (!isItsOwn) return bareProject(cwd);
  if (problems.length > 0) throw new InputError(problems);
  return project;
}

async function prepare(
  args: InitArgs,
  project: Project,
  cwd: string,
  asker: Asker | undefined,
): Promise<Scaffold> {
  const { root, config } = project;
  const simulatedFolder = path.resolve(root, config.simulated);
  const taken = new Set([...(await listSuites(project)), ...(await listSimulatedModels(simulatedFolder))]);
  const isTaken = (name: string) => taken.has(name) || taken.has(`${name}-simulated`);
  const choice = await choose(args, project, cwd, isTaken, asker);
  const scaffold = planScaffold(choice, {
    projectName: config.project,
    folders: { suites: fromRoot(root, config.suites), simulated: fromRoot(root, config.simulated) },
    models: config.models,
    prompts: Object.fromEntries(
      Object.entries(config.prompts).map(([name, { deployed }]) => [name, deployed]),
    ),
    config: project.configFile === undefined ? undefined : await readConfigText(root),
    schemas: await findSchemas(root),
  });
  if (asker !== undefined) {
    const names = [...scaffold.files.map((file) => file.path), ...(scaffold.config ? [configFileName] : [])];
    if (!(await asker.yes(`${names.map((name) => `  ${name}`).join('\n')}\nWrite these into ${root}?`)))
      throw new NobodyAnswers();
  }
  return scaffold;
}

function fromRoot(root: string, folder: string): string {
  return path.relative(root, path.resolve(root, folder)).split(path.sep).join('/');
}

/** The schemas of the evalrun that the project has installed: the one place that stays right when evalrun is renewed. */
async function findSchemas(root: string): Promise<string | undefined> {
  const folder = 'node_modules/evalrun/docs/schemas';
  return access(path.join(root, folder, 'suite.json')).then(
    () => folder,
    () => undefined,
  );
}

function writtenLines({ files, config, left }: Scaffold, root: string): string[] {
  return [
    `in ${root}:`,
    ...files.map(({ path: file }) => `  wrote  ${file}`),
    ...(config
      ? [
          `  ${config.isNew ? 'wrote' : 'added'}  ${configFileName}${config.isNew ? '' : ' (what stood there stays)'}`,
        ]
      : []),
    ...left.map((file) => `  left   ${file}, as it is`),
    '',
  ].map((line) => makeVisible(line));
}

/** What there is to do now, by what is tested. */
function nextLines({ suites, simulated, model }: Scaffold, io: CommandIo): string[] {
  const suite = suites.at(-1) ?? '';
  const run = (words: string) => `${io.program} ${words}`;
  const isProduct = suite !== simulated;
  const first = isProduct
    ? [
        `  your product is the target of ${suite}, and was not asked yet`,
        `  say in its suite.yaml how it is asked, then: ${run(`doctor ${suite}`)}`,
        `  run it: ${run(`run ${suite}`)}`,
        ...(simulated === undefined
          ? []
          : [`  ${simulated} is for looking only; delete it when you have seen enough`]),
      ]
    : [
        `  a real model: "${model}" in ${configFileName}, as in "anthropic:claude-haiku-4-5", and its key in the environment`,
        ...(model === 'agent' ? [] : [`  or the one that you have: ${run(`run ${suite} --model agent`)}`]),
        `  is all there? ${run('doctor')}`,
        `  run it: ${run(`run ${suite}`)}`,
      ];
  return [
    '',
    'next:',
    ...first,
    '  write scenarios of your own beside the first three; evalrun check names mistakes',
  ].map((line) => makeVisible(line));
}

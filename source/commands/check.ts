import { withoutCommands } from '../base/ci-commands.js';
import { type ExitCode, formatProblem, InputError, type Problem, UserError } from '../base/errors.js';
import { entryOf, problemAt } from '../base/nodes.js';
import { inReadingOrder } from '../base/problem-order.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { type Project, type ReadProject, readProject } from '../project/config.js';
import { resolveRunSettings } from '../project/run-settings.js';
import type { Suite } from '../suite/types.js';
import type { CommandIo } from './io.js';
import { suiteNotes, variableNotes } from './shared/notes.js';

export interface CheckArgs {
  /** Names of suites; none: all of the project. */
  suites: readonly string[];
  /** Prints every setting with its origin. */
  showConfig?: boolean;
}

/** What is wrong: mistakes with a place, and sentences about what has none. */
interface Findings {
  problems: Problem[];
  sentences: string[];
}

/**
 * `evalrun check`: reads the config and the suites with all their files, and does nothing else. Prints every
 * mistake of every file, or how much was read. Exit code 0 or 2.
 */
export async function checkCommand(args: CheckArgs, io: CommandIo): Promise<ExitCode> {
  const read = await readProject({ cwd: io.cwd, env: io.env });
  const { findMissingPrompts } = await import('../project/prompts.js');
  const missing = await findMissingPrompts(read);
  const findings: Findings = { problems: [...read.problems, ...missing], sentences: [] };
  // A prompt that is missing is said once, where it is named.
  const unsure = missing.length > 0 ? new Set([...read.unsure, 'prompts']) : read.unsure;
  const suites = await readSuites(args.suites, { ...read, unsure }, findings, io);
  await collect(findings, async () => {
    resolveRunSettings({ flags: {}, env: io.env, config: read.project.config });
  });

  const print = (line: string) => io.stdout.write(`${withoutCommands(makeVisible(line))}\n`);
  const tellVariables = () => {
    for (const note of variableNotes(io.env)) print(note);
  };
  if (args.showConfig === true) {
    const { describeSettings } = await import('./shared/show-config.js');
    for (const line of describeSettings(read, suites, io.env)) print(line);
    print('');
  }
  const lines = [...findings.sentences, ...inReadingOrder(findings.problems).map(formatProblem)];
  if (lines.length > 0) {
    for (const line of lines) print(line);
    const files = new Set(findings.problems.map(({ file }) => file)).size;
    const where = files > 1 ? ` in ${files} files` : '';
    print('');
    print(`${count(lines.length, 'mistake')}${where}`);
    tellVariables();
    return 2;
  }
  print(summary(suites));
  if (args.suites.length === 0) await tellOtherFolders(read.project, print);
  for (const note of suites.flatMap(suiteNotes)) print(note);
  const { targetNotes } = await import('./shared/target-files.js');
  for (const suite of suites) {
    for (const note of await targetNotes(suite, read.project, io.env)) print(note);
  }
  tellVariables();
  return 0;
}

async function readSuites(
  asked: readonly string[],
  read: ReadProject,
  findings: Findings,
  io: CommandIo,
): Promise<Suite[]> {
  const { project, unsure } = read;
  const [{ listSuites, readSuite }, { checkCatalogue }] = await Promise.all([
    import('../suite/load.js'),
    import('../grade/registry.js'),
  ]);
  const names = asked.length > 0 ? [...new Set(asked)] : await listSuites(project);
  if (names.length === 0 && !unsure.has('suites')) {
    const message = `there are no suites in ${quote(project.config.suites)}; a suite is a folder in it with a suite.yaml`;
    const written = read.node && entryOf(read.node, 'suites')?.value;
    if (written === undefined || project.configFile === undefined) findings.sentences.push(message);
    else findings.problems.push(problemAt(project.configFile, written.at, message));
  }
  const suites: Suite[] = [];
  for (const name of names) {
    await collect(findings, async () => {
      const { suite, problems } = await readSuite(project, name, checkCatalogue, unsure);
      findings.problems.push(...problems);
      if (suite === undefined) return;
      suites.push(suite);
      await collect(findings, () => readModels(suite, read, io, findings));
      const { findMissingPrograms } = await import('./shared/target-files.js');
      findings.problems.push(...(await findMissingPrograms(suite, project)));
      await collect(findings, () => readQuarantine(suite, project));
      if (!unsure.has('baselines')) await readBaselines(name, project, findings);
    });
  }
  return suites;
}

/** A suite whose file is called otherwise, or was forgotten, would be missed by nobody. */
async function tellOtherFolders(project: Project, print: (line: string) => void): Promise<void> {
  const { listOtherFolders } = await import('../suite/load.js');
  for (const folder of await listOtherFolders(project))
    print(`note: ${folder} is no suite: it has no suite.yaml`);
}

/** The quarantine of a suite; what has ended in it is for the gate to say. */
async function readQuarantine(suite: Suite, project: Project): Promise<void> {
  const [{ loadQuarantine }, { systemClock }] = await Promise.all([
    import('../triage/quarantine-suite.js'),
    import('../base/clock.js'),
  ]);
  await loadQuarantine(project, suite, systemClock.now());
}

/** The baselines of a suite; one that names another is in the wrong folder. */
async function readBaselines(suite: string, project: Project, findings: Findings): Promise<void> {
  const { listBaselines, readBaseline } = await import('../compare/baseline-file.js');
  for (const { path, shown } of await listBaselines(project, suite)) {
    await collect(findings, async () => {
      const baseline = await readBaseline(project, path);
      if (baseline.suite === suite) return;
      const message = `a baseline of suite ${quote(baseline.suite)}, in the folder of ${quote(suite)}`;
      findings.problems.push({ file: shown, line: 0, column: 0, message });
    });
  }
}

/** Files that stand behind a suite's models: simulated ones, and the prompt of its judge. */
async function readModels(suite: Suite, read: ReadProject, io: CommandIo, findings: Findings): Promise<void> {
  const { project, unsure } = read;
  if (unsure.has('models') || unsure.has('simulated')) return;
  const { checkSuiteModels } = await import('./shared/suite-models.js');
  for (const check of checkSuiteModels(suite, project, io.env)) await collect(findings, check);
}

/** Runs something that may throw what is for the user, and keeps that. */
async function collect(findings: Findings, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof InputError) findings.problems.push(...error.problems);
    else if (error instanceof UserError) findings.sentences.push(error.message);
    else throw error;
  }
}

function summary(suites: readonly Suite[]): string {
  const scenarios = suites.flatMap((suite) => suite.scenarios);
  const checks = scenarios.reduce((sum, scenario) => sum + scenario.checks.length, 0);
  const parts = [count(suites.length, 'suite'), count(scenarios.length, 'scenario'), count(checks, 'check')];
  return `${parts.join(', ')}: no mistakes`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

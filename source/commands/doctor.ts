import { type ExitCode, InputError, UserError } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import { readEngines, readVersion } from '../base/version.js';
import { type ReadProject, readProject } from '../project/config.js';
import { git } from '../project/git.js';
import { logsFolder } from '../project/paths.js';
import { openSettings } from '../project/settings.js';
import { countOf } from '../report/format.js';
import { safeJson } from '../report/json.js';
import type { Suite } from '../suite/types.js';
import type { CommandIo } from './io.js';
import { type Examination, type Finding, fail, ok, warn } from './shared/doctor/finding.js';
import { logsFindings } from './shared/doctor/logs.js';
import {
  clockFinding,
  gitFinding,
  nodeFinding,
  type Skew,
  sampleSigns,
  terminalFindings,
} from './shared/doctor/machine.js';
import { variableNotes } from './shared/notes.js';
import { writeLines } from './shared/output.js';
import { isInteractive, isOnScreen } from './shared/terminal.js';
import { createWaits } from './shared/wait.js';

export interface DoctorArgs {
  /** Whose models and targets are asked; none: those of all suites. */
  suites: readonly string[];
  /** Nothing is asked over a network, and no product is started. */
  offline?: boolean;
  /** Seconds that whoever is asked may take. */
  timeout?: string;
  plain?: boolean;
  json?: boolean;
}

/**
 * `evalrun doctor`: looks at what a run of this project needs, and says what to do about each thing. Exit code 2 where
 * something has to be mended, else 0.
 */
export async function doctorCommand(args: DoctorArgs, io: CommandIo): Promise<ExitCode> {
  const limitMs = readTimeout(args.timeout ?? '20');
  const findings: Finding[] = [];
  const waits = createWaits(args, io);
  const tell = async (found: readonly Finding[]) => {
    findings.push(...found);
    if (args.json !== true)
      await writeLines(
        io.stdout,
        found.map((finding) => findingLine(finding, io.program)),
        io.env,
      );
  };
  const skews: Skew[] = [];
  for await (const { waitsFor, findings: found } of examine(args, limitMs, skews, io))
    await tell(await waits.during(waitsFor, found));
  const clock = clockFinding(skews);
  if (clock) await tell([clock]);

  const exitCode = findings.some(({ level }) => level === 'fail') ? 2 : 0;
  if (args.json === true)
    await writeLines(io.stdout, [safeJson({ evalrun: readVersion(), findings, exitCode })]);
  else await writeLines(io.stdout, ['', summary(findings)], io.env);
  return exitCode;
}

/** From this machine to the world, so that what comes first explains what fails later. */
async function* examine(
  args: DoctorArgs,
  limitMs: number,
  skews: Skew[],
  io: CommandIo,
): AsyncGenerator<Examination> {
  const settings = await openSettings(io.env);
  yield now(nodeFinding(process.versions.node, readEngines().node));
  yield now(...terminalFindings(await terminalFacts(args, settings.get('theme'), io)));
  yield now(
    settings.problem === undefined
      ? ok('settings', `your settings: ${settings.file}`)
      : warn('settings', settings.problem, 'mend it, or set it aside with evalrun config reset'),
    ...variableNotes(io.env).map((note) =>
      warn('settings', note.replace(/^warning: /, ''), 'unset it, or write its name or value as meant'),
    ),
  );

  const read = await readProject({ cwd: io.cwd, env: io.env });
  const { project } = read;
  yield { waitsFor: 'looking for git', findings: examineGit(project.root) };
  const logs = logsFolder(project, io.env);
  yield { waitsFor: `looking at ${logs}`, findings: logsFindings(logs, process.platform) };
  const { suites, findings } = await readSuites(args.suites, read);
  yield now(...findings);
  const { keyFindings } = await import('./shared/doctor/keys.js');
  yield now(...keyFindings(suites, project, io.env));
  if (args.offline === true) return;
  const { examineTargets } = await import('./shared/doctor/targets.js');
  yield* examineTargets(suites, { project, env: io.env, limitMs, onSkew: (skew) => skews.push(skew) });
}

function now(...findings: Finding[]): Examination {
  return { waitsFor: '', findings: Promise.resolve(findings) };
}

async function terminalFacts(
  args: DoctorArgs,
  theme: string | undefined,
  io: CommandIo,
): Promise<Parameters<typeof terminalFindings>[0]> {
  const [{ readSize, smallest }, { askTerminal }] = await Promise.all([
    import('../ui/terminal/size.js'),
    import('../ui/terminal/probe.js'),
  ]);
  const { stdin, stdout, env } = io;
  const isTerminal = Boolean(stdin.isTTY && stdout.isTTY);
  return {
    isTerminal,
    isForLines: isTerminal && !isInteractive(io) && env.TERM !== 'dumb',
    size: readSize(stdout),
    smallest,
    // What variables of colour ask for is the theme's; here it is what the terminal can do.
    colorDepth: isTerminal
      ? stdout.getColorDepth({
          ...env,
          NO_COLOR: undefined,
          FORCE_COLOR: undefined,
          NODE_DISABLE_COLORS: undefined,
        })
      : 1,
    env,
    theme,
    answers: isOnScreen(args, io)
      ? await askTerminal(stdin, stdout, { text: sampleSigns, limitMs: 500 })
      : {},
  };
}

async function examineGit(root: string): Promise<Finding[]> {
  const version = await git(root, ['--version']);
  const inside = await git(root, ['rev-parse', '--is-inside-work-tree']);
  return [gitFinding(version, inside?.trim() === 'true', root)];
}

/** The suites that can be read, and what is wrong with config and the others: `check` names every mistake. */
async function readSuites(
  asked: readonly string[],
  { project, problems, unsure }: ReadProject,
): Promise<{ suites: Suite[]; findings: Finding[] }> {
  const [{ listSuites, readSuite }, { checkCatalogue }] = await Promise.all([
    import('../suite/load.js'),
    import('../grade/registry.js'),
  ]);
  const findings: Finding[] = [configFinding(project, problems.length)];
  const names = asked.length > 0 ? [...new Set(asked)] : await listSuites(project);
  if (names.length === 0)
    findings.push(warn('project', `no suite in ${project.root}`, 'evalrun init writes a first one'));
  const suites: Suite[] = [];
  for (const name of names) {
    try {
      const { suite, problems: mistakes } = await readSuite(project, name, checkCatalogue, unsure);
      if (suite && mistakes.length === 0) suites.push(suite);
      else
        findings.push(
          fail('project', `suite ${name}: ${countOf(mistakes.length, 'mistake')}`, `evalrun check ${name}`),
        );
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const what =
        error instanceof InputError
          ? `suite ${name}: ${countOf(error.problems.length, 'mistake')}`
          : error.message;
      findings.push(fail('project', what, 'evalrun check'));
    }
  }
  if (suites.length > 0) findings.push(ok('project', `${countOf(suites.length, 'suite')} without mistakes`));
  return { suites, findings };
}

function configFinding({ root, configFile }: ReadProject['project'], mistakes: number): Finding {
  if (configFile === undefined)
    return warn('project', `no .evalrc.json in ${root} or above it`, 'evalrun init writes one');
  return mistakes > 0
    ? fail('project', `${configFile}: ${countOf(mistakes, 'mistake')}`, 'evalrun check')
    : ok('project', `${configFile} in ${root}`);
}

/** One finding, on one line: `fail  key       OPENAI_API_KEY is not set … → export …`. */
function findingLine({ level, area, what, todo }: Finding, program: string): string {
  // What it says to type can be pasted, however evalrun is started here.
  const arrow = todo === undefined ? '' : ` → ${todo.replace(/\bevalrun (?=[a-z])/g, `${program} `)}`;
  return makeVisible(`${level.padEnd(4)}  ${area.padEnd(8)}  ${what}${arrow}`);
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const parts = [`${count('ok')} ok`, `${warned} to look at`, `${failed} to mend`];
  return parts.join(', ');
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 600)
    throw new UserError(`--timeout: expected seconds above 0, at most 600, found ${JSON.stringify(text)}`);
  return seconds * 1000;
}

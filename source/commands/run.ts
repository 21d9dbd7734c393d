import path from 'node:path';
import { systemClock } from '../base/clock.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import { readVersion } from '../base/version.js';
import { loadProject, type Project } from '../project/config.js';
import { gitFacts } from '../project/git.js';
import { logsFolder, runFolder, shownPath } from '../project/paths.js';
import { gateSettings } from '../project/run-gate.js';
import { type RunSettings, resolveRunSettings } from '../project/run-settings.js';
import { redactSecrets } from '../project/secrets.js';
import { listSuites } from '../suite/load.js';
import { promptOf } from '../suite/target.js';
import type { CommandIo } from './io.js';
import { loadChosenSuite } from './shared/choose-suite.js';
import { runHeadless } from './shared/headless.js';
import { suiteNotes, tellNotes, variableNotes } from './shared/notes.js';
import { type PreparedRun, prepareRun, runLimits } from './shared/prepare.js';
import { type RunArgs, readMaxTokens, settingFlags } from './shared/run-args.js';
import { readReports, scenarioPlaces } from './shared/run-reports.js';
import type { RunToMake } from './shared/run-to-make.js';
import { isInteractive } from './shared/terminal.js';

/**
 * `evalrun run`: one run a suite. In a terminal the app shows them; without one they are told of in lines or JSON,
 * one run after another. All files of all suites are read before the first trial starts.
 */
export async function runCommand(args: RunArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  if (args.resume !== undefined) {
    const { findRunToResume, planResume, tellFinished } = await import('./run-resume.js');
    const found = await findRunToResume(args, args.resume, project, io);
    readReports(args.report ?? [], io);
    if (found.isFinished && !args.report && isHeadless(args, io)) return tellFinished(args, found, io);
    return goOn(args, [found.started.suite], async () => [await planResume(args, found, project, io)], io);
  }
  const names = await chooseSuites(args.suites, project);
  // Mistakes in flags are told before files are read.
  resolveRunSettings({ flags: settingFlags(args), env: io.env, config: project.config });
  readMaxTokens(args);
  readReports(args.report ?? [], io);
  const plan = () => planRuns(args, names, project, io);
  if (args.dryRun === true) {
    const planned = await plan();
    for (const { notes } of planned) tellNotes(notes, io);
    return printPlans(args, planned, io);
  }
  const load = async () => (await plan()).map((planned) => toMake(args, planned, project, io));
  return goOn(args, names, load, io);
}

/** `load` reads the files of all suites; the screen is there while it does. */
async function goOn(
  args: RunArgs,
  suites: readonly string[],
  load: () => Promise<RunToMake[]>,
  io: CommandIo,
): Promise<ExitCode> {
  const { report } = args;
  if (isHeadless(args, io))
    return runHeadless(await load(), args.json === true ? 'json' : 'plain', io, report);
  const { runInApp } = await import('./shared/in-app.js');
  return runInApp(suites, load, io, report);
}

/** Whether no screen is opened. */
function isHeadless(args: RunArgs, io: CommandIo): boolean {
  return args.plain === true || args.json === true || args.dryRun === true || !isInteractive(io);
}

interface PlannedSuite {
  prepared: PreparedRun;
  settings: RunSettings;
  /** What was noticed on the way, see `RunToMake`. */
  notes: string[];
}

async function planRuns(
  args: RunArgs,
  names: readonly string[],
  project: Project,
  io: CommandIo,
): Promise<PlannedSuite[]> {
  const flags = settingFlags(args);
  const planned: PlannedSuite[] = [];
  for (const name of names) {
    const filter = { scenario: args.scenario, tag: args.tag };
    const suite = await loadChosenSuite(project, name, filter, fixturesFolder(args, io));
    const prompt = args.candidate === true ? 'candidate' : args.candidate;
    const prepared = await prepareRun(
      project,
      suite,
      {
        prompt,
        models: args.model ?? [],
        liveTools: args.liveTools ?? false,
        base: args.baseline,
        cwd: io.cwd,
      },
      io.env,
    );
    planned.push({
      prepared,
      settings: resolveRunSettings({ flags, env: io.env, suite, config: project.config }),
      notes: [
        ...suiteNotes(suite),
        ...(prepared.notes ?? []).map((note) => `note: ${note}`),
        ...(planned.length === 0 ? variableNotes(io.env) : []),
      ],
    });
  }
  refuseForeignCandidate(args, planned);
  return planned;
}

/** A file is a version of one prompt: it cannot stand for those of suites that test different ones. */
function refuseForeignCandidate({ candidate }: RunArgs, planned: readonly PlannedSuite[]): void {
  if (typeof candidate !== 'string') return;
  const prompts = new Map(planned.map(({ prepared: { suite } }) => [promptOf(suite), suite.name]));
  // The first condition is the candidate's; a base may follow, whose prompt is another.
  const paths = new Set(planned.map(({ prepared }) => prepared.conditions[0]?.condition.promptPath));
  if (prompts.size < 2 || paths.size > 1) return;
  throw new UserError(
    `${quote(candidate)} is one prompt, and ${listed([...prompts.values()], 'and')} test different ones; run them one by one, or give --candidate without a value`,
  );
}

/** Absolute. */
function fixturesFolder({ fixtures }: RunArgs, { cwd }: CommandIo): string | undefined {
  return fixtures === undefined ? undefined : path.resolve(cwd, fixtures);
}

/** The suites that are asked for, each once; the only one there is when none is. */
async function chooseSuites(asked: readonly string[], project: Project): Promise<string[]> {
  if (asked.length > 0) return [...new Set(asked)];
  const all = await listSuites(project);
  if (all.length === 1) return all;
  if (all.length === 0) {
    const where = quote(project.config.suites);
    throw new UserError(`there are no suites in ${where}; a suite is a folder in it with a suite.yaml`);
  }
  throw new UserError(`name the suite to run: ${listed(all, 'or')}`);
}

function toMake(
  args: RunArgs,
  { prepared, settings, notes }: PlannedSuite,
  project: Project,
  io: CommandIo,
): RunToMake {
  const gate = gateSettings(settings, project.config.gate);
  const { base, baseline, ...parts } = prepared;
  return {
    suite: prepared.suite.name,
    suiteFolder: prepared.suite.folder,
    settings,
    notes,
    judging: { gate, ...(baseline && { baseline: baseline.evidence }) },
    accounts: prepared.accounts,
    places: scenarioPlaces(prepared.suite.scenarios, project.root, io),
    async open(summariser) {
      const [{ startRun }, { createRunSeed }, git] = await Promise.all([
        import('../run/start.js'),
        import('../run/run-id.js'),
        gitFacts(project.root),
      ]);
      return startRun({
        ...parts,
        ...(base && { base }),
        ...(baseline && { baselineText: baseline.text }),
        gate,
        ...((args.scenario ?? args.tag) && { filtered: true as const }),
        ...runLimits(settings),
        ...readMaxTokens(args),
        clock: systemClock,
        summariser,
        runsFolder: path.dirname(runFolder(logsFolder(project, io.env), prepared.suite.name, 'run')),
        repeat: settings.repeat.value,
        seed: settings.seed.value ?? createRunSeed(),
        ...(args.label !== undefined && { label: redactSecrets(args.label) }),
        ...(args.note !== undefined && { note: redactSecrets(args.note) }),
        ...fixturesFact(args, project, io),
        ...(git && { git }),
        evalrun: readVersion(),
        command: redactSecrets(['evalrun', ...args.line].join(' ')),
      });
    },
  };
}

/** Where the fixtures were, so that the run can go on: from the top of the project. */
function fixturesFact(args: RunArgs, project: Project, io: CommandIo): { fixtures?: string } {
  const folder = fixturesFolder(args, io);
  return folder === undefined ? {} : { fixtures: shownPath(project.root, folder) };
}

async function printPlans(args: RunArgs, planned: readonly PlannedSuite[], io: CommandIo): Promise<ExitCode> {
  const [{ planFacts, planLines }, { safeJson }, { plannedJudge, plannedUser }, { writeLines }] =
    await Promise.all([
      import('../report/plan.js'),
      import('../report/json.js'),
      import('../run/parts.js'),
      import('./shared/output.js'),
    ]);
  const plans = planned.map(({ prepared, settings }) => ({
    suite: prepared.suite,
    conditions: prepared.conditions.map(({ condition }) => condition),
    judge: plannedJudge(prepared.judge),
    vendors: prepared.vendors,
    user: plannedUser(prepared.user),
    repeat: settings.repeat.value,
    concurrency: settings.concurrency.value,
    seed: settings.seed.value,
  }));
  if (args.json === true) {
    await writeLines(io.stdout, [safeJson({ plans: plans.map(planFacts) })]);
    return 0;
  }
  for (const plan of plans) await writeLines(io.stdout, planLines(plan), io.env);
  return 0;
}

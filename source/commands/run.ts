import { type ExitCode, UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import { loadProject, type Project } from '../project/config.js';
import { resolveRunSettings } from '../project/run-settings.js';
import { promptOf } from '../suite/target.js';
import type { CommandIo } from './io.js';
import { readBudget } from './shared/bisect-choice.js';
import { chooseSuites } from './shared/choose-suite.js';
import { makeRuns } from './shared/make-runs.js';
import { machineNotes } from './shared/notes.js';
import type { PlannedSuite } from './shared/planned-run.js';
import { type RunArgs, readMaxTokens, settingFlags } from './shared/run-args.js';
import { readReports } from './shared/run-reports.js';
import { isOnScreen } from './shared/terminal.js';

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
    refuseBisects(args);
    if (found.isFinished && !args.report && args.bisectOnRed !== true && !isOnScreen(args, io))
      return tellFinished(args, found, io);
    return makeRuns(
      args,
      [found.started.suite],
      async () => [await planResume(args, found, project, io)],
      io,
    );
  }
  const names = await chooseSuites(args.suites, project);
  // Mistakes in flags are told before files are read.
  refuseBesideTwice(args);
  refuseBisects(args);
  resolveRunSettings({ flags: settingFlags(args), env: io.env, config: project.config });
  readMaxTokens(args);
  readReports(args.report ?? [], io);
  const plan = () => planRuns(args, names, project, io);
  if (args.dryRun === true) {
    const { printPlans } = await import('./shared/print-plans.js');
    return printPlans(args.json === true, await plan(), io);
  }
  const load = async () => {
    const [planned, { toMake }] = await Promise.all([plan(), import('./shared/planned-run.js')]);
    return planned.map((each) => toMake(args, each, project, io));
  };
  return makeRuns(args, names, load, io);
}

async function planRuns(
  args: RunArgs,
  names: readonly string[],
  project: Project,
  io: CommandIo,
): Promise<PlannedSuite[]> {
  // Late: the screen is there before checks, models and targets are loaded.
  const [{ loadChosenSuite }, { prepareRun }, { fixturesFolder, planSuite }] = await Promise.all([
    import('./shared/choose-suite.js'),
    import('./shared/prepare.js'),
    import('./shared/planned-run.js'),
  ]);
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
        isTwice: args.aa === true,
        compareSimulatedUsers: args.compareSimulatedUsers === true,
        cwd: io.cwd,
      },
      io.env,
    );
    const settings = resolveRunSettings({ flags, env: io.env, suite, config: project.config });
    const purpose = args.aa === true ? ('aa' as const) : undefined;
    const notes = planned.length === 0 ? machineNotes(project, io.env) : [];
    planned.push(
      await planSuite({ prepared, settings, purpose, quarantine: suite.quarantine, notes }, args, project),
    );
  }
  refuseForeignCandidate(args, planned);
  return planned;
}

/** The same condition twice is of one model, and is held against itself alone. */
function refuseBesideTwice({ aa, baseline, model = [] }: RunArgs): void {
  if (aa !== true) return;
  if (typeof baseline === 'string')
    throw new UserError(
      '--aa runs one condition twice and compares it with itself: it does not go with --baseline',
    );
  if (model.length > 1)
    throw new UserError('--aa measures one model at a time: the noise floor is kept by model');
}

/** A bisect on red takes a prompt that passed, and a budget takes a bisect. */
function refuseBisects(args: RunArgs): void {
  const { bisectOnRed, budget, aa, baseline } = args;
  readBudget(args);
  if (budget !== undefined && bisectOnRed !== true)
    throw new UserError('--budget is for the bisects that --bisect-on-red asks for');
  if (bisectOnRed !== true) return;
  if (aa === true || baseline === false) {
    throw new UserError(
      `--bisect-on-red takes a prompt that passed: it does not go with ${aa === true ? '--aa' : '--no-baseline'}`,
    );
  }
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

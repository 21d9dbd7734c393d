import { type ExitCode, UserError } from '../base/errors.js';
import { loadProject, type Project } from '../project/config.js';
import { resolveRunSettings } from '../project/run-settings.js';
import { countOf } from '../report/format.js';
import type { CommandIo } from './io.js';
import { readBudget } from './shared/bisect-choice.js';
import { chooseSuites } from './shared/choose-suite.js';
import { makeRuns } from './shared/make-runs.js';
import { rehearsalNotes, tellNotes } from './shared/notes.js';
import { planRuns } from './shared/plan-runs.js';
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
  const names = await chooseSuites(args.suites, project, io);
  // Mistakes in flags are told before files are read.
  refuseBesideTwice(args);
  refuseBisects(args);
  resolveRunSettings({ flags: settingFlags(args), env: io.env, config: project.config });
  readMaxTokens(args);
  readReports(args.report ?? [], io);
  const plan = () => planRuns(args, names, project, io);
  if (args.dryRun === true) return rehearse(args, await plan(), project, io);
  const load = async () => {
    const [planned, { toMake }] = await Promise.all([plan(), import('./shared/planned-run.js')]);
    return planned.map((each) => toMake(args, each, project, io));
  };
  return makeRuns(args, names, load, io);
}

/** `--dry-run`: the plan, and what of the line has no part in it. */
async function rehearse(
  args: RunArgs,
  planned: readonly PlannedSuite[],
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  const [{ printPlans }, { refuseOverInputs }, { inputsOfPlanned }] = await Promise.all([
    import('./shared/print-plans.js'),
    import('./shared/inputs.js'),
    import('./shared/planned-run.js'),
  ]);
  const reports = readReports(args.report ?? [], io).map(({ file }) => file);
  for (const one of planned) await refuseOverInputs('--report', reports, () => inputsOfPlanned(one, project));
  tellNotes(rehearsalNotes({ '--report': reports.length > 0 }), io);
  if (args.bisectOnRed === true) {
    const { budgetOnRed } = await import('./shared/bisect-on-red.js');
    const most = countOf(readBudget(args) ?? budgetOnRed, 'trial');
    tellNotes([`note: --bisect-on-red takes up to ${most} more where the gate goes red`], io);
  }
  return printPlans(args.json === true, planned, io);
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

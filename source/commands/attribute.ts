import type { ExitCode } from '../base/errors.js';
import { attributionRuns } from '../compare/attribute.js';
import { loadProject, type Project } from '../project/config.js';
import { resolveRunSettings } from '../project/run-settings.js';
import type { CommandIo } from './io.js';
import { chooseSuites, loadChosenSuite } from './shared/choose-suite.js';
import { makeRuns } from './shared/make-runs.js';
import { machineNotes } from './shared/notes.js';
import { type PlannedSuite, planSuite, toMake } from './shared/planned-run.js';
import { prepareAttribution } from './shared/prepare-attribution.js';
import { type RunArgs, settingFlags } from './shared/run-args.js';

/** The flags of `evalrun attribute`, as the line gave them. */
export interface AttributeArgs
  extends Pick<
    RunArgs,
    | 'scenario'
    | 'tag'
    | 'seed'
    | 'concurrency'
    | 'label'
    | 'plain'
    | 'json'
    | 'dryRun'
    | 'compareSimulatedUsers'
    | 'line'
  > {
  suite?: string | undefined;
  /** Prompt versions: the deployed one and the candidate of the config when left out. */
  a?: string;
  b?: string;
  model?: string;
}

/**
 * `evalrun attribute`: what of the difference between two prompts is theirs. Each is run twice, interleaved; checks that
 * are stable under both and different are run again. Exit code 0 when nothing is confirmed worse under b, 1 when
 * something is, 3 without evidence. `run --resume` goes on with one that was interrupted, `show` says the same again.
 */
export async function attributeCommand(args: AttributeArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const names = await chooseSuites(args.suite === undefined ? [] : [args.suite], project, io);
  // Mistakes in flags are told before files are read.
  const settings = resolveRunSettings({ flags: flagsOf(args), env: io.env, config: project.config });
  const plan = async () =>
    Promise.all(names.map((name) => planAttribution(name, settings, args, project, io)));
  if (args.dryRun === true) {
    const { printPlans } = await import('./shared/print-plans.js');
    return printPlans(args.json === true, await plan(), io);
  }
  const load = async () => (await plan()).map((planned) => toMake(args, planned, project, io));
  return makeRuns(args, names, load, io);
}

/** A run of one condition is one trial a scenario, so that this many repeats are as many runs. */
function flagsOf({ seed, concurrency }: AttributeArgs) {
  return settingFlags({
    ...(seed !== undefined && { seed }),
    ...(concurrency !== undefined && { concurrency }),
    repeat: String(attributionRuns),
  });
}

async function planAttribution(
  name: string,
  settings: PlannedSuite['settings'],
  args: AttributeArgs,
  project: Project,
  io: CommandIo,
): Promise<PlannedSuite> {
  const suite = await loadChosenSuite(project, name, { scenario: args.scenario, tag: args.tag }, undefined);
  const { a, b, model, compareSimulatedUsers = false } = args;
  const prepared = await prepareAttribution(project, suite, { a, b, model, compareSimulatedUsers }, io.env);
  const notes = machineNotes(project, io.env);
  const { quarantine } = suite;
  return planSuite({ prepared, settings, purpose: 'attribution', quarantine, notes }, args, project);
}

import { UserError } from '../../base/errors.js';
import { listed, quote } from '../../base/quote.js';
import type { Project } from '../../project/config.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import { promptOf } from '../../suite/target.js';
import type { CommandIo } from '../io.js';
import { machineNotes } from './notes.js';
import type { PlannedSuite } from './planned-run.js';
import { type RunArgs, settingFlags } from './run-args.js';

/** Loads the suites and plans a run of each, as the flags of `run` say. Throws UserError and InputError. */
export async function planRuns(
  args: RunArgs,
  names: readonly string[],
  project: Project,
  io: CommandIo,
): Promise<PlannedSuite[]> {
  // Late: the screen is there before checks, models and targets are loaded.
  const [{ loadChosenSuite }, { prepareRun }, { fixturesFolder, planSuite }] = await Promise.all([
    import('./choose-suite.js'),
    import('./prepare.js'),
    import('./planned-run.js'),
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

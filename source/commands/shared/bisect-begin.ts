import type { ExitCode } from '../../base/errors.js';
import { loadProject, type Project } from '../../project/config.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import { promptOf } from '../../suite/target.js';
import type { Suite } from '../../suite/types.js';
import type { CommandIo } from '../io.js';
import { type LookArgs, type LookFlags, readLookFlags, readWatched } from './bisect-choice.js';
import { readWantedEnds, tellEnds } from './bisect-ends.js';
import { driveBisect, endedBisect } from './bisect-headless.js';
import { chooseSuites, loadWithFixtures } from './choose-suite.js';
import { machineNotes, suiteNotes, tellNotes } from './notes.js';
import type { PreparedBisect } from './prepare-bisect.js';
import { settingFlags } from './run-args.js';

/** `evalrun bisect` of two prompts, from the beginning. */
export async function beginBisect(args: LookArgs, io: CommandIo): Promise<ExitCode> {
  // Mistakes in flags are told before files are read.
  const flags = readLookFlags(args, io);
  const wanted = await readWantedEnds(args, io);
  const { concurrency, seed } = args;
  const given = settingFlags({
    ...(concurrency !== undefined && { concurrency }),
    ...(seed !== undefined && { seed }),
  });
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  resolveRunSettings({ flags: given, env: io.env, config: project.config });
  const [name = ''] = await chooseSuites(args.suite === undefined ? [] : [args.suite], project);
  const suite = await loadWithFixtures(project, name, undefined);
  const settings = resolveRunSettings({ flags: given, env: io.env, suite, config: project.config });
  const prepared = await prepare(args, flags, suite, project, io);
  tellNotes([...suiteNotes(suite), ...machineNotes(project, io.env)], io);
  const open = async () => {
    const { makeBisect } = await import('./make-bisect.js');
    const { label, note, line } = args;
    const options = {
      settings,
      isAttended: false,
      line,
      ...(label !== undefined && { label }),
      ...(note !== undefined && { note }),
    };
    return makeBisect(prepared, options, project, io);
  };
  const opened = await driveBisect(open, { isJson: wanted.isJson }, io);
  return tellEnds(endedBisect(opened, project, io), wanted, project, io);
}

/** Everything of the bisect that the line names, and what the last red run says where it names nothing. */
async function prepare(
  args: LookArgs,
  flags: LookFlags,
  suite: Suite,
  project: Project,
  io: CommandIo,
): Promise<PreparedBisect> {
  const { loadEnd, prepareBisect } = await import('./prepare-bisect.js');
  const watched = readWatched(suite, args);
  const prompt = promptOf(suite);
  let { model, liveTools = false } = args;
  let of: string | undefined;
  let found = watched;
  if (!found && prompt !== undefined) {
    const { findRegressions } = await import('./bisect-regressions.js');
    const run = await findRegressions(
      project,
      suite.name,
      await loadEnd(project, prompt, args.bad ?? 'candidate'),
      io,
    );
    found = run.watched;
    of = run.runId;
    // What regressed there is looked into under what it regressed under.
    if (suite.target.kind === 'prompt') model ??= run.condition.model;
    liveTools ||= run.condition.liveTools === true;
  }
  return prepareBisect(
    project,
    suite,
    {
      good: args.good,
      bad: args.bad,
      watched: found ?? [],
      split: flags.split,
      strategy: flags.strategy,
      repeats: flags.repeats,
      budget: flags.budget,
      skipsCure: args.cureCheck === false,
      model,
      liveTools,
      ...(of !== undefined && { of }),
    },
    io.env,
  );
}

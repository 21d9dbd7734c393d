import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import type { ExitCode } from '../../base/errors.js';
import { refuseSame } from '../../bisect/ends.js';
import { loadProject, type Project } from '../../project/config.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import {
  type BisectPlan,
  bisectPlanFacts,
  bisectPlanLines,
  dryRunLines,
  planning,
} from '../../report/bisect-plan.js';
import { safeJson } from '../../report/json.js';
import { promptOf } from '../../suite/target.js';
import type { CommandIo } from '../io.js';
import { type LookArgs, type LookFlags, readLookFlags, readWatched } from './bisect-choice.js';
import { readWantedEnds, refuseReports, tellEnds } from './bisect-ends.js';
import { driveToEnd, endedBisect } from './bisect-headless.js';
import { chooseSuites, loadWithFixtures } from './choose-suite.js';
import { machineNotes, rehearsalNotes, suiteNotes, tellNotes } from './notes.js';
import { writeLines } from './output.js';
import type { PreparedBisect } from './prepare-bisect.js';
import { settingFlags } from './run-args.js';
import { isOnScreen } from './terminal.js';
import { createWaits } from './wait.js';

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
  const [name = ''] = await chooseSuites(args.suite === undefined ? [] : [args.suite], project, io);
  const notes: string[] = [];
  const load = async () => {
    const { prepared, fixtures } = await prepare(args, flags, name, project, io);
    const { suite, conditions } = prepared.prepared;
    const prompts = conditions.map(({ prompt }) => prompt?.path);
    await refuseReports(wanted, project, () => ({ suite, prompts }));
    const settings = resolveRunSettings({ flags: given, env: io.env, suite, config: project.config });
    notes.push(...suiteNotes(suite), ...machineNotes(project, io.env));
    const plan = async () => {
      const { planOfBisect } = await import('./bisect-plan.js');
      const { value: concurrency } = settings.concurrency;
      const { value: seed } = settings.seed;
      return planOfBisect({ project, env: io.env, prepared, concurrency, seed, clock: systemClock });
    };
    return { prepared, settings, plan, ...(fixtures !== undefined && { fixtures }) };
  };
  const waits = createWaits(args, io, { tellsInLines: true });
  if (args.dryRun === true) {
    const { plan } = await load();
    const { write, reports } = wanted;
    const asked = { '--write': write !== undefined, '--report': reports.length > 0 };
    tellNotes([...notes, ...rehearsalNotes(asked)], io);
    return printPlan(await waits.during(planning, plan()), wanted.isJson, io);
  }
  const isAttended = isOnScreen(args, io);
  const make = async ({ prepared, settings, plan: _, ...facts }: Awaited<ReturnType<typeof load>>) => {
    const { makeBisect } = await import('./make-bisect.js');
    const { label, note, line } = args;
    const said = { ...(label !== undefined && { label }), ...(note !== undefined && { note }) };
    return makeBisect(prepared, { settings, isAttended, line, ...said, ...facts }, project, io);
  };
  if (isAttended) {
    let plan: Awaited<ReturnType<typeof load>>['plan'];
    const { bisectInApp } = await import('./bisect-in-app.js');
    const open = async () => {
      const loaded = await load();
      plan = loaded.plan;
      return make(loaded);
    };
    return bisectInApp(open, project, io, {
      // Whoever is not asked at every step is not asked before the first.
      ...(flags.strategy === 'guided' && { plan: async () => [...bisectPlanLines(await plan())] }),
      tell(opened) {
        tellNotes(notes, io);
        return tellEnds(endedBisect(opened, project, io), wanted, project, io);
      },
    });
  }
  const loaded = await load();
  tellNotes(notes, io);
  const plan = wanted.isJson ? [] : [...bisectPlanLines(await waits.during(planning, loaded.plan()))];
  const ended = await driveToEnd(() => make(loaded), { isJson: wanted.isJson, plan }, project, io);
  return tellEnds(ended, wanted, project, io);
}

/** What it would take, and nothing is tried. */
async function printPlan(plan: BisectPlan, isJson: boolean, io: CommandIo): Promise<ExitCode> {
  if (isJson) await writeLines(io.stdout, [safeJson({ format: 1, plan: bisectPlanFacts(plan) })]);
  else await writeLines(io.stdout, dryRunLines(plan), io.env);
  return 0;
}

/** Everything of the bisect that the line names, and what the last red run says where it names nothing. */
async function prepare(
  args: LookArgs,
  flags: LookFlags,
  name: string,
  project: Project,
  io: CommandIo,
): Promise<{ prepared: PreparedBisect; fixtures?: string }> {
  const { loadEnd, prepareBisect } = await import('./prepare-bisect.js');
  let suite = await loadWithFixtures(project, name, undefined);
  const watched = readWatched(suite, args);
  const prompt = promptOf(suite);
  let { model, liveTools = false } = args;
  let of: string | undefined;
  let fixtures: string | undefined;
  let found = watched;
  if (!found && prompt !== undefined) {
    const bad = await loadEnd(project, prompt, args.bad ?? 'candidate');
    // That they are one prompt is the mistake, whatever failed under it.
    refuseSame(await loadEnd(project, prompt, args.good ?? 'deployed'), bad);
    const { findRegressions } = await import('./bisect-regressions.js');
    const run = await findRegressions(project, suite.name, bad, io);
    found = run.watched;
    of = run.runId;
    // What regressed there is looked into under what it regressed under.
    model ??= run.condition.model;
    liveTools ||= run.condition.liveTools === true;
    fixtures = run.fixtures;
    if (fixtures !== undefined)
      suite = await loadWithFixtures(project, name, path.resolve(project.root, fixtures));
  }
  const prepared = await prepareBisect(
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
  return { prepared, ...(fixtures !== undefined && { fixtures }) };
}

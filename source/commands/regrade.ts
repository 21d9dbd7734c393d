import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../base/clock.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { readVersion } from '../base/version.js';
import type { Judging } from '../compare/judge-run.js';
import { compareGradings } from '../compare/regrade.js';
import { checkCatalogue } from '../grade/registry.js';
import { loadProject, type Project } from '../project/config.js';
import { gitFacts } from '../project/git.js';
import { logsFolder, suiteLogs } from '../project/paths.js';
import { type RunSettings, resolveRunSettings } from '../project/run-settings.js';
import { redactSecrets } from '../project/secrets.js';
import { safeJson } from '../report/json.js';
import { type RegradeReport, regradeFacts, regradeLines } from '../report/regrade.js';
import { createTallyKeeper, type TallyKeeper } from '../report/summary.js';
import { isBeingWritten } from '../run/lock.js';
import { createTrialReader } from '../run/reader.js';
import { readRecording } from '../run/recording.js';
import { countMissing, planRegrade, type RegradePlan, startRegrade } from '../run/regrade.js';
import { findRun, type RunPlace } from '../run/runs.js';
import type { RunSummariser } from '../run/summary.js';
import type { LiveRun } from '../run/types.js';
import { listSuites, loadSuite } from '../suite/load.js';
import type { Suite } from '../suite/types.js';
import { readTally } from '../tally/replay.js';
import type { RunTally } from '../tally/types.js';
import type { CommandIo } from './io.js';
import { listenForInterrupts } from './shared/interrupt.js';
import { readBaselineCopy, readJudging } from './shared/judging.js';
import { tallyOf } from './shared/keeper.js';
import { makeRuns } from './shared/make-runs.js';
import { machineNotes } from './shared/notes.js';
import { type PreparedGrading, prepareGrading, refuseOwnVendor } from './shared/open-judge.js';
import { writeLines } from './shared/output.js';
import { runLimits } from './shared/prepare.js';
import type { RunToMake } from './shared/run-to-make.js';

export interface RegradeArgs {
  /** An id, the beginning of one, or `last`. */
  run: string;
  dryRun?: boolean;
  plain?: boolean;
  json?: boolean;
  /** The words of the line, for the journal. */
  line: readonly string[];
}

/** Everything that grading a run again needs, read. */
interface Regrade {
  place: RunPlace;
  plan: RegradePlan;
  suite: Suite;
  grading: PreparedGrading;
  settings: RunSettings;
  judging: Judging;
  /** Of the run as it was graded. */
  before: RunTally;
}

/**
 * `evalrun regrade RUN`: grades the conversations of a run by the checks of today and keeps that as a new run, told of as
 * any other; what changed against the old one stands at the end. No agent is asked. The exit code is the gate's. With
 * `dryRun` nothing is kept, what would change is printed, and the exit code is 0.
 */
export async function regradeCommand(args: RegradeArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const regrade = await prepareRegrade(args, project, io);
  if (args.dryRun === true) return rehearse(args, regrade, project, io);
  const after = createTallyKeeper(regrade.judging);
  const runsFolder = suiteLogs(logsFolder(project, io.env), regrade.suite.name);
  const toMake: RunToMake = {
    suite: regrade.suite.name,
    judging: regrade.judging,
    notes: machineNotes(project, io.env),
    open: (summariser) => open(regrade, runsFolder, heardByBoth(summariser, after), args, project, io.env),
  };
  const exitCode = await makeRuns(args, [toMake.suite], async () => [toMake], io);
  if (args.json !== true && after.tally) {
    await writeLines(io.stdout, ['', ...regradeLines(report(regrade, after, false))], io.env);
  }
  return exitCode;
}

async function prepareRegrade(args: RegradeArgs, project: Project, io: CommandIo): Promise<Regrade> {
  const place = await findRun(logsFolder(project, io.env), args.run);
  if (await isBeingWritten(place.journal)) {
    throw new UserError(`run ${place.runId} is still going on; grade it again when it has ended`);
  }
  const recording = await readRecording(place.journal);
  const { suite: name, runId, purpose } = recording.started;
  if (purpose === 'bisect') {
    throw new UserError(
      `run ${runId} is a bisect: what it tried next rests on how its trials were graded then; bisect anew`,
    );
  }
  const names = await listSuites(project);
  if (!names.includes(name)) {
    throw new UserError(
      `run ${runId} is of suite ${quote(name)}, which this project does not have; ${suggest(name, names, 'suites')}`,
    );
  }
  const suite = await loadSuite(project, name, checkCatalogue);
  const settings = resolveRunSettings({ flags: {}, env: io.env, suite, config: project.config });
  const plan = await planRegrade(recording, suite.scenarios, createTrialReader(place.journal));
  if (plan.scenarios.length === 0) {
    throw new UserError(`none of the scenarios of run ${runId} is in suite ${quote(name)} any more`);
  }
  const judging = await readJudging(place.folder, project, io.env);
  const before = await readTally(place.journal);
  const grading = await prepareGrading(project, suite, io.env);
  const agents = recording.started.plan.conditions.map(({ model }) => model);
  refuseOwnVendor(suite, agents, grading);
  return { place, plan, suite, settings, judging, before, grading };
}

async function open(
  { place, plan, suite, grading, settings }: Regrade,
  runsFolder: string,
  summariser: RunSummariser,
  { line }: RegradeArgs,
  project: Project,
  env: NodeJS.ProcessEnv,
): Promise<LiveRun> {
  const [git, baselineText] = await Promise.all([gitFacts(project.root), readBaselineCopy(place.folder)]);
  return startRegrade({
    ...grading,
    ...runLimits(settings),
    plan,
    suite,
    env,
    readTrial: createTrialReader(place.journal),
    clock: systemClock,
    summariser,
    runsFolder,
    ...(baselineText !== undefined && { baselineText }),
    ...(git && { git }),
    evalrun: readVersion(),
    command: redactSecrets(['evalrun', ...line].join(' ')),
  });
}

function heardByBoth(first: RunSummariser, second: RunSummariser): RunSummariser {
  return {
    hear(message) {
      first.hear(message);
      second.hear(message);
    },
    summary: (bytes) => first.summary(bytes),
  };
}

function report({ plan, before }: Regrade, after: TallyKeeper, isDryRun: boolean): RegradeReport {
  const { started } = plan.recording;
  return {
    runId: started.runId,
    conditions: started.plan.conditions,
    difference: compareGradings(before, tallyOf(after)),
    stale: plan.stale,
    gone: plan.gone,
    fresh: plan.fresh,
    missing: countMissing(plan),
    isDryRun,
  };
}

/** Milliseconds between two lines that only say that it goes on. */
const progressEveryMs = 5000;

/** Grades into a folder that is thrown away, and tells what came of it. */
async function rehearse(
  args: RegradeArgs,
  regrade: Regrade,
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  let toldAt = systemClock.now();
  const say = (text: string) => io.stderr.write(`evalrun: ${text}\n`);
  const after = createTallyKeeper(regrade.judging, (_message, { trials }) => {
    if (systemClock.now() - toldAt < progressEveryMs) return;
    toldAt = systemClock.now();
    say(`graded ${trials.done} of ${trials.total} trials`);
  });
  const scratch = await mkdtemp(path.join(tmpdir(), 'evalrun-regrade-'));
  try {
    const run = await open(regrade, scratch, after, args, project, io.env);
    const stopListening = listenForInterrupts(run, io.stdout, say);
    try {
      await run.start();
    } finally {
      await run.close().finally(stopListening);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  if (tallyOf(after).state !== 'completed') return 130;
  const found = report(regrade, after, true);
  await writeLines(
    io.stdout,
    args.json === true ? [safeJson(regradeFacts(found))] : regradeLines(found),
    args.json === true ? undefined : io.env,
  );
  return 0;
}

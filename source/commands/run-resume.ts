import { systemClock } from '../base/clock.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { listed, quote } from '../base/quote.js';
import type { Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { resolveRunSettings } from '../project/run-settings.js';
import type { RunStarted } from '../run/reader.js';
import type { RunPlace } from '../run/runs.js';
import { listSuites } from '../suite/load.js';
import type { CommandIo } from './io.js';
import { inputsOf } from './shared/inputs.js';
import { readJudging } from './shared/judging.js';
import { machineNotes, suiteNotes } from './shared/notes.js';
import { lookingInto } from './shared/planned-run.js';
import { prepareAgain, runLimits } from './shared/prepare.js';
import { type RunArgs, readMaxTokens } from './shared/run-args.js';
import { scenarioPlaces } from './shared/run-reports.js';
import type { RunToMake } from './shared/run-to-make.js';

/** Flags that would make another run of the one that is resumed. */
const notWithResume = [
  'scenario',
  'tag',
  'model',
  'candidate',
  'baseline',
  'failOn',
  'confirm',
  'aa',
  'compareSimulatedUsers',
  'repeat',
  'seed',
  'label',
  'note',
  'fixtures',
  'liveTools',
  'dryRun',
] as const;

/** A run of the past that `--resume` names. */
export interface RunToResume {
  place: RunPlace;
  started: RunStarted;
  /** Nothing of its plan is left to do, and it is not tainted. */
  isFinished: boolean;
}

/** Throws UserError for flags that do not go with it, and when there is no such run or its suite is gone. */
export async function findRunToResume(
  args: RunArgs,
  wanted: string,
  project: Project,
  io: CommandIo,
): Promise<RunToResume> {
  // `confirm` is true where the line says nothing of it.
  const given = notWithResume.filter(
    (name) => args[name] !== undefined && !(name === 'confirm' && args[name]),
  );
  if (args.suites.length > 0 || given.length > 0) {
    const what = [...(args.suites.length > 0 ? ['a suite'] : []), ...given.map(flagName)];
    throw new UserError(
      `--resume goes on with a run as it was planned; it does not go with ${listed(what, 'or')}`,
    );
  }
  const [{ findRun }, { isComplete, readProgress }] = await Promise.all([
    import('../run/runs.js'),
    import('../run/remaining.js'),
  ]);
  const place = await findRun(logsFolder(project, io.env), wanted);
  const { started, progress } = await readProgress(place.journal);
  if (started.purpose === 'bisect') {
    throw new UserError(
      `run ${place.runId} is a bisect, which goes on with: ${io.program} bisect --resume ${place.runId}`,
    );
  }
  const names = await listSuites(project);
  if (!names.includes(started.suite)) {
    const hint = suggest(started.suite, names, 'suites');
    throw new UserError(
      `run ${place.runId} is of suite ${quote(started.suite)}, which this project does not have; ${hint}`,
    );
  }
  return { place, started, isFinished: progress.taints.length === 0 && isComplete(started.plan, progress) };
}

/** Makes ready to do what is left of a run, on the files of today. */
export async function planResume(
  args: RunArgs,
  { place, started, isFinished }: RunToResume,
  project: Project,
  io: CommandIo,
): Promise<RunToMake> {
  const { resumeRun } = await import('../run/resume.js');
  const settings = resolveRunSettings({
    flags: { concurrency: args.concurrency },
    env: io.env,
    config: project.config,
  });
  const prepared = await prepareAgain(project, started, io.env);
  return {
    suite: started.suite,
    suiteFolder: prepared.suite.folder,
    judging: await readJudging(place.folder, project, io.env),
    inputs: () =>
      inputsOf(project, {
        suite: prepared.suite,
        prompts: prepared.conditions.map(({ prompt }) => prompt?.path),
        baseline: started.base?.kind === 'baseline' ? started.base.file : undefined,
        folder: place.folder,
      }),
    accounts: prepared.accounts,
    places: scenarioPlaces(prepared.suite.scenarios, project.root, io),
    ...lookingInto(args, settings, project, io),
    notes: [
      ...(isFinished ? [`note: ${nothingLeft(place)}; trials can be added`] : []),
      ...suiteNotes(prepared.suite),
      ...machineNotes(project, io.env),
    ],
    open: (summariser) =>
      resumeRun({
        ...prepared,
        ...runLimits(settings),
        ...readMaxTokens(args),
        clock: systemClock,
        summariser,
        folder: place.folder,
      }),
  };
}

/** Says that there is nothing to do, and reports as `show` does, with the gate's exit code. */
export async function tellFinished(args: RunArgs, { place }: RunToResume, io: CommandIo): Promise<ExitCode> {
  const isJson = args.json === true;
  const [{ showCommand }, { writeLines }] = await Promise.all([
    import('./show.js'),
    import('./shared/output.js'),
  ]);
  const note = nothingLeft(place);
  if (isJson) io.stderr.write(`note: ${note}\n`);
  else await writeLines(io.stdout, [note, ''], io.env);
  return showCommand({ run: place.runId, plain: !isJson, json: isJson }, io);
}

function nothingLeft({ runId }: RunPlace): string {
  return `run ${runId} is finished: nothing is left to do`;
}

function flagName(name: (typeof notWithResume)[number]): string {
  if (name === 'confirm') return '--no-confirm';
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

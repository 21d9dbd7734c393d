import { type ExitCode, UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { type BaselinePlace, listBaselines, readBaseline } from '../compare/baseline-file.js';
import { loadProject, type Project } from '../project/config.js';
import { gitFileLog } from '../project/git.js';
import { logsFolder } from '../project/paths.js';
import { baselineLines, baselineLog, type LogEntry, logLines } from '../report/baseline.js';
import { safeJson } from '../report/json.js';
import { listSuites } from '../suite/load.js';
import type { CommandIo } from './io.js';
import { blessCriterion } from './shared/bless-criterion.js';
import { writeLines } from './shared/output.js';
import { readRunEvidence } from './shared/run-evidence.js';

export interface BaselineShowArgs {
  /** Not set: the only suite. */
  suite?: string | undefined;
  /** `provider:model` or its name in the config; not set: all. */
  model?: string;
  /** The one of live tools. */
  live?: boolean;
  json?: boolean;
}

/** `evalrun baseline show`: what is expected, one baseline after another. */
export async function baselineShowCommand(args: BaselineShowArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const places = await findPlaces(project, args);
  const baselines = await Promise.all(
    places.map(async (place) => ({ place, baseline: await readBaseline(project, place.path) })),
  );
  if (args.json === true) {
    const facts = baselines.map(({ place, baseline }) => ({ file: place.shown, ...baseline }));
    await writeLines(io.stdout, [safeJson({ baselines: facts })]);
    return 0;
  }
  const lines = baselines.map(({ place, baseline }) => baselineLines(baseline, place.shown));
  await writeLines(
    io.stdout,
    lines.flatMap((one, index) => (index === 0 ? one : ['', ...one])),
    io.env,
  );
  return 0;
}

/** `evalrun baseline log`: commits of the files and superseded expectations, newest first. */
export async function baselineLogCommand(args: BaselineShowArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const places = await findPlaces(project, args);
  const entries: { file: string; log: LogEntry[] }[] = [];
  for (const { path, shown } of places) {
    const commits = (await gitFileLog(project.root, path)).map(
      ({ commit, author, date, subject }): LogEntry => ({ date, what: subject, by: author, commit }),
    );
    entries.push({ file: shown, log: baselineLog(await readBaseline(project, path), commits) });
  }
  if (args.json === true) await writeLines(io.stdout, [safeJson({ baselines: entries })]);
  else
    await writeLines(
      io.stdout,
      entries.flatMap(({ file, log }) => [
        makeVisible(file),
        ...(log.length === 0 ? ['not committed yet, and nothing was superseded'] : logLines(log)),
      ]),
      io.env,
    );
  return 0;
}

async function findPlaces(
  project: Project,
  { suite, model, live }: BaselineShowArgs,
): Promise<BaselinePlace[]> {
  const suites = await listSuites(project);
  if (suite !== undefined && !suites.includes(suite) && (await listBaselines(project, suite)).length === 0) {
    throw new UserError(`there is no suite ${quote(suite)}; there is ${listed(suites, 'or')}`);
  }
  const all = await Promise.all(
    (suite === undefined ? suites : [suite]).map((one) => listBaselines(project, one)),
  );
  const wanted = model === undefined ? undefined : (project.config.models[model] ?? model);
  const places = all
    .flat()
    .filter((place) => (wanted === undefined || place.model === wanted) && (live !== true || place.live));
  if (places.length > 0) return places;
  const of = suite === undefined ? '' : ` of ${suite}`;
  const there = all.flat().map(({ shown }) => shown);
  const hint =
    there.length === 0 ? 'evalrun baseline save makes one from a run' : `there is ${listed(there)}`;
  throw new UserError(`there is no such baseline${of}; ${hint}`);
}

export interface BaselineBlessArgs {
  scenario: string;
  check: string;
  reason: string;
  /** An id, the beginning of one, or `last` (default). */
  run?: string;
  /** Which condition of the run: its id, its model, or the name of its prompt. */
  condition?: string;
}

/**
 * `evalrun baseline bless`: one criterion takes what a run shows as its expectation, with the reason; the old one stays in
 * the history. There is no way to accept several at once. Exit code 1 where the config wants a second reviewer and the
 * person is the author of the prompt's last edit.
 */
export async function baselineBlessCommand(args: BaselineBlessArgs, io: CommandIo): Promise<ExitCode> {
  const reason = args.reason.trim();
  if (reason === '') throw new UserError('--reason: say why, in words that a reviewer can judge');
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const logs = logsFolder(project, io.env);
  const { evidence } = await readRunEvidence(logs, args.run ?? 'last', args.condition, 'candidate');
  const { scenario, check } = args;
  const answer = await blessCriterion({ project, evidence, scenario, check, reason, program: io.program });
  await writeLines(
    io.stdout,
    [
      answer.change,
      ...(answer.note === undefined ? [] : [`note: ${answer.note}`]),
      `kept in ${answer.file}; to commit it, apart from the prompt:`,
      `  ${answer.commit}`,
    ].map((line) => makeVisible(line)),
    io.env,
  );
  return 0;
}

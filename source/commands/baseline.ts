import { type ExitCode, UserError } from '../base/errors.js';
import { listed, quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { type BaselinePlace, findBaseline, listBaselines, readBaseline } from '../compare/baseline-file.js';
import { nameOfCheck, shellQuote } from '../compare/baseline-save.js';
import { writeBaseline } from '../compare/baseline-write.js';
import { type Blessed, type Blessing, bless, UnblessableCheck } from '../compare/bless.js';
import type { Evidence } from '../compare/types.js';
import { loadProject, type Project } from '../project/config.js';
import { gitFacts, gitFileFacts, gitFileLog, gitLastAuthor, gitUser } from '../project/git.js';
import { logsFolder } from '../project/paths.js';
import { baselineLines, baselineLog, expectationText, type LogEntry, logLines } from '../report/baseline.js';
import { safeJson } from '../report/json.js';
import { listSuites } from '../suite/load.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';
import { readRunEvidence } from './shared/run-evidence.js';

export interface BaselineShowArgs {
  /** Not set: the only suite. */
  suite?: string;
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
  if (evidence.taints.length > 0)
    throw new UserError(`run ${evidence.runId} is tainted and is no evidence; make another`);
  const place = await findBaseline(project, evidence.suite, evidence.condition, evidence.answered.models);
  if (!place) {
    throw new UserError(
      `${evidence.suite} has no baseline on ${evidence.condition.model} yet; ${io.program} baseline save makes one from a run`,
    );
  }
  const [by, facts] = await Promise.all([gitUser(project.root), gitFacts(project.root)]);
  const isOwnEdit = await isAuthorOfPrompt(project, evidence, by?.email);
  if (isOwnEdit && project.config.guard.secondReviewer === true) {
    throw new UserError(
      `${evidence.condition.promptPath} was last edited by you, and this project wants a second reviewer ("guard" of .evalrc.json): have somebody else bless ${nameOfCheck(args)}`,
      1,
    );
  }
  const blessing: Blessing = {
    scenario: args.scenario,
    check: args.check,
    reason,
    now: Date.now(),
    ...(by && { by: by.name }),
    ...(facts && { commit: facts.commit }),
  };
  const baseline = await readBaseline(project, place.path);
  const { from, to, baseline: next } = blessed(() => bless(baseline, evidence, blessing));
  await writeBaseline(place.path, next);
  const message = `Bless ${nameOfCheck(args)}: ${reason}`;
  await writeLines(
    io.stdout,
    [
      `${nameOfCheck(args)}  ${from ? expectationText(from) : 'nothing was expected'} → ${expectationText(to)}`,
      ...(isOwnEdit
        ? [`note: ${evidence.condition.promptPath} was last edited by you; have somebody else look at this`]
        : []),
      `kept in ${place.shown}; to commit it, apart from the prompt:`,
      `  git add -- ${shellQuote(place.shown)} && git commit -m ${shellQuote(message)} -- ${shellQuote(place.shown)}`,
    ].map((line) => makeVisible(line)),
    io.env,
  );
  return 0;
}

/** Whether the prompt of a run was last edited by whoever has this address; an edit that is not committed is theirs. */
async function isAuthorOfPrompt(
  project: Project,
  { condition: { promptPath } }: Evidence,
  email: string | undefined,
): Promise<boolean> {
  if (promptPath === undefined) return false;
  const facts = await gitFileFacts(project.root, promptPath);
  if (facts?.dirty) return true;
  const author = await gitLastAuthor(project.root, promptPath);
  return author !== undefined && author.email === email;
}

function blessed(make: () => Blessed): Blessed {
  try {
    return make();
  } catch (error) {
    throw error instanceof UnblessableCheck ? new UserError(error.message) : error;
  }
}

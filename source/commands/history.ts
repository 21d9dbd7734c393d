import { isUtf8 } from '../base/ascii.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { loadProject, type Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { inline } from '../report/format.js';
import { type HistorySeries, historyOf, type SuiteRuns, seriesOf, suiteRunsOf } from '../report/history.js';
import { driftText, historyLines, seriesTitle } from '../report/history-text.js';
import { safeJson } from '../report/json.js';
import { listRuns } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';
import { openScreens } from './shared/screens.js';
import { isOnScreen } from './shared/terminal.js';

export interface HistoryArgs {
  suite?: string | undefined;
  /** A name from the config, or `provider:model`. */
  model?: string;
  plain?: boolean;
  json?: boolean;
}

/** Columns where there is no terminal. */
const defaultColumns = 80;

/**
 * `evalrun history`: scores over time per suite and model, from the summaries of runs alone. On a terminal the screen of
 * them, from which runs are opened.
 */
export async function historyCommand(args: HistoryArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const logs = logsFolder(project, io.env);
  const summaries = (await listRuns(logs)).flatMap(({ summary }) => (summary ? [summary] : []));
  const { models } = project.config;
  const model =
    args.model !== undefined && Object.hasOwn(models, args.model) ? models[args.model] : args.model;
  const isChosen = (one: { suite: string; model: string }) =>
    (args.suite === undefined || one.suite === args.suite) && (model === undefined || one.model === model);
  const old = notesOfOldSummaries(summaries, io.program);
  if (isOnScreen(args, io)) {
    const runs = suiteRunsOf(summaries);
    const shown = runs.filter(isChosen);
    if (shown.length > 0 || runs.length === 0) return openOnScreen(shown, old.at(-1), project, io);
  }
  const all = historyOf(summaries);
  const chosen = all.filter(isChosen);
  if (args.json === true) {
    await writeLines(io.stdout, jsonLines(chosen));
    return 0;
  }
  if (all.length === 0) {
    await writeLines(io.stdout, [`there are no clean runs in ${makeVisible(logs)} yet`, ...old], io.env);
    return 0;
  }
  if (chosen.length === 0) throw new UserError(whatThereIs(args, all));
  const columns = io.stdout.isTTY ? io.stdout.columns : defaultColumns;
  for (const [index, series] of chosen.entries()) {
    if (index > 0) await writeLines(io.stdout, ['']);
    await writeLines(io.stdout, historyLines(series, columns, !isUtf8(io.env)), io.env);
  }
  await writeLines(io.stdout, old, io.env);
  return 0;
}

/** The screen; when it has closed, what it said of each suite and model. */
async function openOnScreen(
  series: readonly SuiteRuns[],
  note: string | undefined,
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  const { pastRunsOpener } = await import('./shared/past-runs.js');
  const { program } = io;
  const past = pastRunsOpener(project, io);
  const gone = new Set<string>();
  await openScreens(
    {
      runs: [],
      pastRuns: {
        series,
        empty: `There is no run to show yet. ${program} run SUITE makes one; each clean run of a whole suite is a point here, and after 20 of them a test says whether scores fall slowly.`,
        ...(note !== undefined && { note }),
        ...past,
        async remove(run) {
          await past.remove(run);
          gone.add(run.runId);
        },
      },
    },
    io,
  );
  for (const all of series) {
    const one = seriesOf({ ...all, runs: all.runs.filter(({ runId }) => !gone.has(runId)) });
    await writeLines(io.stdout, [seriesTitle(one), `  ${inline(driftText(one.drift))}`], io.env);
  }
  return 0;
}

function whatThereIs({ suite, model }: HistoryArgs, all: readonly HistorySeries[]): string {
  const suites = [...new Set(all.map((one) => one.suite))];
  if (suite !== undefined && !suites.includes(suite)) {
    return `there are no clean runs of ${quote(suite)}; ${suggest(suite, suites, 'suites with some')}`;
  }
  const names = [...new Set(all.filter((one) => one.suite === (suite ?? one.suite)).map((one) => one.model))];
  return `there are no clean runs on ${quote(model ?? '')}; ${suggest(model ?? '', names, 'models with some')}`;
}

/** Runs that ended before scores were kept with them. */
function notesOfOldSummaries(summaries: readonly RunSummary[], program: string): string[] {
  const old = summaries.filter(({ scores }) => scores === undefined).length;
  if (old === 0) return [];
  const runs = old === 1 ? '1 run was' : `${old} runs were`;
  return ['', `${runs} summed up before scores were kept: ${program} runs --rebuild adds them`];
}

function* jsonLines(all: readonly HistorySeries[]): Generator<string> {
  yield '{"series":[';
  for (const [index, { points, ...series }] of all.entries()) {
    const facts = {
      ...series,
      points: points.map((point) => ({ ...point, at: new Date(point.at).toISOString() })),
    };
    yield `${safeJson(facts)}${index < all.length - 1 ? ',' : ''}`;
  }
  yield ']}';
}

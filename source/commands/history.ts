import { isUtf8 } from '../base/ascii.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { makeVisible } from '../base/text.js';
import { loadProject } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { type HistorySeries, historyOf } from '../report/history.js';
import { historyLines } from '../report/history-text.js';
import { safeJson } from '../report/json.js';
import { listRuns } from '../run/runs.js';
import type { RunSummary } from '../run/summary.js';
import type { CommandIo } from './io.js';
import { writeLines } from './shared/output.js';

export interface HistoryArgs {
  suite?: string;
  /** A name from the config, or `provider:model`. */
  model?: string;
  json?: boolean;
}

/** Columns where there is no terminal. */
const defaultColumns = 80;

/** `evalrun history`: scores over time per suite and model, from the summaries of runs alone. */
export async function historyCommand(args: HistoryArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const logs = logsFolder(project, io.env);
  const summaries = (await listRuns(logs)).flatMap(({ summary }) => (summary ? [summary] : []));
  const all = historyOf(summaries);
  const { models } = project.config;
  const model =
    args.model !== undefined && Object.hasOwn(models, args.model) ? models[args.model] : args.model;
  const chosen = all.filter(
    (one) =>
      (args.suite === undefined || one.suite === args.suite) && (model === undefined || one.model === model),
  );
  if (args.json === true) {
    await writeLines(io.stdout, jsonLines(chosen));
    return 0;
  }
  const old = notesOfOldSummaries(summaries, io.program);
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

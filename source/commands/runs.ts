import type { ExitCode } from '../base/errors.js';
import { makeVisible } from '../base/text.js';
import { loadProject, type Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { safeJson } from '../report/json.js';
import { runsTable } from '../report/runs-table.js';
import { createTallyKeeper } from '../report/summary.js';
import { listRuns, type RunEntry, rebuildSummaries } from '../run/runs.js';
import type { CommandIo } from './io.js';
import { readJudging } from './shared/judging.js';
import { writeLines } from './shared/output.js';

export interface RunsArgs {
  json?: boolean;
  rebuild?: boolean;
}

/**
 * `evalrun runs`: the runs of this project, newest first, from their summaries alone. With `rebuild` the summaries are
 * derived from the journals first; a journal that cannot be read is named on stderr and gives exit code 2.
 */
export async function runsCommand(args: RunsArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const logs = logsFolder(project, io.env);
  const exitCode = args.rebuild === true ? await rebuild(logs, project, io) : 0;
  const entries = await listRuns(logs);
  if (args.json === true) await writeLines(io.stdout, jsonLines(entries));
  else if (entries.length === 0)
    await writeLines(io.stdout, [`there are no runs in ${makeVisible(logs)} yet`]);
  else
    await writeLines(io.stdout, runsTable(entries, io.stdout.isTTY ? io.stdout.columns : undefined), io.env);
  return exitCode;
}

async function rebuild(logs: string, project: Project, io: CommandIo): Promise<ExitCode> {
  const { rebuilt, skipped, failed } = await rebuildSummaries(logs, async (folder) =>
    createTallyKeeper(await readJudging(folder, project, io.env)),
  );
  const notes = [
    `rebuilt ${rebuilt.length} of ${rebuilt.length + skipped.length + failed.length} summaries`,
    ...skipped.map(({ runId }) => `${runId} is being written and was left alone`),
    ...failed.map(({ message }) => makeVisible(message)),
  ];
  await writeLines(
    io.stderr,
    notes.map((note) => `evalrun: ${note}`),
  );
  return failed.length > 0 ? 2 : 0;
}

function* jsonLines(entries: readonly RunEntry[]): Generator<string> {
  yield '{"runs":[';
  for (const [index, entry] of entries.entries()) {
    const { runId, suite, folder, summary, isRunning } = entry;
    const state = summary?.state ?? (isRunning ? 'running' : 'unfinished');
    // What each check came to fills pages; `triage --json` tells it by check.
    const facts = summary
      ? {
          ...summary,
          results: undefined,
          startedAt: isoTime(summary.startedAt),
          finishedAt: isoTime(summary.finishedAt),
          folder,
        }
      : { runId, suite, state, folder };
    yield `${safeJson(facts)}${index < entries.length - 1 ? ',' : ''}`;
  }
  yield ']}';
}

/** Times are written as in the report of a run. */
function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

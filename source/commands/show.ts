import { systemClock } from '../base/clock.js';
import { type ExitCode, UserError } from '../base/errors.js';
import { suggest } from '../base/nearest.js';
import { quote } from '../base/quote.js';
import { readVersion } from '../base/version.js';
import { combineExitCodes, decide, type GateSettings } from '../compare/gate.js';
import { loadProject } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { resolveRunSettings } from '../project/run-settings.js';
import { closingLines } from '../report/closing.js';
import { createTallyKeeper } from '../report/summary.js';
import { isBeingWritten } from '../run/lock.js';
import { createTrialReader, replayJournal } from '../run/reader.js';
import { findRun, type RunPlace } from '../run/runs.js';
import { endReplay } from '../tally/tally.js';
import type { Cell, RunTally } from '../tally/types.js';
import type { CommandIo } from './io.js';
import { judgeNotesOf } from './shared/judge-notes.js';
import { tallyOf } from './shared/keeper.js';
import { createOutput, writeLines } from './shared/output.js';
import { pastRun } from './shared/past-run.js';
import { isInteractive } from './shared/terminal.js';

export interface ShowArgs {
  /** An id, the beginning of one, or `last` (default). */
  run?: string;
  /** `scenario#2`: print this trial; `scenario`: all of the scenario's. */
  trial?: string;
  plain?: boolean;
  json?: boolean;
}

/**
 * `evalrun show`: a past run in the screens of a live one; without a terminal its closing report, or single trials as
 * text. The exit code is what the gate says of the run, as it was when the run ended; 0 for single trials.
 */
export async function showCommand(args: ShowArgs, io: CommandIo): Promise<ExitCode> {
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const settings = resolveRunSettings({ flags: {}, env: io.env, config: project.config });
  const gate: GateSettings = { minCoverage: settings.minCoverage.value };
  const place = await findRun(logsFolder(project, io.env), args.run ?? 'last');
  if (args.trial !== undefined) return printTrials(place, args.trial, gate, io);
  if (args.json === true) return printJson(place, gate, io);
  const isOnScreen = args.plain !== true && isInteractive(io);
  if (isOnScreen) await openOnScreen(place, io);
  const tally = await readTally(place, gate);
  const decision = decide(tally, gate);
  await writeLines(
    io.stdout,
    closingLines(tally, decision, {
      hidePassed: isOnScreen,
      program: io.program,
      judgeNotes: await judgeNotesOf(tally.started, io),
    }),
    io.env,
  );
  return decision.exitCode;
}

/** The tally of a run by its journal. One that nobody writes any more has ended, whether it says so or not. */
async function readTally(place: RunPlace, gate: GateSettings): Promise<RunTally> {
  const keeper = createTallyKeeper(gate);
  const isLive = await isBeingWritten(place.journal);
  await replayJournal(place.journal, keeper.hear);
  const tally = tallyOf(keeper);
  if (!isLive) endReplay(tally);
  return tally;
}

async function openOnScreen(place: RunPlace, io: CommandIo): Promise<void> {
  const [{ openApp }, { openSettings }] = await Promise.all([
    import('../ui/open.js'),
    import('../project/settings.js'),
  ]);
  await openApp({
    runs: [pastRun(place.journal)],
    settings: await openSettings(io.env),
    stdin: io.stdin,
    stdout: io.stdout,
    stderr: io.stderr,
    env: io.env,
    clock: systemClock,
  });
}

async function printJson(place: RunPlace, gate: GateSettings, io: CommandIo): Promise<ExitCode> {
  const { reporters } = await import('../report/reporters.js');
  const { write } = createOutput(io.stdout);
  const reporter = await reporters.json({
    write,
    clock: systemClock,
    version: readVersion(),
    program: io.program,
  });
  const tally = await readTally(place, gate);
  const decision = decide(tally, gate);
  await reporter.finishRun({
    tally,
    decision,
    place,
    judgeNotes: await judgeNotesOf(tally.started, io),
  });
  const exitCode = combineExitCodes([decision]);
  await reporter.finish(exitCode);
  return exitCode;
}

async function printTrials(
  place: RunPlace,
  wanted: string,
  gate: GateSettings,
  io: CommandIo,
): Promise<ExitCode> {
  const { transcriptLines } = await import('../report/transcript.js');
  const tally = await readTally(place, gate);
  const readTrial = createTrialReader(place.journal);
  let isFirst = true;
  for (const { scenario, condition, cell, of } of findTrials(tally, wanted)) {
    const key = { scenario, condition: condition.id, repeat: cell.repeat };
    const record = await readTrial(key, cell.positions);
    if (!isFirst) await writeLines(io.stdout, ['']);
    isFirst = false;
    await writeLines(
      io.stdout,
      transcriptLines(record, { condition, of, verdict: cell.state.toUpperCase() }),
      io.env,
    );
  }
  return 0;
}

interface FoundTrial {
  scenario: string;
  condition: RunTally['conditions'][number];
  cell: Cell;
  of: number;
}

/** The trials that `scenario#2` or `scenario` names, under every condition. Throws UserError when there are none. */
function findTrials(tally: RunTally, wanted: string): FoundTrial[] {
  const parts = /^(.+)#(\d+)$/su.exec(wanted);
  // A scenario's id may itself end in `#2`.
  const isWhole = parts === null || tally.rowById.has(wanted);
  const id = isWhole ? wanted : (parts[1] ?? wanted);
  const row = tally.rowById.get(id);
  if (!row) {
    throw new UserError(
      `the run has no scenario ${quote(id)}; ${suggest(id, [...tally.rowById.keys()], 'scenarios')}`,
    );
  }
  const repeat = isWhole ? undefined : Number(parts[2]);
  const found = row.groups.flatMap((group, index) => {
    const condition = tally.conditions[index];
    const cells = group.cells.filter((cell) => repeat === undefined || cell.repeat === repeat);
    return condition ? cells.map((cell) => ({ scenario: id, condition, cell, of: group.cells.length })) : [];
  });
  if (found.length === 0) {
    throw new UserError(
      `scenario ${quote(id)} has trials 1 to ${row.groups[0]?.cells.length ?? 0}, and no ${repeat}`,
    );
  }
  return found;
}

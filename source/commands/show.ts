import { systemClock } from '../base/clock.js';
import type { ExitCode } from '../base/errors.js';
import { readVersion } from '../base/version.js';
import { combineExitCodes } from '../compare/gate.js';
import { type Judging, judgeRun } from '../compare/judge-run.js';
import { loadProject, type Project } from '../project/config.js';
import { logsFolder } from '../project/paths.js';
import { closingLines } from '../report/closing.js';
import { trialId } from '../run/events.js';
import { createTrialReader, readRunStarted } from '../run/reader.js';
import { findRun, type RunPlace } from '../run/runs.js';
import { readTally } from '../tally/replay.js';
import type { CommandIo } from './io.js';
import { bisectedRuns } from './shared/bisected-runs.js';
import { findTrials } from './shared/find-trials.js';
import { judgeFactsOf, judgeNotesOf } from './shared/judge-notes.js';
import { readJudging } from './shared/judging.js';
import { createOutput, writeLines } from './shared/output.js';
import { pastRun } from './shared/past-run.js';
import { openScreens } from './shared/screens.js';
import { isOnScreen } from './shared/terminal.js';

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
  const place = await findRun(logsFolder(project, io.env), args.run ?? 'last');
  if (args.trial !== undefined) return printTrials(place, args.trial, io);
  const { purpose } = await readRunStarted(place.journal);
  if (purpose === 'bisect') return showBisect(place, args, project, io);
  const judging = await readJudging(place.folder, project, io.env);
  if (args.json === true) return printJson(place, judging, io);
  const wasOnScreen = isOnScreen(args, io);
  if (wasOnScreen) await openScreens({ runs: [pastRun(place, io, judging)] }, io);
  const tally = await readTally(place.journal);
  const { decision, comparison } = judgeRun(tally, judging);
  await writeLines(
    io.stdout,
    closingLines(tally, decision, {
      hidePassed: wasOnScreen,
      ...(comparison && { comparison }),
      program: io.program,
      judgeNotes: await judgeNotesOf(tally.started, io),
      bisects: await bisectedRuns(place.folder),
    }),
    io.env,
  );
  return decision.exitCode;
}

/** A bisect has a screen and lines of its own; its exit code is that of its finding. */
async function showBisect(
  place: RunPlace,
  args: ShowArgs,
  project: Project,
  io: CommandIo,
): Promise<ExitCode> {
  if (isOnScreen(args, io)) {
    const { pastBisect } = await import('./shared/past-bisect.js');
    await openScreens({ runs: [pastBisect(place, io)] }, io);
  }
  const [{ pastBisectEnd }, { tellEnds }] = await Promise.all([
    import('./shared/bisect-headless.js'),
    import('./shared/bisect-ends.js'),
  ]);
  const wanted = { isJson: args.json === true, write: undefined, reports: [] };
  return tellEnds(await pastBisectEnd(place, project, io), wanted, project, io);
}

async function printJson(place: RunPlace, judging: Judging, io: CommandIo): Promise<ExitCode> {
  const { reporters } = await import('../report/reporters.js');
  const { write } = createOutput(io.stdout);
  const reporter = await reporters.json({
    write,
    clock: systemClock,
    version: readVersion(),
    program: io.program,
  });
  const tally = await readTally(place.journal);
  const { decision, comparison, attribution, noise } = judgeRun(tally, judging);
  await reporter.finishRun({
    tally,
    decision,
    ...(comparison && { comparison }),
    ...(attribution && { attribution }),
    ...(noise && { noise }),
    place,
    bisects: await bisectedRuns(place.folder),
    ...(await judgeFactsOf(tally.started, io)),
  });
  const exitCode = combineExitCodes([decision]);
  await reporter.finish(exitCode);
  return exitCode;
}

async function printTrials(place: RunPlace, wanted: string, io: CommandIo): Promise<ExitCode> {
  const [{ transcriptLines }, { checkCalibrationText }, { readReviews }] = await Promise.all([
    import('../report/transcript.js'),
    import('../report/calibration.js'),
    import('../run/reviews.js'),
  ]);
  const tally = await readTally(place.journal);
  const { labels } = await judgeFactsOf(tally.started, io);
  const reviews = await readReviews(place.folder);
  const readTrial = createTrialReader(place.journal);
  let isFirst = true;
  for (const { scenario, condition, cell, of } of findTrials(tally, wanted)) {
    const key = { scenario, condition: condition.id, repeat: cell.repeat };
    const record = await readTrial(key, cell.positions);
    if (!isFirst) await writeLines(io.stdout, ['']);
    isFirst = false;
    await writeLines(
      io.stdout,
      transcriptLines(record, {
        condition,
        of,
        verdict: cell.state.toUpperCase(),
        review: reviews.get(trialId(key)),
        calibration: (check) => checkCalibrationText(tally.started, labels, scenario, check),
      }),
      io.env,
    );
  }
  return 0;
}

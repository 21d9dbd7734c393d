import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { type ExitCode, exitCodeOf } from '../../base/errors.js';
import { readVersion } from '../../base/version.js';
import { combineExitCodes, type Decision } from '../../compare/gate.js';
import { type Judgement, judgeRun } from '../../compare/judge-run.js';
import { textForLog } from '../../report/log-text.js';
import type { Reporter } from '../../report/reporter.js';
import { type ReporterName, reporters } from '../../report/reporters.js';
import { createTallyKeeper } from '../../report/summary.js';
import { journalFile } from '../../run/run-folder.js';
import { readTally } from '../../tally/replay.js';
import type { RunTally } from '../../tally/types.js';
import type { CommandIo } from '../io.js';
import { bisectedRuns } from './bisected-runs.js';
import { runAndConfirm } from './confirm-run.js';
import { listenForInterrupts } from './interrupt.js';
import { judgeFactsOf } from './judge-notes.js';
import { keepNoise } from './keep-noise.js';
import { keepResults } from './keep-results.js';
import { tallyOf } from './keeper.js';
import { tellNotes } from './notes.js';
import { createOutput } from './output.js';
import { joinReporters, openReports } from './run-reports.js';
import type { RunToMake } from './run-to-make.js';

/**
 * Makes runs one after another, told of by a reporter and by those of `reports`, values of `--report`; none after one that
 * was interrupted.
 */
export async function runHeadless(
  runs: readonly RunToMake[],
  reporterName: ReporterName,
  io: CommandIo,
  reports: readonly string[] = [],
): Promise<ExitCode> {
  const { write } = createOutput(io.stdout);
  const beside = await openReports(
    { files: reports, runs: runs.length, isJson: reporterName === 'json' },
    io,
  );
  const main = await reporters[reporterName]({
    write,
    forLocale: textForLog(io.env),
    clock: systemClock,
    version: readVersion(),
    program: io.program,
  });
  const reporter = joinReporters([main, beside]);
  const decisions: Decision[] = [];
  const failures: unknown[] = [];
  try {
    for (const run of runs) {
      const decision = await makeRun(run, reporter, io);
      decisions.push(decision);
      if (decision.verdict === 'interrupted') break;
    }
  } catch (error) {
    failures.push(error);
  }
  const exitCode = () => (failures.length > 0 ? exitCodeOf(failures[0]) : combineExitCodes(decisions));
  // What was begun is brought to an end that can be read. What is printed comes last: it tells the code that the process
  // ends with, which is another one where a report cannot be written.
  for (const one of [beside, main]) await one.finish(exitCode()).catch((error) => failures.push(error));
  // It is printed by whoever catches it.
  if (failures.length > 0) throw failures[0];
  return exitCode();
}

async function makeRun(toMake: RunToMake, reporter: Reporter, io: CommandIo): Promise<Decision> {
  const { judging, notes = [] } = toMake;
  tellNotes(notes, io);
  // What a resumed run told before was told then: it is tallied and not printed again.
  let isNews = false;
  const keeper = createTallyKeeper(judging, (message, tally, row) => {
    if (isNews) reporter.hear(message, tally, row);
  });
  const run = await toMake.open(keeper);
  isNews = true;
  const stopWatching = toMake.accounts?.subscribe(() => reporter.waits?.(toMake.accounts?.states() ?? []));
  const stopListening = listenForInterrupts(run, io.stdout, (text) => io.stderr.write(`evalrun: ${text}\n`));
  const tell = async (tally: RunTally, judgement: Judgement) => {
    const { decision, comparison, attribution, noise } = judgement;
    await reporter.finishRun({
      tally,
      decision,
      ...(comparison && { comparison }),
      ...(attribution && { attribution }),
      ...(noise && { noise }),
      place: { journal: path.join(run.folder, journalFile) },
      bisects: await bisectedRuns(run.folder),
      ...(toMake.places && { places: toMake.places }),
      ...(await judgeFactsOf(tally.started, io)),
    });
  };
  const drive = async () => {
    try {
      const { started } = tallyOf(keeper);
      reporter.hear({ event: started }, tallyOf(keeper), undefined);
      await runAndConfirm(run, keeper, judging);
    } finally {
      stopWatching?.();
      await run.close().finally(stopListening);
    }
  };
  await drive().catch(async (error) => {
    // A run that could not go on leaves its journal as far as it came: that is told, and the reason is thrown on. What
    // cannot be told is heard of when the reporters finish.
    const left = await readTally(path.join(run.folder, journalFile)).catch(() => undefined);
    if (left) await tell(left, judgeRun(left, judging)).catch(() => {});
    throw error;
  });
  const tally = tallyOf(keeper);
  const judgement = judgeRun(tally, judging);
  const { decision, comparison } = judgement;
  await toMake.lookInto?.({ tally, decision, comparison, folder: run.folder });
  await tell(tally, judgement);
  await keepResults(toMake.suiteFolder, tally, decision, io);
  await keepNoise(toMake.suiteFolder, tally, judgement, io);
  return decision;
}

import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { judgeRun } from '../../compare/judge-run.js';
import type { Project } from '../../project/config.js';
import { todaysGate } from '../../project/run-gate.js';
import { createBisectReporter } from '../../report/bisect-plain.js';
import { textForLog } from '../../report/log-text.js';
import { journalFile } from '../../run/run-folder.js';
import type { RunPlace } from '../../run/runs.js';
import { readTally } from '../../tally/replay.js';
import type { CommandIo } from '../io.js';
import type { EndedBisect } from './bisect-ends.js';
import { readRecord } from './bisect-journal.js';
import { listenForInterrupts } from './interrupt.js';
import { tallyOf } from './keeper.js';
import type { OpenBisect } from './make-bisect.js';
import { createOutput } from './output.js';

export interface HeadlessOptions {
  /** Nothing but an object at the very end is printed: what happens is not told of. */
  isJson: boolean;
  /** What it will cost, in lines that are safe to print. */
  plan?: Iterable<string>;
}

/**
 * Drives a bisect to its end, or until it is interrupted, and tells of it in lines. Its journal is whole and closed then.
 */
export async function driveBisect(
  open: () => Promise<OpenBisect>,
  { isJson, plan = [] }: HeadlessOptions,
  io: CommandIo,
): Promise<OpenBisect> {
  const opened = await open();
  const { run, driver, record } = opened;
  const { write } = createOutput(io.stdout);
  const forLog = textForLog(io.env);
  if (!isJson) {
    const print = (line: string) => void write(`${forLog(line)}\n`);
    const reporter = createBisectReporter({ print, clock: systemClock, record, proposal: driver.proposal });
    reporter.open();
    for (const line of plan) print(line);
    run.subscribe(({ event }) => reporter.hear(event));
  }
  const stopListening = listenForInterrupts(run, io.stdout, (text) => io.stderr.write(`evalrun: ${text}\n`));
  try {
    await driver.start();
  } finally {
    // A bisect that could not go on leaves its journal as far as it came, and the reason is thrown on.
    await run.close().finally(stopListening);
  }
  return opened;
}

/**
 * Drives a bisect, and gives what it has come to. Where it could not go on, that is what its journal has of it, and the
 * reason. Throws as `open` does.
 */
export async function driveToEnd(
  open: () => Promise<OpenBisect>,
  options: HeadlessOptions,
  project: Project,
  io: CommandIo,
): Promise<EndedBisect> {
  let opened: OpenBisect | undefined;
  const openIt = async () => {
    opened = await open();
    return opened;
  };
  try {
    return endedBisect(await driveBisect(openIt, options, io), project, io);
  } catch (error) {
    if (!opened || !(error instanceof UserError)) throw error;
    const { runId, folder } = opened.run;
    const place = {
      runId,
      folder,
      suite: opened.record.started.suite,
      journal: path.join(folder, journalFile),
    };
    const ended = await pastBisectEnd(place, project, io).catch(() => undefined);
    if (!ended) throw error;
    return { ...ended, failure: error };
  }
}

/** What a bisect of the past has come to, from its journal. */
export async function pastBisectEnd(
  { journal }: RunPlace,
  project: Project,
  io: CommandIo,
): Promise<EndedBisect> {
  const [tally, { record }] = await Promise.all([readTally(journal), readRecord(journal)]);
  return judged({ record, tally, journal }, project, io);
}

/** What a bisect that was closed has come to. */
export function endedBisect(
  { run, record, keeper }: OpenBisect,
  project: Project,
  io: CommandIo,
): EndedBisect {
  const journal = path.join(run.folder, journalFile);
  return judged({ record, tally: tallyOf(keeper), journal }, project, io);
}

/** The exit code is that of the one place that gives them. */
function judged(ended: Omit<EndedBisect, 'decision'>, { config }: Project, { env }: CommandIo): EndedBisect {
  const { decision } = judgeRun(ended.tally, { gate: todaysGate(config, env) });
  return { ...ended, decision };
}

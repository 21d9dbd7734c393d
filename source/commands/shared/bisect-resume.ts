import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type ExitCode, UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import type { BisectRecord } from '../../bisect/record.js';
import { currentStrategy } from '../../bisect/session.js';
import { loadProject, type Project } from '../../project/config.js';
import { logsFolder } from '../../project/paths.js';
import { resolveRunSettings } from '../../project/run-settings.js';
import type { BisectDecision } from '../../run/bisect-events.js';
import { readRunStarted } from '../../run/reader.js';
import { journalFile } from '../../run/run-folder.js';
import { findRun, findRuns, type RunPlace } from '../../run/runs.js';
import type { CommandIo } from '../io.js';
import { type LookArgs, readBudget, readStrategy, refuseUnguided } from './bisect-choice.js';
import { readWantedEnds, refuseReports, tellEnds } from './bisect-ends.js';
import { driveToEnd, endedBisect, pastBisectEnd } from './bisect-headless.js';
import { loadWithFixtures } from './choose-suite.js';
import type { ReadParts } from './inputs.js';
import { machineNotes, tellNotes } from './notes.js';
import { settingFlags } from './run-args.js';
import { isOnScreen } from './terminal.js';

/**
 * Goes on with a bisect, on the files of today; its prompts stand in its journal. One that has come to its end is told of
 * again, unless `--strategy` or `--budget` say that there is more to do. `wanted` names it, see `findBisect`.
 */
export async function resumeBisect(args: LookArgs, wanted: string, io: CommandIo): Promise<ExitCode> {
  const strategy = readStrategy(args, io);
  const budget = readBudget(args);
  const ends = await readWantedEnds(args, io);
  const project = await loadProject({ cwd: io.cwd, env: io.env });
  const { concurrency } = args;
  const settings = resolveRunSettings({
    flags: settingFlags(concurrency === undefined ? {} : { concurrency }),
    env: io.env,
    config: project.config,
  });
  const place = await findBisect(project, wanted, io);
  const past = await pastBisectEnd(place, project, io);
  const { record, tally } = past;
  await refuseReports(ends, project, () => partsOf(record, place, project));
  const first: BisectDecision[] = [
    ...(strategy === undefined ? [] : [{ kind: 'hand-over' as const, to: strategy }]),
    ...(budget === undefined ? [] : [{ kind: 'budget' as const, budget }]),
  ];
  const isAttended = isOnScreen(args, io);
  if (tally.found && tally.state === 'completed' && first.length === 0 && !isAttended)
    return tellEnds(past, ends, project, io);
  if (strategy === undefined && currentStrategy(record.session()) === 'guided') refuseUnguided(args, io);
  const open = async () => {
    const { reopenBisect } = await import('./make-bisect.js');
    const opened = await reopenBisect(place, { settings, isAttended }, project, io);
    for (const decision of first) opened.driver.decide(decision);
    return opened;
  };
  const notes = machineNotes(project, io.env);
  if (isAttended) {
    const { bisectInApp } = await import('./bisect-in-app.js');
    return bisectInApp(open, project, io, {
      tell(opened) {
        tellNotes(notes, io);
        return tellEnds(endedBisect(opened, project, io), ends, project, io);
      },
    });
  }
  tellNotes(notes, io);
  return tellEnds(await driveToEnd(open, { isJson: ends.isJson }, project, io), ends, project, io);
}

/** What is read for a bisect of the past; its suite may be gone, which whoever needs it says. */
async function partsOf(
  { started, planned }: BisectRecord,
  { folder }: RunPlace,
  project: Project,
): Promise<ReadParts> {
  const fixtures = started.fixtures === undefined ? undefined : path.resolve(project.root, started.fixtures);
  const suite = await loadWithFixtures(project, started.suite, fixtures).catch(() => undefined);
  return { suite, prompts: [planned.good.path, planned.bad.path], folder };
}

/**
 * The bisect that is meant: by its id, the beginning of one, `last` for the newest bisect, or the path of its folder or
 * journal, from another machine say. Throws UserError where there is none.
 */
async function findBisect(project: Project, wanted: string, io: CommandIo): Promise<RunPlace> {
  const place =
    (await placeAt(path.resolve(io.cwd, wanted), wanted)) ?? (await findInLogs(project, wanted, io));
  const started = await readRunStarted(place.journal);
  if (started.purpose !== 'bisect')
    throw new UserError(
      `run ${place.runId} is no bisect; it goes on with: ${io.program} run --resume ${place.runId}`,
    );
  return { ...place, runId: started.runId, suite: started.suite };
}

async function placeAt(file: string, wanted: string): Promise<RunPlace | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found) {
    if (!/[/\\]/.test(wanted)) return undefined;
    throw new UserError(`--resume: there is no bisect at ${quote(wanted)}`);
  }
  const folder = found.isDirectory() ? file : path.dirname(file);
  const journal = path.join(folder, journalFile);
  if (!found.isDirectory() && file !== journal)
    throw new UserError(`--resume: ${quote(wanted)} is no journal, which is called ${journalFile}`);
  const hasJournal = await stat(journal).then(
    (one) => one.isFile(),
    () => false,
  );
  if (!hasJournal) {
    // A folder of the project may be called as the beginning of an id is.
    if (!/[/\\]/.test(wanted)) return undefined;
    throw new UserError(`--resume: there is no ${journalFile} in ${quote(wanted)}`);
  }
  return { runId: path.basename(folder), suite: '', folder, journal };
}

/** `last` is the newest bisect, whatever was run since. */
async function findInLogs(project: Project, wanted: string, io: CommandIo): Promise<RunPlace> {
  const logs = logsFolder(project, io.env);
  if (wanted !== 'last') return findRun(logs, wanted);
  for (const place of await findRuns(logs)) {
    const started = await readRunStarted(place.journal).catch(() => undefined);
    if (started?.purpose === 'bisect') return place;
  }
  throw new UserError(`there is no bisect in ${logs} yet`);
}

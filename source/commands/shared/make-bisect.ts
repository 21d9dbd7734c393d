import { rm } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { readVersion } from '../../base/version.js';
import { candidateName, candidateText } from '../../bisect/candidate-prompt.js';
import { type BisectDriver, createDriver } from '../../bisect/driver.js';
import { type BisectRecord, createRecord } from '../../bisect/record.js';
import type { Project } from '../../project/config.js';
import { gitFacts } from '../../project/git.js';
import { logsFolder, suiteLogs } from '../../project/paths.js';
import { todaysGate } from '../../project/run-gate.js';
import type { RunSettings } from '../../project/run-settings.js';
import { redactSecrets } from '../../project/secrets.js';
import { createTallyKeeper, type TallyKeeper } from '../../report/summary.js';
import type { Watched } from '../../run/bisect-events.js';
import type { RunPlace } from '../../run/runs.js';
import type { LiveRun } from '../../run/types.js';
import type { CommandIo } from '../io.js';
import { readRecord } from './bisect-journal.js';
import { loadWithFixtures } from './choose-suite.js';
import { tallyOf } from './keeper.js';
import { finishRun, type PreparedRun, runLimits } from './prepare.js';
import { candidateVersion, createOpener, type PreparedBisect } from './prepare-bisect.js';
import { createWorkshop } from './workshop.js';

/** A bisect that is open: its run, and who drives it. */
export interface OpenBisect {
  run: LiveRun;
  driver: BisectDriver;
  record: BisectRecord;
  keeper: TallyKeeper;
  accounts: PreparedRun['accounts'];
}

export interface MakeBisectOptions {
  settings: RunSettings;
  isAttended: boolean;
  /** Folder, from the top of the project, that the suite's fixtures were overridden from. */
  fixtures?: string;
  label?: string;
  note?: string;
  /** The words of the line, for the journal. */
  line: readonly string[];
}

/** Makes the run of a new bisect. Nothing is tried before the driver starts. */
export async function makeBisect(
  { planned, prepared, openCondition, release }: PreparedBisect,
  { settings, isAttended, fixtures, label, note, line }: MakeBisectOptions,
  project: Project,
  io: CommandIo,
): Promise<OpenBisect> {
  const [{ startRun }, { createRunSeed }, git] = await Promise.all([
    import('../../run/start.js'),
    import('../../run/run-id.js'),
    gitFacts(project.root),
  ]);
  const keeper = createTallyKeeper({ gate: todaysGate(project.config, io.env) });
  const { accounts, ...parts } = prepared;
  const run = await startRun({
    ...parts,
    ...runLimits(settings),
    purpose: 'bisect',
    bisect: planned,
    clock: systemClock,
    summariser: keeper,
    runsFolder: suiteLogs(logsFolder(project, io.env), prepared.suite.name),
    repeat: 1,
    seed: settings.seed.value ?? createRunSeed(),
    ...(fixtures !== undefined && { fixtures }),
    ...(label !== undefined && { label: redactSecrets(label) }),
    ...(note !== undefined && { note: redactSecrets(note) }),
    ...(git && { git }),
    evalrun: readVersion(),
    command: redactSecrets(['evalrun', ...line].join(' ')),
  });
  const record = createRecord(tallyOf(keeper).started);
  return open({ run, record, keeper, accounts, openCondition, release }, { settings, isAttended });
}

/**
 * Opens the journal of a bisect again, on the files of today: its prompts stand in the journal. Throws UserError where it
 * is no bisect, and as `resumeRun` does.
 */
export async function reopenBisect(
  place: RunPlace,
  { settings, isAttended }: Pick<MakeBisectOptions, 'settings' | 'isAttended'>,
  project: Project,
  io: CommandIo,
): Promise<OpenBisect> {
  const { resumeRun } = await import('../../run/resume.js');
  const { record, bytes } = await readRecord(place.journal);
  const { started, planned, diff } = record;
  const fixtures = started.fixtures === undefined ? undefined : path.resolve(project.root, started.fixtures);
  const loaded = await loadWithFixtures(project, started.suite, fixtures);
  const ids = new Set(started.plan.scenarios.map(({ id }) => id));
  const suite = { ...loaded, scenarios: loaded.scenarios.filter(({ id }) => ids.has(id)) };
  const workshop = createWorkshop(project, suite, io.env);
  const [good, bad] = started.plan.conditions;
  if (!good || !bad) throw new UserError(`bisect ${started.runId} has no two ends`);
  const isLive = good.liveTools === true;
  const opener = createOpener(suite, good.model, isLive, workshop);
  const { openCondition, release } = opener.forDriver(planned.bad.path);
  const conditions = [
    await opener.open(good.id, { ...planned.good, dirty: good.promptDirty }),
    await opener.open(bad.id, { ...planned.bad, dirty: bad.promptDirty }),
  ];
  for (const { condition, candidate } of record.joined()) {
    const text = candidateText(diff, candidate);
    conditions.push(
      await opener.open(
        condition,
        candidateVersion(candidateName(planned, candidate), planned.bad.path, text),
      ),
    );
  }
  for (const { condition } of conditions) condition.standby = true;
  const { accounts, ...parts } = await finishRun(suite, conditions, isLive, workshop);
  const keeper = createTallyKeeper({ gate: todaysGate(project.config, io.env) });
  const run = await resumeRun({
    ...parts,
    ...runLimits(settings),
    clock: systemClock,
    summariser: keeper,
    folder: place.folder,
    readTo: bytes,
  });
  return open({ run, record, keeper, accounts, openCondition, release }, { settings, isAttended });
}

function open(
  parts: Pick<OpenBisect, 'run' | 'record' | 'keeper' | 'accounts'> &
    Pick<PreparedBisect, 'openCondition' | 'release'>,
  { settings, isAttended }: Pick<MakeBisectOptions, 'settings' | 'isAttended'>,
): OpenBisect {
  const { run, record, keeper, accounts, openCondition, release } = parts;
  const parallel = trialsAtOnce(settings.concurrency.value, record.watched());
  const driver = createDriver({ run, record, openCondition, release, isAttended, parallel });
  return { run, driver, record, keeper, accounts };
}

/** Two at once take nearly half the rounds; each is a conversation of every watched scenario. */
export function trialsAtOnce(concurrency: number, watched: readonly Watched[]): 1 | 2 {
  const scenarios = new Set(watched.map(({ scenario }) => scenario));
  return concurrency >= 2 * scenarios.size ? 2 : 1;
}

/**
 * Aborts what is in flight and closes the run of a bisect. One in which nothing was tried and nothing said is not kept: it would stand in every list as
 * one to go on with. Gives whether it is kept.
 */
export async function closeBisect({ run, record }: OpenBisect): Promise<boolean> {
  await run.close();
  if (record.trials.length > 0 || record.session().entries.length > 0) return true;
  await rm(run.folder, { recursive: true, force: true });
  return false;
}

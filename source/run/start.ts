import path from 'node:path';
import type { Json } from '../base/json.js';
import type { GateSettings } from '../project/gate-settings.js';
import { journalVersion } from './events.js';
import { hashSuite } from './identity.js';
import { lockJournal } from './lock.js';
import { openRun } from './open-run.js';
import { askTuning, closeTargets, plannedJudge, plannedUser, type RunParts } from './parts.js';
import { createPlan } from './plan.js';
import type { KnownNoise, PlannedBase, QuarantineEntry } from './planned.js';
import { createProgress } from './progress.js';
import type { RunStarted } from './reader.js';
import { journalFile, keepBaselineCopy, makeRunFolder } from './run-folder.js';
import type { LiveRun } from './types.js';

export interface StartRunOptions extends RunParts {
  /** The folder of the suite's runs, absolute; made if missing. The run gets a folder of its own in it. */
  runsFolder: string;
  /** Trials of every scenario under every condition. */
  repeat: number;
  seed: string;
  label?: string;
  note?: string;
  /** What the candidate is compared with. */
  base?: PlannedBase;
  /** The text of the baseline file that `base` names, kept beside the journal. */
  baselineText?: string;
  gate?: GateSettings;
  purpose?: RunStarted['purpose'];
  /** What a bisect is of. */
  bisect?: RunStarted['bisect'];
  noise?: KnownNoise;
  /** What is quarantined of the suite. */
  quarantine?: QuarantineEntry[];
  /** Scenarios of the suite were left out. */
  filtered?: true;
  /** Folder, from the top of the project, that the suite's fixtures were overridden from. */
  fixtures?: string;
  /** What the products say they are tuned with, by condition. Not set: they are asked. */
  tuning?: Record<string, Json>;
  git?: RunStarted['git'];
  /** Version of evalrun. */
  evalrun: string;
  /** The command line, secrets redacted. */
  command: string;
}

/**
 * Makes a new run: its folder (0700), its journal (0600) and the first line of that. Nothing is asked of a model
 * before `start`; a product is asked for its tuning values. Throws UserError when it does not give those that its
 * target names (exit code 3; nothing is made then), and when the folder cannot be made.
 */
export async function startRun(options: StartRunOptions): Promise<LiveRun> {
  try {
    return await makeRun(options);
  } catch (error) {
    await closeTargets(options);
    throw error;
  }
}

async function makeRun(options: StartRunOptions): Promise<LiveRun> {
  const { clock, suite } = options;
  const tuning = options.tuning ?? (await askTuning(options));
  const { runId, folder } = await makeRunFolder(options.runsFolder, clock);
  const judge = plannedJudge(options.judge);
  const user = plannedUser(options.user);
  const plan = createPlan(
    suite.scenarios,
    options.conditions.map(({ condition }) => condition),
    options.repeat,
    suite.folder,
  );
  const started: RunStarted = {
    type: 'run-started',
    version: journalVersion,
    runId,
    at: clock.now(),
    suite: suite.name,
    suiteHash: hashSuite(suite, judge, user),
    plan,
    seed: options.seed,
    concurrency: options.concurrency,
    ...(options.label !== undefined && { label: options.label }),
    ...(options.note !== undefined && { note: options.note }),
    ...(judge && { judge }),
    ...(judge && options.vendors && { vendors: options.vendors }),
    ...(user && { user }),
    ...(options.sources && { sources: options.sources }),
    ...(tuning && { tuning }),
    ...(options.base && { base: options.base }),
    ...(options.gate && { gate: options.gate }),
    ...(options.purpose && { purpose: options.purpose }),
    ...(options.bisect && { bisect: options.bisect }),
    ...(options.noise && { noise: options.noise }),
    ...(options.quarantine && options.quarantine.length > 0 && { quarantine: options.quarantine }),
    ...(options.filtered && { filtered: true as const }),
    ...(options.fixtures !== undefined && { fixtures: options.fixtures }),
    ...(options.git && { git: options.git }),
    evalrun: options.evalrun,
    node: process.version,
    command: options.command,
  };
  await keepBaselineCopy(folder, options.baselineText);
  const lock = await lockJournal(path.join(folder, journalFile));
  try {
    const { run, scheduler } = await openRun({
      folder,
      lock,
      started,
      progress: createProgress(),
      parts: options,
    });
    scheduler.emit(started);
    return run;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

import path from 'node:path';
import { canonicalJson, contentHash } from '../base/hash.js';
import type { Scenario } from '../suite/types.js';
import type { Target } from '../target/types.js';
import { journalVersion, trialId } from './events.js';
import { createExtensions } from './extensions.js';
import { lockJournal } from './lock.js';
import { openRun } from './open-run.js';
import { plannedJudge, type RunParts } from './parts.js';
import { createPlan, planScenario, trialsInOrder } from './plan.js';
import type { Plan, RegradeOf } from './planned.js';
import { createProgress } from './progress.js';
import type { RunStarted } from './reader.js';
import { differenceOf, playRecording, type Recording } from './recording.js';
import { journalFile, keepBaselineCopy, makeRunFolder } from './run-folder.js';
import type { LiveRun, ReadTrial } from './types.js';

/** What of a run can be graded again, held against the suite of today. */
export interface RegradePlan {
  recording: Recording;
  /** As they stand today, in the order of the run. */
  scenarios: Scenario[];
  /** Scenarios whose conversations are of an earlier version of them. They are graded all the same. */
  stale: RegradeOf['stale'];
  /** Scenarios of the run that the suite has no more: nothing says how to grade them. */
  gone: string[];
  /** Scenarios that the run does not have: there is no conversation to grade. */
  fresh: string[];
}

/** Holds a recording against the scenarios of today. Reads every conversation once, one at a time. */
export async function planRegrade(
  recording: Recording,
  today: readonly Scenario[],
  readTrial: ReadTrial,
): Promise<RegradePlan> {
  const byId = new Map(today.map((scenario) => [scenario.id, scenario]));
  const planned = recording.started.plan.scenarios;
  const then = new Set(planned.map(({ id }) => id));
  const scenarios = planned.flatMap(({ id }) => byId.get(id) ?? []);
  const changed = new Map<string, string>();
  for (const trial of recording.trials.values()) {
    const { scenario: id } = trial.key;
    const scenario = byId.get(id);
    if (!scenario || changed.has(id) || 'missing' in trial) continue;
    const was = planned.find((one) => one.id === id);
    // The same hash says that nothing of the scenario changed at all.
    if (was?.hash === scenario.hash) continue;
    const isOther = was !== undefined && was.parts.persona !== planScenario(scenario).parts.persona;
    const why =
      differenceOf(scenario, await readTrial(trial.key, trial.positions)) ??
      (isOther ? 'its persona changed' : undefined);
    if (why !== undefined) changed.set(id, why);
  }
  return {
    recording,
    scenarios,
    stale: scenarios.flatMap(({ id }) => {
      const why = changed.get(id);
      return why === undefined ? [] : [{ scenario: id, why }];
    }),
    gone: planned.flatMap(({ id }) => (byId.has(id) ? [] : [id])),
    fresh: today.flatMap(({ id }) => (then.has(id) ? [] : [id])),
  };
}

export interface StartRegradeOptions extends Omit<RunParts, 'conditions' | 'play'> {
  plan: RegradePlan;
  /** Reads the conversations of the run that is graded again. */
  readTrial: ReadTrial;
  /** The folder of the suite's runs, absolute; made if missing. The run gets a folder of its own in it. */
  runsFolder: string;
  /** The text of the baseline that the run was compared with. */
  baselineText?: string;
  git?: RunStarted['git'];
  /** Version of evalrun. */
  evalrun: string;
  /** The command line, secrets redacted. */
  command: string;
}

/** Nobody asks it: the conversations are there. */
const noTarget: Target = {
  open() {
    throw new Error('a run that grades another again asks no agent');
  },
};

/**
 * Makes a new run out of the conversations of another one, graded by the checks of today. Conditions, repeats and seed
 * are those of that run, so a check that did not change gets the same draws of a simulated judge; what is said of its
 * scenarios is what the conversations are of. Trials that have no
 * conversation are errors, and what tainted that run taints this one. Throws UserError when the folder cannot be made.
 */
export async function startRegrade(options: StartRegradeOptions): Promise<LiveRun> {
  const { plan, clock, readTrial } = options;
  const { recording, scenarios, stale } = plan;
  const then = recording.started;
  const { runId, folder } = await makeRunFolder(options.runsFolder, clock);
  const judge = plannedJudge(options.judge);
  const started: RunStarted = {
    type: 'run-started',
    version: journalVersion,
    runId,
    at: clock.now(),
    suite: then.suite,
    suiteHash: contentHash({ conversations: then.suiteHash, judge }),
    plan: ofConversations(
      createPlan(scenarios, then.plan.conditions, then.plan.repeat, options.suite.folder),
      then.plan,
    ),
    seed: then.seed,
    concurrency: options.concurrency,
    ...(then.label !== undefined && { label: then.label }),
    ...(then.note !== undefined && { note: then.note }),
    regradeOf: { runId: then.runId, stale },
    ...(judge && { judge }),
    ...(judge && options.vendors && { vendors: options.vendors }),
    ...(then.user && { user: then.user }),
    ...(then.tuning && { tuning: then.tuning }),
    ...(then.base && { base: then.base }),
    ...(then.gate && { gate: then.gate }),
    ...(then.quarantine && { quarantine: then.quarantine }),
    ...(then.fixtures !== undefined && { fixtures: then.fixtures }),
    ...(options.git && { git: options.git }),
    evalrun: options.evalrun,
    node: process.version,
    command: options.command,
  };
  await keepBaselineCopy(folder, options.baselineText);
  const lock = await lockJournal(path.join(folder, journalFile));
  try {
    const extensions = extensionsOf(plan);
    const { run, scheduler } = await openRun({
      folder,
      lock,
      started,
      progress: { ...createProgress(), extensions },
      parts: {
        ...options,
        suite: { ...options.suite, scenarios },
        conditions: then.plan.conditions.map((condition) => ({ condition, target: noTarget })),
        play: playRecording(recording, readTrial),
      },
    });
    scheduler.emit(started);
    const at = clock.now();
    for (const extension of extensions) scheduler.emit({ ...extension, at });
    // A reply that fell back says so itself, again.
    for (const { kind, message } of recording.taints)
      if (kind !== 'fallback') scheduler.emit({ type: 'taint', at, kind, message });
    return run;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The plan of today with what its conversations are of: turns, fixtures and persona as they were. By those they are
 * compared and counted in baselines, so that nobody takes them for conversations of what the scenario has become.
 */
function ofConversations(today: Plan, then: Plan): Plan {
  const recorded = new Map(then.scenarios.map((scenario) => [scenario.id, scenario]));
  const scenarios = today.scenarios.map((scenario) => {
    const was = recorded.get(scenario.id);
    if (!was || canonicalJson(was.parts) === canonicalJson(scenario.parts)) return scenario;
    const { isSimulatedUser: _, ...rest } = scenario;
    const { hash, parts, isSimulatedUser } = was;
    return { ...rest, hash, parts, ...(isSimulatedUser && { isSimulatedUser }) };
  });
  return { ...today, scenarios };
}

/** What was added to the scenarios that are graded again. */
function extensionsOf({ recording, scenarios }: RegradePlan): Recording['extensions'] {
  const ids = new Set(scenarios.map(({ id }) => id));
  return recording.extensions.filter(({ scenario }) => ids.has(scenario));
}

/** How many trials of the run have no conversation. */
export function countMissing(regrade: RegradePlan): number {
  const { recording, scenarios } = regrade;
  const { conditions, repeat } = recording.started.plan;
  const plan = createPlan(scenarios, conditions, repeat);
  let missing = 0;
  for (const key of trialsInOrder(plan, createExtensions(plan, extensionsOf(regrade)))) {
    const trial = recording.trials.get(trialId(key));
    if (!trial || 'missing' in trial) missing++;
  }
  return missing;
}

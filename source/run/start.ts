import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../base/clock.js';
import { UserError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { AskJudge } from '../grade/types.js';
import type { Retry } from '../model/retry.js';
import type { LiveTools } from '../play/live-tools.js';
import type { SimulatedUser } from '../play/simulated-user.js';
import type { Suite } from '../suite/types.js';
import {
  type Condition,
  journalVersion,
  type Plan,
  type RunMessage,
  type TrialKey,
  trialId,
} from './events.js';
import { hashSuite, type PlannedJudge, type PlannedUser } from './identity.js';
import { type Journal, openJournal } from './journal.js';
import { type JournalLock, lockJournal } from './lock.js';
import { createPlan, trialsInOrder } from './plan.js';
import { createProgress, type RunProgress } from './progress.js';
import { createQueue, type QueuedTrial } from './queue.js';
import { createTrialReader, type RunStarted, replayJournal } from './reader.js';
import { createRunId } from './run-id.js';
import { createScheduler, type RunnableCondition, type Scheduler } from './scheduler.js';
import { type RunSummariser, writeSummary } from './summary.js';
import { storeApart } from './tainted.js';
import type { PlayTrial } from './trial.js';
import type { LiveRun } from './types.js';

/** What runs trials, the same for a new run and one that goes on. */
export interface RunParts {
  /** Holds the scenarios to run and no others. */
  suite: Suite;
  conditions: (RunnableCondition & { condition: Condition })[];
  judge?: PlannedJudge & { ask: AskJudge };
  /** Plays the user in simulated turns. */
  user?: SimulatedUser;
  /** Hashes of the files that models and products stand in, by what those are called: a run goes on with the same. */
  sources?: Record<string, string>;
  /** Calls tools for real in the place of the fixtures. */
  liveTools?: LiveTools;
  /** Agent tokens, input and output, after which no further trial starts; the run can go on with more. */
  maxTokens?: number;
  /** Environment of checks that are commands. Default: that of this process. */
  env?: Record<string, string | undefined>;
  /** Hears of model requests that are sent again. Returns the way out. */
  onRetry?: (listener: (retry: Retry) => void) => () => void;
  /** Not set: conversations are had with the targets of the conditions. */
  play?: PlayTrial;
  /** Trials in flight at once. */
  concurrency: number;
  /** Tries of one trial in all. */
  attempts: number;
  /** Hard limit of one attempt, in milliseconds. */
  limitMs: number;
  clock: Clock;
  /** Hears all messages from the first of the run, and gives what is kept beside the journal. */
  summariser: RunSummariser;
}

export interface StartRunOptions extends RunParts {
  /** The folder of the suite's runs, absolute; made if missing. The run gets a folder of its own in it. */
  runsFolder: string;
  /** Trials of every scenario under every condition. */
  repeat: number;
  seed: string;
  label?: string;
  note?: string;
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

/** The name of a run's journal in its folder. */
export const journalFile = 'journal.jsonl';

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
    ...(user && { user }),
    ...(options.sources && { sources: options.sources }),
    ...(tuning && { tuning }),
    ...(options.fixtures !== undefined && { fixtures: options.fixtures }),
    ...(options.git && { git: options.git }),
    evalrun: options.evalrun,
    node: process.version,
    command: options.command,
  };
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

/** The judge without the function that asks it. */
export function plannedJudge(judge: RunParts['judge']): PlannedJudge | undefined {
  return judge && { model: judge.model, prompt: judge.prompt, promptSha256: judge.promptSha256 };
}

/** The simulated user without the function that lets it speak. */
export function plannedUser(user: RunParts['user']): PlannedUser | undefined {
  return user && { model: user.model, prompt: user.prompt };
}

/**
 * What the products of a run say they are tuned with, by condition; undefined when none says anything. Throws
 * UserError (exit code 3) when values are named and cannot be had.
 */
export async function askTuning({
  conditions,
}: Pick<RunParts, 'conditions'>): Promise<Record<string, Json> | undefined> {
  const tuning: Record<string, Json> = {};
  for (const { condition, target } of conditions) {
    const values = await target.tuning?.();
    if (values !== undefined) tuning[condition.id] = values;
  }
  return Object.keys(tuning).length > 0 ? tuning : undefined;
}

/** Makes the folder of a new run, 0700. Throws UserError when it cannot be made. */
export async function makeRunFolder(
  runsFolder: string,
  clock: Clock,
): Promise<{ runId: string; folder: string }> {
  try {
    await mkdir(runsFolder, { recursive: true, mode: 0o700 });
    for (let tries = 1; ; tries++) {
      const runId = createRunId(clock.now());
      const folder = path.join(runsFolder, runId);
      try {
        await mkdir(folder, { mode: 0o700 });
        return { runId, folder };
      } catch (error) {
        // Another run of the same millisecond drew the same two digits.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries === 10) throw error;
      }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`the run cannot be kept (${why}); EVALRUN_LOGS names another folder for runs`);
  }
}

export interface OpenRunOptions {
  folder: string;
  lock: JournalLock;
  started: RunStarted;
  progress: RunProgress;
  /** Where the journal goes on; not set: it is a new one. */
  continueAt?: number;
  /** Nothing of the plan is left to do, and the journal says so. */
  isOver?: boolean;
  parts: RunParts;
}

/** Puts a run together on its journal, old or new. */
export async function openRun(options: OpenRunOptions): Promise<{ run: LiveRun; scheduler: Scheduler }> {
  const { folder, lock, started, progress, parts } = options;
  const file = path.join(folder, journalFile);
  let scheduler: Scheduler | undefined;
  const journal = await openJournal(file, {
    ...(options.continueAt !== undefined && { continueAt: options.continueAt }),
    onFailure: (error) => scheduler?.fail(error),
  });
  scheduler = createScheduler({
    started,
    journal,
    queue: createQueue(remainingTrials(started.plan, progress)),
    repeats: new Map(progress.repeats),
    scenarios: new Map(parts.suite.scenarios.map((scenario) => [scenario.id, scenario])),
    conditions: new Map(parts.conditions.map((entry) => [entry.condition.id, entry])),
    suiteFolder: parts.suite.folder,
    maxTurns: parts.suite.limits.maxTurns,
    play: parts.play,
    user: parts.user,
    liveTools: parts.liveTools,
    askJudge: parts.judge?.ask,
    judgeVerdicts: parts.suite.judge?.verdicts,
    env: parts.env ?? process.env,
    maxTokens: parts.maxTokens,
    tokensUsed: progress.agentTokens,
    concurrency: parts.concurrency,
    attempts: parts.attempts,
    limitMs: parts.limitMs,
    clock: parts.clock,
    isOver: options.isOver ?? false,
    isResumed: options.continueAt !== undefined,
  });
  scheduler.subscribe(parts.summariser.hear);
  return { run: createLiveRun(folder, lock, journal, scheduler, parts, started), scheduler };
}

/** The trials of the plan that have not ended. */
function* remainingTrials(plan: Plan, progress: RunProgress): Generator<QueuedTrial> {
  // A copy: what is added from now on is queued by whoever adds it.
  for (const key of trialsInOrder(plan, new Map(progress.repeats))) {
    const id = trialId(key);
    if (progress.ended.has(id)) continue;
    yield { key, failedAttempts: progress.failedAttempts.get(id) ?? 0, notBefore: 0 };
  }
}

/** How many trials of a plan have not ended. */
export function countRemaining(plan: Plan, progress: RunProgress): number {
  let count = 0;
  const ended = (key: TrialKey) => progress.ended.has(trialId(key));
  for (const key of trialsInOrder(plan, progress.repeats)) if (!ended(key)) count++;
  return count;
}

function createLiveRun(
  folder: string,
  lock: JournalLock,
  journal: Journal,
  scheduler: Scheduler,
  parts: RunParts,
  started: RunStarted,
): LiveRun {
  const { pause, resume, stop, abort, addTrials, subscribe, start } = scheduler;
  let place = folder;
  let isTainted = false;
  subscribe(({ event }) => {
    if (event.type === 'taint') isTainted = true;
  });
  const stopHearing = parts.onRetry?.(({ model, error, waitMs }) => {
    scheduler.emitWhileGoing({
      type: 'request-retried',
      at: parts.clock.now(),
      model,
      kind: error.kind,
      message: error.message,
      waitMs,
    });
  });
  return {
    runId: started.runId,
    get folder() {
      return place;
    },
    get isPaused() {
      return scheduler.isPaused;
    },
    pause,
    resume,
    stop,
    abort,
    addTrials,
    subscribe,
    start,
    readTrial: createTrialReader(journal.file, journal.settled),
    async close() {
      try {
        await scheduler.end().finally(() => closeTargets(parts));
        await journal.settled();
        await writeSummary(folder, parts.summariser.summary(journal.size));
      } finally {
        stopHearing?.();
        await journal.close().finally(() => lock.release());
        if (isTainted) place = await storeApart(folder);
      }
    },
    feed(listener) {
      const until = journal.size;
      let waiting: RunMessage[] | undefined = [];
      subscribe((message) => {
        if (waiting) waiting.push(message);
        else listener(message);
      });
      journal
        .settled()
        .then(() => replayJournal(journal.file, listener, { until }))
        .then(() => {
          for (const message of waiting ?? []) listener(message);
          waiting = undefined;
        })
        .catch(scheduler.fail);
    },
  };
}

/** Ends what targets hold between sessions. That one does not end well changes nothing of what was found. */
export async function closeTargets({ conditions }: Pick<RunParts, 'conditions'>): Promise<void> {
  await Promise.allSettled(conditions.map(async ({ target }) => target.close?.()));
}

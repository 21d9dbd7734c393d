import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../base/clock.js';
import { UserError } from '../base/errors.js';
import type { AskJudge } from '../grade/types.js';
import type { Suite } from '../suite/types.js';
import type { Target } from '../target/types.js';
import {
  type Condition,
  journalVersion,
  type Plan,
  type RunMessage,
  type TrialKey,
  trialId,
} from './events.js';
import { hashSuite, type PlannedJudge } from './identity.js';
import { type Journal, openJournal } from './journal.js';
import { type JournalLock, lockJournal } from './lock.js';
import { createPlan, trialsInOrder } from './plan.js';
import { createProgress, type RunProgress } from './progress.js';
import { createQueue, type QueuedTrial } from './queue.js';
import { createTrialReader, type RunStarted, replayJournal } from './reader.js';
import { createRunId } from './run-id.js';
import { createScheduler, type Scheduler } from './scheduler.js';
import { type RunSummariser, writeSummary } from './summary.js';
import type { PlayTrial } from './trial.js';
import type { LiveRun } from './types.js';

/** What runs trials, the same for a new run and one that goes on. */
export interface RunParts {
  /** Holds the scenarios to run and no others. */
  suite: Suite;
  conditions: { condition: Condition; target: Target }[];
  judge?: PlannedJudge & { ask: AskJudge };
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
 * before `start`. Throws UserError when the folder cannot be made.
 */
export async function startRun(options: StartRunOptions): Promise<LiveRun> {
  const { clock, suite } = options;
  const { runId, folder } = await makeRunFolder(options.runsFolder, clock);
  const judge = plannedJudge(options.judge);
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
    suiteHash: hashSuite(suite, judge),
    plan,
    seed: options.seed,
    concurrency: options.concurrency,
    ...(options.label !== undefined && { label: options.label }),
    ...(options.note !== undefined && { note: options.note }),
    ...(judge && { judge }),
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
    targets: new Map(parts.conditions.map(({ condition, target }) => [condition.id, target])),
    suiteFolder: parts.suite.folder,
    maxTurns: parts.suite.limits.maxTurns,
    play: parts.play,
    askJudge: parts.judge?.ask,
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
  return {
    runId: started.runId,
    folder,
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
        await journal.close().finally(() => lock.release());
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
async function closeTargets({ conditions }: RunParts): Promise<void> {
  await Promise.allSettled(conditions.map(async ({ target }) => target.close?.()));
}

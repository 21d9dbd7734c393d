import path from 'node:path';
import type { RunMessage } from './events.js';
import { createExtensions } from './extensions.js';
import { type Journal, openJournal } from './journal.js';
import type { JournalLock } from './lock.js';
import { closeTargets, type RunParts } from './parts.js';
import type { RunProgress } from './progress.js';
import { createQueue } from './queue.js';
import { createTrialReader, type RunStarted, replayJournal } from './reader.js';
import { remainingTrials } from './remaining.js';
import { journalFile } from './run-folder.js';
import { createScheduler, type Scheduler } from './scheduler.js';
import { writeSummary } from './summary.js';
import { storeApart } from './tainted.js';
import type { LiveRun } from './types.js';

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
    extensions: createExtensions(started.plan, progress.extensions),
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

function createLiveRun(
  folder: string,
  lock: JournalLock,
  journal: Journal,
  scheduler: Scheduler,
  parts: RunParts,
  started: RunStarted,
): LiveRun {
  const { pause, resume, stop, abort, addTrials, hold, subscribe, start } = scheduler;
  const conditions = [...parts.conditions];
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
    get isStopping() {
      return scheduler.isStopping;
    },
    pause,
    resume,
    stop,
    abort,
    addTrials,
    addCondition(added, candidate) {
      conditions.push(added);
      scheduler.addCondition(added, candidate);
    },
    tell(said) {
      const at = parts.clock.now();
      if ('decision' in said) scheduler.emit({ type: 'bisect-decided', at, ...said });
      else scheduler.emit({ type: 'bisect-found', at, ...said });
    },
    hold,
    subscribe,
    start,
    readTrial: createTrialReader(journal.file, journal.settled),
    async close() {
      try {
        await scheduler.end().finally(() => closeTargets({ conditions }));
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

import type { Clock } from '../base/clock.js';
import type { Json } from '../base/json.js';
import { createWatchdog } from '../base/watchdog.js';
import { verdictsPerTrial } from '../grade/judge/verdicts.js';
import type { AskJudge } from '../grade/types.js';
import { seedName, trialAccount } from '../play/account.js';
import type { LiveTools } from '../play/live-tools.js';
import type { SimulatedUser } from '../play/simulated-user.js';
import type { Scenario } from '../suite/types.js';
import { createEmitter } from './emitter.js';
import { type RunEvent, type TrialKey, trialId } from './events.js';
import { addedTo, type Extensions, extensionEvents } from './extensions.js';
import type { Journal } from './journal.js';
import { trialSeed, twinsOf } from './plan.js';
import type { Condition } from './planned.js';
import type { QueuedTrial, TrialQueue } from './queue.js';
import type { RunStarted } from './reader.js';
import { type AttemptOutcome, attemptTrial, isWorthRetrying, type PlayTrial } from './trial.js';
import { limitPerTurn } from './turns-of-loop.js';
import type { RunControls, RunListener, RunnableCondition } from './types.js';

/** What the trials of a run need, once its journal is open. */
export interface SchedulerParts {
  started: RunStarted;
  journal: Journal;
  queue: TrialQueue;
  /** Trials that were added so far. */
  extensions: Extensions;
  scenarios: ReadonlyMap<string, Scenario>;
  /** By id of the condition. */
  conditions: ReadonlyMap<string, RunnableCondition>;
  suiteFolder: string;
  maxTurns: number;
  /** Not set: conversations are had with the targets. */
  play?: PlayTrial | undefined;
  user: SimulatedUser | undefined;
  liveTools: LiveTools | undefined;
  askJudge: AskJudge | undefined;
  /** What the suite says of how many verdicts a case needs. */
  judgeVerdicts: number | undefined;
  env: Record<string, string | undefined>;
  /** Agent tokens, input and output, after which no further trial starts. Not set: any number. */
  maxTokens: number | undefined;
  /** Agent tokens that the run has used before. */
  tokensUsed: number;
  concurrency: number;
  /** Tries of one trial in all. */
  attempts: number;
  /** Hard limit of one attempt, in milliseconds. */
  limitMs: number;
  clock: Clock;
  /** Nothing is left to do, and the journal says so: starting changes nothing. */
  isOver: boolean;
  /** Is told at the first start: the journal was opened again. */
  isResumed: boolean;
}

/** The part of a live run that runs trials; opening and closing the journal is not its business. */
export interface Scheduler extends RunControls {
  readonly isStopping: boolean;
  subscribe(listener: RunListener): () => void;
  emit(event: RunEvent): void;
  /** See `LiveRun`. */
  addCondition(added: RunnableCondition & { condition: Condition }, candidate?: string): void;
  hold(): () => void;
  /** Tells of something that happens beside the trials; what comes when the run has ended is dropped. */
  emitWhileGoing(event: RunEvent): void;
  start(): Promise<void>;
  /** To be called when the journal cannot be written any more. */
  fail(error: unknown): void;
  /** Aborts what is going on and waits until it is over. */
  end(): Promise<void>;
}

interface Flight {
  controller: AbortController;
  /** Has not begun: waits before another attempt. */
  isWaiting: boolean;
}

type Mode = 'going' | 'stopping' | 'aborting';

/** Milliseconds before another attempt when the other side named none: 1 s, 2 s, 4 s, … up to half a minute. */
function backoffMs(failedAttempts: number): number {
  return Math.min(30_000, 1000 * 2 ** (failedAttempts - 1));
}

/**
 * Runs the queue's trials, `concurrency` at a time, and tells of all that happens. It is driven by events: whenever a
 * trial ends or a person interferes, as many trials start as there is room for.
 */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { journal, queue, clock, started } = parts;
  const { emit, subscribe } = createEmitter(journal, clock, started.purpose, fail);
  const conditions = new Map(parts.conditions);
  const inFlight = new Map<string, Flight>();
  const twins = twinsOf(started.plan);
  const watchdog = createWatchdog(clock);
  // A few at a time: the first requests are on their way while those after them are made.
  const mayBegin = limitPerTurn(Math.max(4, Math.ceil(parts.concurrency / 8)));
  let mode: Mode = 'going';
  let isPaused = false;
  let holds = 0;
  let isHalted = false;
  /** Why no further trial starts, although nobody told the run to stop. */
  let haltReason: string | undefined;
  let tokensUsed = parts.tokensUsed;
  let failure: { error: unknown } | undefined;
  /** Set from the first start until nothing is left to do; renewed when trials are added after that. */
  let activity: { promise: Promise<void>; resolve(): void; reject(error: unknown): void } | undefined =
    parts.isOver ? { promise: Promise.resolve(), resolve() {}, reject() {} } : undefined;
  let isActive = false;
  let isResumeTold = !parts.isResumed;

  function fail(error: unknown): void {
    failure ??= { error };
    abortAll();
  }

  function abortAll(): void {
    mode = 'aborting';
    for (const { controller } of inFlight.values()) controller.abort(new Error('the run was aborted'));
    advance();
  }

  /** Starts what there is room for; ends the activity when nothing is left to wait for. */
  function advance(): void {
    if (!isActive) return;
    while (mode === 'going' && !isPaused && inFlight.size < parts.concurrency) {
      const next = queue.take();
      if (!next) break;
      void launch(next);
    }
    if (inFlight.size === 0 && (mode !== 'going' || (queue.isEmpty() && holds === 0))) {
      isActive = false;
      void finish();
    }
  }

  async function finish(): Promise<void> {
    // Whoever hears of the end may add to the run at once, and it is active again.
    const ended = activity;
    try {
      if (!failure) {
        const how = outcome();
        emit({
          type: 'run-finished',
          at: clock.now(),
          outcome: how,
          ...(how === 'stopped' && haltReason !== undefined && { reason: haltReason }),
        });
        await journal.settled();
      }
    } catch (error) {
      failure ??= { error };
    }
    if (failure) ended?.reject(failure.error);
    else ended?.resolve();
  }

  function outcome(): Extract<RunEvent, { type: 'run-finished' }>['outcome'] {
    if (queue.isEmpty() && holds === 0) return 'completed';
    return mode === 'aborting' && !isHalted ? 'interrupted' : 'stopped';
  }

  async function launch(trial: QueuedTrial): Promise<void> {
    const id = trialId(trial.key);
    const flight: Flight = { controller: new AbortController(), isWaiting: true };
    inFlight.set(id, flight);
    try {
      const mayStart = await readiness(trial, flight.controller.signal);
      if (!mayStart || mode !== 'going') queue.addFirst([trial]);
      else {
        flight.isWaiting = false;
        settle(trial, await attempt(trial, flight.controller));
      }
    } catch (error) {
      fail(error);
    } finally {
      inFlight.delete(id);
      advance();
    }
  }

  /** Waits until a trial may begin; false when the wait was cut short. */
  async function readiness(trial: QueuedTrial, signal: AbortSignal): Promise<boolean> {
    try {
      await clock.wait(trial.notBefore - clock.now(), signal);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    await journal.drained();
    // With targets that answer at once a run would never let go of the thread: no key, signal or write would be heard.
    await mayBegin();
    return !signal.aborted;
  }

  /** A condition that joined is of the same product as those of the plan. */
  function tuningOf(condition: string): Json | undefined {
    const { tuning, plan } = started;
    const isPlanned = plan.conditions.some(({ id }) => id === condition);
    const [first] = plan.conditions;
    return tuning?.[isPlanned || !first ? condition : first.id];
  }

  function attempt(trial: QueuedTrial, controller: AbortController): Promise<AttemptOutcome> {
    const { key } = trial;
    const scenario = parts.scenarios.get(key.scenario);
    const condition = conditions.get(key.condition);
    if (!scenario || !condition)
      throw new Error(`the plan names ${trialId(key)}, which the suite does not have`);
    return attemptTrial(
      {
        key,
        attempt: trial.failedAttempts + 1,
        scenario,
        suiteFolder: parts.suiteFolder,
        target: condition.target,
        prompt: condition.prompt,
        account: trialAccount({
          ...key,
          run: condition.target.resetsAccounts ? seedName(started.seed, started.suite) : started.runId,
          attempt: trial.failedAttempts + 1,
        }),
        user: parts.user,
        liveTools: parts.liveTools,
        tuning: tuningOf(key.condition),
        askJudge: parts.askJudge,
        judgeVerdicts: verdictsPerTrial(started.plan.repeat, parts.judgeVerdicts),
        env: parts.env,
        seed: trialSeed(started.seed, started.suite, key.scenario, key.repeat, twins.get(key.condition)),
        maxTurns: parts.maxTurns,
        play: parts.play,
        limitMs: parts.limitMs,
        watchdog,
        clock,
        controller,
      },
      tell,
    );
  }

  /** Tells of what happens in a trial, and stops the run where it has used up its tokens. */
  function tell(event: RunEvent): void {
    emit(event);
    if (event.type !== 'turn-finished' || parts.maxTokens === undefined) return;
    const { input, output } = event.turn.reply.usage;
    tokensUsed += input + output;
    if (tokensUsed < parts.maxTokens || mode !== 'going') return;
    haltReason = `the agent has used ${tokensUsed} tokens, of ${parts.maxTokens} that it may use; a larger --max-tokens goes on`;
    stop();
  }

  /** Schedules nothing more; what is in flight ends. */
  function stop(): void {
    if (mode !== 'going') return;
    mode = 'stopping';
    for (const { controller, isWaiting } of inFlight.values()) if (isWaiting) controller.abort();
    advance();
  }

  function settle(trial: QueuedTrial, result: AttemptOutcome): void {
    if (result.kind === 'finished') return;
    if (result.kind === 'aborted') {
      queue.addFirst([trial]);
      return;
    }
    const failedAttempts = trial.failedAttempts + 1;
    const { error: kind, message } = result;
    const isFinal = failedAttempts >= parts.attempts || !isWorthRetrying(kind);
    const { key } = trial;
    emit({
      type: 'trial-errored',
      at: clock.now(),
      trial: key,
      attempt: failedAttempts,
      kind,
      message,
      final: isFinal,
    });
    if (isFinal) {
      if (kind !== 'auth') return;
      // No key gets better by asking again.
      isHalted = true;
      abortAll();
      return;
    }
    const notBefore = clock.now() + (result.retryAfterMs ?? backoffMs(failedAttempts));
    queue.addLast({ key, failedAttempts, notBefore });
  }

  function begin(): void {
    if (isActive) return;
    if (!isResumeTold) {
      isResumeTold = true;
      emit({ type: 'run-resumed', at: clock.now() });
    }
    let resolve = () => {};
    let reject: (error: unknown) => void = () => {};
    const promise = new Promise<void>((onDone, onFailure) => {
      resolve = onDone;
      reject = onFailure;
    });
    // Whoever awaits `start` or `end` hears of it; a rejection that nobody awaits yet is not to end the process.
    promise.catch(() => {});
    activity = { promise, resolve, reject };
    isActive = true;
    advance();
  }

  return {
    get isPaused() {
      return isPaused;
    },
    get isStopping() {
      return mode !== 'going';
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      advance();
    },
    stop,
    abort() {
      if (mode !== 'aborting') abortAll();
    },
    addTrials(scenario, count, { condition, confirms, bisect } = {}) {
      if (!Number.isInteger(count) || count < 1) throw new RangeError(`${count} trials cannot be added`);
      if (!parts.scenarios.has(scenario))
        throw new Error(`the run has no scenario ${JSON.stringify(scenario)}`);
      if (condition !== undefined && !conditions.has(condition))
        throw new Error(`the run has no condition ${JSON.stringify(condition)}`);
      if (mode === 'aborting') return;
      const added = {
        scenario,
        count,
        ...(condition !== undefined && { condition }),
        ...(confirms && { confirms }),
        ...(bisect && { bisect }),
      };
      const events = extensionEvents(started.plan, parts.extensions, added, clock.now());
      for (const event of events) {
        parts.extensions.note(event);
        emit(event);
      }
      queue.addFirst(addedTrials(events));
      mode = 'going';
      if (activity) begin();
      advance();
    },
    addCondition(added, candidate) {
      const { condition } = added;
      if (conditions.has(condition.id)) throw new Error(`the run has a condition ${condition.id} already`);
      conditions.set(condition.id, added);
      emit({
        type: 'condition-added',
        at: clock.now(),
        condition: { ...condition, standby: true },
        ...(candidate !== undefined && { candidate }),
      });
    },
    hold() {
      holds++;
      if (activity && !isActive && mode !== 'aborting') {
        mode = 'going';
        begin();
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds--;
        advance();
      };
    },
    subscribe,
    emit,
    emitWhileGoing(event) {
      if (isActive && !failure) emit(event);
    },
    start() {
      if (!activity) begin();
      return activity?.promise ?? Promise.resolve();
    },
    fail,
    async end() {
      if (isActive) abortAll();
      await activity?.promise;
      if (failure) throw failure.error;
    },
  };

  /** Conditions take turns, as in the plan. */
  function addedTrials(events: readonly Extract<RunEvent, { type: 'plan-extended' }>[]): QueuedTrial[] {
    const added: TrialKey[] = [];
    for (const { scenario, condition, from, to } of events) {
      for (let repeat = from; repeat <= to; repeat++) {
        const conditions = condition === undefined ? addedTo(started.plan) : [condition];
        for (const id of conditions) added.push({ scenario, condition: id, repeat });
      }
    }
    return added.map((key) => ({ key, failedAttempts: 0, notBefore: 0 }));
  }
}

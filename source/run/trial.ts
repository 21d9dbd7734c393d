import type { Clock } from '../base/clock.js';
import { messageOf, UserError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { Watchdog } from '../base/watchdog.js';
import { gradeTrial } from '../grade/grade.js';
import type { AskJudge, CheckResult } from '../grade/types.js';
import { failureUnder } from '../model/retry.js';
import { addUsage, ModelError, noUsage, type Usage } from '../model/types.js';
import type { LiveTools } from '../play/live-tools.js';
import type { SimulatedUser } from '../play/simulated-user.js';
import { playTrial, type TrialOptions, type TrialOutcome } from '../play/trial.js';
import { isSimulatedUser } from '../suite/turns.js';
import type { Scenario } from '../suite/types.js';
import { type ReplyProgress, type SessionRequest, type Target, TargetError } from '../target/types.js';
import type { RunEvent, TrialErrorKind, TrialKey } from './events.js';

/** Has the conversation of one trial, or gives one that was had before. Throws NotRecordedError and what `playTrial` throws. */
export type PlayTrial = (options: TrialOptions, key: TrialKey) => Promise<TrialOutcome>;

/** There is no conversation of the trial to be graded again. */
export class NotRecordedError extends Error {
  override name = 'NotRecordedError';
}

/** All that one attempt at one trial needs. */
export interface TrialJob {
  key: TrialKey;
  attempt: number;
  scenario: Scenario;
  suiteFolder: string;
  target: Target;
  /** An account that no other attempt has. */
  account: string;
  /** The prompt version of the condition. */
  prompt: SessionRequest['prompt'];
  /** Plays the user in simulated turns. */
  user: SimulatedUser | undefined;
  /** Calls tools for real. */
  liveTools: LiveTools | undefined;
  /** What the product says it is tuned with. */
  tuning: Json | undefined;
  askJudge: AskJudge | undefined;
  /** Verdicts that each judged check asks for. */
  judgeVerdicts: number;
  /** Environment of checks that are commands. */
  env: Record<string, string | undefined>;
  seed: string;
  maxTurns: number;
  /** Not set: the conversation is had with the target. */
  play?: PlayTrial | undefined;
  /** Hard limit of the attempt, conversation and grading, in milliseconds. */
  limitMs: number;
  /** Watches the attempts of the run, all of which have `limitMs`. */
  watchdog: Watchdog;
  clock: Clock;
  /** Aborts the attempt, as its time limit does. Of this attempt alone: a second one would cost more than its checks. */
  controller: AbortController;
}

/** How an attempt ended. `aborted`: it was told to; the trial starts anew some day. */
export type AttemptOutcome =
  | { kind: 'finished' }
  | { kind: 'aborted' }
  | { kind: 'errored'; error: TrialErrorKind; message: string; retryAfterMs: number | undefined };

class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/**
 * Has one conversation, grades it, and tells of both as events, from `trial-started` to `trial-finished`. An attempt
 * that does not get that far is told of by its outcome alone: whoever keeps count of attempts makes the event.
 * After it has resolved it emits nothing more, even where a target goes on in spite of its signal.
 */
export async function attemptTrial(job: TrialJob, emit: (event: RunEvent) => void): Promise<AttemptOutcome> {
  const { key: trial, attempt, clock } = job;
  let isOver = false;
  const tell = (event: RunEvent) => {
    if (!isOver) emit(event);
  };
  const { signal } = job.controller;
  const startedAt = clock.now();
  tell({ type: 'trial-started', at: startedAt, trial, attempt });
  const cutOff = () => job.controller.abort(timeLimitError(job.limitMs, failureUnder(signal)));
  const left = () => startedAt + job.limitMs - clock.now();
  const unwatch = job.watchdog.add({ left, expire: cutOff });
  // Checks that hold the thread keep the watchdog's timer from being heard: whoever has finished one looks at the clock too.
  const ensureInTime = () => {
    if (left() <= 0) cutOff();
    signal.throwIfAborted();
  };
  try {
    // A target that does not listen to its signal must not hold up the run.
    await Promise.race([playAndGrade(job, signal, tell, ensureInTime), rejectOnAbort(signal)]);
    return { kind: 'finished' };
  } catch (error) {
    return outcomeOf(signal.aborted ? signal.reason : error, signal);
  } finally {
    isOver = true;
    unwatch();
  }
}

/** What was being tried again and again says more than that the time is over. */
function timeLimitError(ms: number, failure: ModelError | undefined): TimeLimitError {
  const why = failure === undefined ? '' : `; the last try failed: ${failure.message}`;
  return new TimeLimitError(`not over after ${ms / 1000} seconds${why}`);
}

async function playAndGrade(
  job: TrialJob,
  signal: AbortSignal,
  tell: (event: RunEvent) => void,
  ensureInTime: () => void,
): Promise<void> {
  const { key: trial, attempt, scenario, target, seed, maxTurns, clock, prompt, user, liveTools } = job;
  const { transcript, ms, usage, userUsage } = await (job.play ?? playTrial)(
    {
      target,
      scenario,
      seed,
      maxTurns,
      account: job.account,
      ...(prompt && { prompt }),
      ...(user && { user }),
      ...(liveTools && { liveTools }),
      clock,
      signal,
      onProgress: (turn, progress) => tell(progressEvent(trial, turn, progress)),
      onTurn: (turn) => tell({ type: 'turn-finished', at: clock.now(), trial, attempt, turn }),
      onLog: (text) => tell({ type: 'product-log', at: clock.now(), trial, attempt, text }),
    },
    trial,
  );
  signal.throwIfAborted();
  const results = await gradeTrial(
    scenario.checks,
    {
      transcript,
      suiteFolder: job.suiteFolder,
      scenario,
      repeat: trial.repeat,
      judgeVerdicts: job.judgeVerdicts,
      ...(job.tuning !== undefined && { tuning: job.tuning }),
      clock,
      env: job.env,
      seed: `${seed}/judge`,
      signal,
      ...(job.askJudge && { askJudge: job.askJudge }),
    },
    (result) => {
      ensureInTime();
      tell({ type: 'check-finished', at: clock.now(), trial, attempt, result });
    },
  );
  signal.throwIfAborted();
  tell({
    type: 'trial-finished',
    at: clock.now(),
    trial,
    attempt,
    end: transcript.end,
    unsent: transcript.unsent,
    ms,
    tokens: {
      agent: usage,
      judge: judgeUsage(results),
      ...(isSimulatedUser(scenario) && { user: userUsage }),
      ...(transcript.turns.some(({ reply }) => reply.usageMissing) && { isAgentPartial: true as const }),
    },
  });
}

function judgeUsage(results: readonly CheckResult[]): Usage {
  return results.reduce(
    (sum, result) => (result.judgeUsage ? addUsage(sum, result.judgeUsage) : sum),
    noUsage,
  );
}

const progressLength = 300;

function progressEvent(trial: TrialKey, turn: number, progress: ReplyProgress): RunEvent {
  if (progress.type === 'tool') return { type: 'reply-progress', trial, turn, text: '', tool: progress.name };
  // Half a surrogate pair at the cut would be no text.
  const text = progress.text.slice(-progressLength).replace(/^[\udc00-\udfff]/, '');
  return { type: 'reply-progress', trial, turn, text };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function outcomeOf(error: unknown, signal: AbortSignal): AttemptOutcome {
  if (signal.aborted && !(error instanceof TimeLimitError)) return { kind: 'aborted' };
  const retryAfterMs =
    error instanceof ModelError || error instanceof TargetError ? error.retryAfterMs : undefined;
  const kind = errorKind(error);
  const message = messageOf(error);
  return {
    kind: 'errored',
    error: kind,
    message: kind === 'bug' ? `${message}${whereItBroke(error)}` : message,
    retryAfterMs,
  };
}

/** The innermost line of our own that a mistake went through, for whoever is told of it; nothing of what is for the user. */
function whereItBroke(error: unknown): string {
  if (!(error instanceof Error) || error instanceof UserError) return '';
  const frame = /^ +at (?:(\S+) )?\(?.*[/\\]([^/\\]+:\d+):\d+\)?$/m.exec(error.stack ?? '');
  return frame ? ` (${error.name} in ${frame[1] ?? 'code'}, ${frame[2]})` : ` (${error.name})`;
}

function errorKind(error: unknown): TrialErrorKind {
  if (error instanceof TimeLimitError) return 'limit';
  if (error instanceof NotRecordedError) return 'not-recorded';
  if (error instanceof TargetError) return error.kind === 'other' ? 'target' : error.kind;
  if (!(error instanceof ModelError)) return 'bug';
  switch (error.kind) {
    case 'auth':
    case 'rate-limit':
    case 'overloaded':
    case 'network':
      return error.kind;
    case 'bad-answer':
      return 'model';
    case 'not-found':
    case 'too-long':
    case 'bad-request':
      return 'refused-request';
  }
}

/** Whether asking again could help: no key gets better by it, nor a request that was found wrong, nor a bug of ours. */
export function isWorthRetrying(kind: TrialErrorKind): boolean {
  return !['auth', 'bug', 'refused-request', 'fallback', 'not-recorded'].includes(kind);
}

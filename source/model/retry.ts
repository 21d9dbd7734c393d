import type { Clock } from '../base/clock.js';
import type { Random } from '../base/random.js';
import {
  addUsage,
  type ChatEvent,
  type ChatModel,
  ModelError,
  type ModelErrorKind,
  type SpentTokens,
} from './types.js';
import { isOverload } from './wire/overload.js';

/** A failed try that is going to be followed by another one. */
export interface Retry {
  /** `provider:model` */
  model: string;
  /** The failed try, from 1. */
  attempt: number;
  error: ModelError;
  /** Milliseconds until the next try. */
  waitMs: number;
  /** The consumer had already got some of the answer and is told to forget it. */
  isRestart: boolean;
}

export interface RetryOptions {
  clock: Clock;
  random: Random;
  /** Milliseconds from the first failure after which no new try begins. Default 120,000. */
  totalMs?: number;
  /** Upper bound of the first wait in milliseconds; doubles with every failure. Default 500. */
  baseMs?: number;
  /** Upper bound of any wait that the server did not ask for, in milliseconds. Default 30,000. */
  mostMs?: number;
  /** Tries of a request whose answers are no use, as that of a server that fails or breaks off. Default 6. */
  mostUseless?: number;
  onRetry?: (retry: Retry) => void;
}

/** Failures that may pass: the others are the same however often one asks. */
const passing: ReadonlySet<ModelErrorKind> = new Set(['rate-limit', 'overloaded', 'network']);

/** The last failure of a request that is being tried again, by the signal that it listens to. */
const failures = new WeakMap<AbortSignal, ModelError>();

/** Why what listens to a signal has no answer yet: the last failure of a request of it that is still being tried. */
export function failureUnder(signal: AbortSignal): ModelError | undefined {
  return failures.get(signal);
}

/** The server can be reached and is not merely busy: it will answer the same a minute from now. */
function isUseless({ kind, status, retryAfterMs, hasAnswered }: ModelError): boolean {
  const isBusy = kind === 'rate-limit' || retryAfterMs !== undefined;
  return hasAnswered && !isBusy && (kind === 'network' || !isOverload(status));
}

/**
 * The one place where a model request is tried again. Waits are exponential with full jitter (a uniform draw below
 * the bound, so that trials that failed together do not come back together); a `Retry-After` is kept in full. The
 * time is counted from the first failure rather than from the request, so that a long wait for a turn at a busy
 * account costs no tries. A wait that would end too late is not begun: the request fails at once with what is known.
 * So does one that was answered again and again, and never usefully.
 *
 * An answer that broke off after the consumer saw some of it is asked for again like any other, and the consumer is
 * told by a `restart` event; buffering whole answers would take the streaming from everybody for the sake of a rare
 * fault. What a broken answer took is part of what the request took, as far as it was reported: the usage of the whole
 * is marked where it was not.
 */
export function withRetry(model: ChatModel, options: RetryOptions): ChatModel {
  const {
    clock,
    random,
    totalMs = 120_000,
    baseMs = 500,
    mostMs = 30_000,
    mostUseless = 6,
    onRetry,
  } = options;

  function waitAfter(attempt: number, error: ModelError): number {
    const bound = Math.min(mostMs, baseMs * 2 ** (attempt - 1));
    const jitter = random.next() * bound;
    return error.retryAfterMs === undefined ? jitter : error.retryAfterMs + Math.min(jitter, baseMs);
  }

  return {
    name: model.name,
    async *stream(request) {
      const { signal } = request;
      let firstFailure: number | undefined;
      let useless = 0;
      let isVoid = false;
      const spent: SpentTokens[] = [];
      for (let attempt = 1; ; attempt++) {
        let hasSpoken = false;
        try {
          const events: AsyncIterable<ChatEvent> = model.stream(request);
          if (isVoid) yield { type: 'restart' };
          for await (const event of events) {
            if (event.type !== 'done') hasSpoken = true;
            yield event.type === 'done' ? withSpent(event, spent) : event;
          }
          if (signal) failures.delete(signal);
          return;
        } catch (error) {
          if (!(error instanceof ModelError) || !passing.has(error.kind) || error.permanent) throw error;
          if (error.spent !== undefined) spent.push(error.spent);
          if (signal) failures.set(signal, error);
          firstFailure ??= clock.now();
          if (isUseless(error)) useless++;
          isVoid = hasSpoken;
          const waitMs = waitAfter(attempt, error);
          if (useless >= mostUseless || clock.now() + waitMs - firstFailure > totalMs)
            throw givenUp(error, attempt, clock.now() - firstFailure);
          onRetry?.({ model: model.name, attempt, error, waitMs, isRestart: hasSpoken });
          await clock.wait(waitMs, signal);
        }
      }
    },
  };
}

function withSpent(
  done: Extract<ChatEvent, { type: 'done' }>,
  spent: readonly SpentTokens[],
): Extract<ChatEvent, { type: 'done' }> {
  if (spent.length === 0) return done;
  const usage = spent.reduce((sum, broken) => addUsage(sum, broken.usage), done.usage);
  const isMissing = done.usageMissing || spent.some(({ usageMissing }) => usageMissing);
  return { ...done, usage, ...(isMissing && { usageMissing: true }) };
}

function givenUp(error: ModelError, attempts: number, ms: number): ModelError {
  if (attempts === 1) return error;
  const { kind, message, retryAfterMs, status } = error;
  const tries = `${message} (tried ${attempts} times in ${Math.round(ms / 1_000)} s)`;
  return new ModelError(kind, tries, retryAfterMs, status === undefined ? {} : { status });
}

import type { Clock } from '../../base/clock.js';
import { ModelError } from '../types.js';
import { createBucket } from './bucket.js';
import { createAdaptiveLimit } from './limit.js';

export interface PacerState {
  /** Requests that may be in flight at once, as learnt so far. */
  limit: number;
  inFlight: number;
  /** Requests that wait for their turn. */
  waiting: number;
  /** Milliseconds since the epoch until which nothing is sent; undefined when nothing holds the account. */
  pausedUntil: number | undefined;
}

/** How a request ended, as far as pacing minds. `tokens`: what it took, where that is known. */
export type Outcome =
  | { kind: 'answered'; tokens?: number }
  /** The server says that there is too much at once. */
  | { kind: 'refused'; retryAfterMs?: number }
  | { kind: 'failed' };

export interface Permit {
  /** Ends the request. Only the first call counts. */
  release(outcome: Outcome): void;
}

/** Lets requests of one provider account through, first come first served. */
export interface Pacer {
  /** The account's name, for people; holds nothing of the key. */
  readonly account: string;
  state(): PacerState;
  /** Hears, at most once a tick, that the state has changed. Returns the way out. */
  subscribe(listener: () => void): () => void;
  /**
   * Waits for a turn. `tokens` is what the request is expected to take. Rejects with the signal's reason when aborted,
   * and with ModelError `rate-limit` when the server asks for a longer pause than anybody wants to wait for.
   */
  acquire(tokens: number, signal?: AbortSignal): Promise<Permit>;
}

export interface PacerOptions {
  account: string;
  clock: Clock;
  /** Upper bound of requests in flight, and where the limit begins: it is lowered by what the server says alone. */
  concurrency: number;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
  /** Longest pause that is waited out, in milliseconds. Default 120,000. */
  mostPauseMs?: number;
}

/** Pause after a refusal that names no time: doubles with each congestion that follows without an answer between. */
const firstPauseMs = 500;
const mostOwnPauseMs = 30_000;

interface Waiter {
  tokens: number;
  grant(): void;
  refuse(reason: unknown): void;
}

/**
 * Every waiting request is one that its conversation waits for, so the queue is never longer than there are
 * conversations. The order is strict: a request that waits for tokens is not overtaken by a smaller one, which would
 * otherwise starve it.
 */
export function createPacer(options: PacerOptions): Pacer {
  const { account, clock, concurrency, mostPauseMs = 120_000 } = options;
  const limit = createAdaptiveLimit(concurrency);
  const bucket = (perMinute: number | undefined) =>
    perMinute === undefined ? undefined : createBucket(perMinute, clock);
  const requests = bucket(options.requestsPerMinute);
  const tokens = bucket(options.tokensPerMinute);
  const waiters = new Set<Waiter>();
  const listeners = new Set<() => void>();
  let inFlight = 0;
  let pausedUntil = 0;
  let congestions = 0;
  let alarm: { at: number; stop: AbortController } | undefined;
  let willTell = false;

  function tell(): void {
    if (willTell || listeners.size === 0) return;
    willTell = true;
    queueMicrotask(() => {
      willTell = false;
      for (const listener of listeners) listener();
    });
  }

  function stopAlarm(): void {
    alarm?.stop.abort();
    alarm = undefined;
  }

  function wakeIn(ms: number): void {
    const at = clock.now() + ms;
    if (alarm?.at === at) return;
    stopAlarm();
    const set = { at, stop: new AbortController() };
    alarm = set;
    clock.wait(ms, set.stop.signal).then(
      () => {
        if (alarm !== set) return;
        alarm = undefined;
        tell();
        pump();
      },
      () => {},
    );
  }

  /** Lets through whoever may go now, and sets the alarm for when the next one may. */
  function pump(): void {
    for (const waiter of waiters) {
      const pauseMs = pausedUntil - clock.now();
      if (pauseMs > mostPauseMs) {
        waiters.delete(waiter);
        waiter.refuse(tooLong(pauseMs));
        continue;
      }
      if (pauseMs <= 0 && inFlight >= limit.value) break;
      const waitMs = Math.max(pauseMs, requests?.waitMs(1) ?? 0, tokens?.waitMs(waiter.tokens) ?? 0);
      if (waitMs > 0) {
        wakeIn(waitMs);
        return;
      }
      waiters.delete(waiter);
      waiter.grant();
    }
    stopAlarm();
  }

  function tooLong(pauseMs: number): ModelError {
    const seconds = Math.ceil(pauseMs / 1_000);
    return new ModelError('rate-limit', `${account} asks to be left alone for ${seconds} s`, pauseMs);
  }

  function begin(reserved: number): Permit {
    const { epoch } = limit;
    let isOver = false;
    inFlight++;
    requests?.take(1);
    tokens?.take(reserved);
    return {
      release(outcome) {
        if (isOver) return;
        isOver = true;
        end(outcome, epoch, reserved);
      },
    };
  }

  function end(outcome: Outcome, epoch: number, reserved: number): void {
    const isFull = inFlight >= limit.value;
    inFlight--;
    if (outcome.kind === 'answered') {
      if (outcome.tokens !== undefined) tokens?.settle(reserved, outcome.tokens);
      if (epoch === limit.epoch) congestions = 0;
      limit.answered(epoch, isFull);
    } else {
      // Nothing was taken, as far as anybody knows.
      tokens?.settle(reserved, 0);
      if (outcome.kind === 'refused') pause(outcome.retryAfterMs, limit.refused(epoch));
    }
    tell();
    pump();
  }

  function pause(retryAfterMs: number | undefined, isNew: boolean): void {
    if (isNew) congestions++;
    const own = isNew ? Math.min(mostOwnPauseMs, firstPauseMs * 2 ** (congestions - 1)) : 0;
    pausedUntil = Math.max(pausedUntil, clock.now() + (retryAfterMs ?? own));
  }

  return {
    account,
    state: () => ({
      limit: limit.value,
      inFlight,
      waiting: waiters.size,
      pausedUntil: pausedUntil > clock.now() ? pausedUntil : undefined,
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    acquire(reserved, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          waiters.delete(waiter);
          reject(signal?.reason);
          tell();
          pump();
        };
        const waiter: Waiter = {
          tokens: reserved,
          grant() {
            signal?.removeEventListener('abort', leave);
            resolve(begin(reserved));
          },
          refuse(reason) {
            signal?.removeEventListener('abort', leave);
            reject(reason);
          },
        };
        waiters.add(waiter);
        tell();
        pump();
        // Most go through at once, and have nothing to listen for.
        if (waiters.has(waiter)) signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

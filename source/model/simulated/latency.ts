import type { Clock } from '../../base/clock.js';
import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';

const latencyVariable = 'EVALRUN_SIMULATED_LATENCY';

/** Timers of the platform cannot wait for more than weeks, and wrap round to no wait at all. */
const maxFactor = 100;

/** What the latencies of all simulated models are multiplied by: 1 unless the environment says otherwise. */
export function readLatencyFactor(env: Record<string, string | undefined>): number {
  const written = env[latencyVariable]?.trim();
  if (written === undefined || written === '') return 1;
  const factor = Number(written);
  if (!(factor >= 0 && factor <= maxFactor)) {
    throw new UserError(
      `${latencyVariable} is ${quote(written)}; it multiplies the latency of simulated models: write a number from 0 (answer at once) to ${maxFactor}`,
    );
  }
  return factor;
}

/** Holds an answer back as a model of the set speed would. One for each answer. */
export interface Pace {
  /** Answers come at once: there is nothing to wait for, and no use in cutting them into words. */
  readonly isInstant: boolean;
  /** Waits until `words` more words would be out. Rejects with the signal's reason. */
  waitForWords(words: number): Promise<void>;
}

/** Starts the clock of one answer; `firstTokenMs` counts once, with the first words. */
export function startPace(
  latency: { firstTokenMs: number; wordMs: number },
  clock: Clock,
  signal: AbortSignal | undefined,
): Pace {
  const isInstant = latency.firstTokenMs === 0 && latency.wordMs === 0;
  // Each wait is up to a moment, not for a time: what one timer is late the next one makes good.
  let due = clock.now() + latency.firstTokenMs;
  return {
    isInstant,
    async waitForWords(words) {
      due += words * latency.wordMs;
      const ms = due - clock.now();
      if (ms > 0) await clock.wait(ms, signal);
      signal?.throwIfAborted();
    },
  };
}

import type { Clock } from '../../base/clock.js';

/** A watch over something that has to show signs of life. */
export interface SilenceWatch {
  /** There was a sign of life: the time starts anew. */
  alive(): void;
  /** Nothing is awaited any more. */
  stop(): void;
}

/** Calls `onSilence` once when `ms` milliseconds pass without a sign of life, unless the watch is stopped before. */
export function watchSilence(clock: Clock, ms: number, onSilence: () => void): SilenceWatch {
  const stopper = new AbortController();
  let lastSign = clock.now();
  let hasSign = false;

  async function watch(): Promise<void> {
    let wait = ms;
    do {
      hasSign = false;
      await clock.wait(wait, stopper.signal);
      // One timer a wait, not one a sign: a stream of thousands of pieces moves no timer.
      wait = lastSign + ms - clock.now();
    } while (hasSign && wait > 0);
    if (!stopper.signal.aborted) onSilence();
  }

  watch().catch(() => {
    // Stopped.
  });
  return {
    alive() {
      hasSign = true;
      lastSign = clock.now();
    },
    stop: () => stopper.abort(),
  };
}

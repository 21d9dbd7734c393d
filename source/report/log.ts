import type { Clock } from '../base/clock.js';
import type { RunEvent } from '../run/events.js';
import { formatCount, formatDuration, inline } from './format.js';

/** Milliseconds between two lines that only say that it goes on, and between two of requests that are sent again. */
const quietMs = 5000;

/** The lines of a log about something that goes on for long: it is heard of now and then, and not by the dozen. */
export interface Log {
  print(line: string): void;
  /** Prints how far it is where nothing else was printed for a while, and not the same twice in a row. */
  progress(line: () => string): void;
  /** Prints that a model request is sent again: of many that come together one, with how many came before it. */
  retry(event: Extract<RunEvent, { type: 'request-retried' }>): void;
  /** Whether something was printed a moment ago. */
  isFresh(): boolean;
}

/** `print` is given lines that are safe to print, without their ends. */
export function createLog({ print, clock }: { print(line: string): void; clock: Clock }): Log {
  let printedAt = clock.now();
  let toldProgress = '';
  let retryAt = Number.NEGATIVE_INFINITY;
  /** Requests that were sent again since the last line of one. */
  let unsaid = 0;

  const log: Log = {
    print(line) {
      printedAt = clock.now();
      print(line);
    },
    progress(line) {
      if (log.isFresh()) return;
      const progress = line();
      if (progress === toldProgress) return;
      toldProgress = progress;
      log.print(progress);
    },
    retry({ model, kind, message, waitMs }) {
      if (clock.now() - retryAt < quietMs) {
        unsaid++;
        return;
      }
      retryAt = clock.now();
      const before = unsaid > 0 ? ` (and ${formatCount(unsaid)} before it)` : '';
      unsaid = 0;
      log.print(
        `waits    ${inline(`${model}  ${kind}: ${message}`)}; again in ${formatDuration(waitMs)}${before}`,
      );
    },
    isFresh: () => clock.now() - printedAt < quietMs,
  };
  return log;
}

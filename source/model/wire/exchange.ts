import type { Clock } from '../../base/clock.js';
import type { Watchdog } from '../../base/watchdog.js';

/** Answers are text of some thousand tokens; a server that sends more than this is not answering. */
const mostBytes = 64 * 2 ** 20;

/** How long a server may keep a connection open after it has said that the answer is whole. */
const graceMs = 250;

/** Ends a timer. One for all: a reason that `abort` makes itself holds a stack, for every request. */
const over = new Error('over');

/** One request and its answer, under watch. */
export interface Exchange {
  /** Aborts what belongs to the request: on silence, at the consumer's wish, when the answer is too large. */
  readonly signal: AbortSignal;
  /** Why the exchange was broken off by this side; undefined while it was not. */
  readonly brokenOff: 'silence' | 'too-large' | undefined;
  /** Bytes of the answer so far, and the first few of them as text. */
  readonly received: { bytes: number; head: string };
  /** The answer ended with the `[DONE]` of OpenAI's protocol. */
  readonly doneMarker: boolean;
  /** The bytes of the answer, watched. */
  watch(body: AsyncIterable<Uint8Array> | null): AsyncIterable<Uint8Array>;
  /** The answer is whole: silence from here on is its end, not a failure. */
  settle(): void;
  /** Lets go of timer and listener; the connection is let go of by whoever stops reading. */
  close(): void;
}

/**
 * Watches one request from before it is sent. Silence is measured in bytes, so that a server that sends pings while
 * it queues is alive, and only while a byte is waited for, so that a slow consumer is not taken for a dead server.
 */
export function openExchange(options: {
  clock: Clock;
  /** Watches the requests of the model, all of which may be silent for `stallMs`. */
  watchdog: Watchdog;
  stallMs: number;
  signal: AbortSignal | undefined;
}): Exchange {
  const { clock, watchdog, stallMs, signal: outer } = options;
  const controller = new AbortController();
  const received = { bytes: 0, head: '' };
  let tail = '';
  let doneMarker = false;
  let brokenOff: Exchange['brokenOff'];
  let settled = false;
  let waitingSince: number | undefined = clock.now();
  let isClosed = false;
  let grace: AbortController | undefined;

  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });

  function breakOff(reason: 'silence' | 'too-large'): void {
    brokenOff = reason;
    controller.abort();
  }

  const unwatch = watchdog.add({
    left: () => (waitingSince === undefined ? stallMs : waitingSince + stallMs - clock.now()),
    expire: () => breakOff('silence'),
  });

  function settle(): void {
    if (settled) return;
    settled = true;
    unwatch();
    // Nearly always the end comes with the last word, and there is nothing to wait for.
    setImmediate(() => {
      if (isClosed) return;
      grace = new AbortController();
      clock.wait(graceMs, grace.signal).then(
        () => {
          if (!isClosed) controller.abort();
        },
        () => {},
      );
    });
  }

  function note(chunk: Uint8Array): void {
    if (received.head.length < 64) received.head += Buffer.from(chunk.subarray(0, 64)).toString('latin1');
    received.bytes += chunk.byteLength;
    tail = (tail + Buffer.from(chunk.subarray(-32)).toString('latin1')).slice(-32);
    if (!doneMarker && /(^|[\r\n])data: ?\[DONE\]\s*$/.test(tail)) {
      doneMarker = true;
      settle();
    }
  }

  return {
    signal: controller.signal,
    get brokenOff() {
      return brokenOff;
    },
    received,
    get doneMarker() {
      return doneMarker;
    },
    async *watch(body) {
      if (body === null) return;
      waitingSince = clock.now();
      // Whoever stops reading lets go of the connection: that is what leaving an iteration early means.
      for await (const chunk of body) {
        waitingSince = undefined;
        note(chunk);
        if (received.bytes > mostBytes) breakOff('too-large');
        yield chunk;
        waitingSince = clock.now();
      }
      waitingSince = undefined;
    },
    settle,
    close() {
      isClosed = true;
      unwatch();
      grace?.abort(over);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}

import type { Clock } from '../../base/clock.js';

/** Answers are text of some thousand tokens; a server that sends more than this is not answering. */
const mostBytes = 64 * 2 ** 20;

/** How long a server may keep a connection open after it has said that the answer is whole. */
const graceMs = 250;

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
  /** The same response, its body watched. */
  watch(response: Response): Response;
  /** The answer is whole: silence from here on is its end, not a failure. */
  settle(): void;
  /** Lets go of timer, listener and connection. */
  close(): void;
}

/**
 * Watches one request from before it is sent. Silence is measured in bytes, so that a server that sends pings while
 * it queues is alive, and only while a byte is waited for, so that a slow consumer is not taken for a dead server.
 */
export function openExchange(options: {
  clock: Clock;
  stallMs: number;
  signal: AbortSignal | undefined;
}): Exchange {
  const { clock, stallMs, signal: outer } = options;
  const controller = new AbortController();
  const received = { bytes: 0, head: '' };
  let tail = '';
  let doneMarker = false;
  let brokenOff: Exchange['brokenOff'];
  let ended = false;
  let settled = false;
  let waitingSince: number | undefined = clock.now();
  let guard = new AbortController();

  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });

  function breakOff(reason: 'silence' | 'too-large'): void {
    brokenOff = reason;
    controller.abort();
  }

  function after(ms: number, then: () => void): void {
    const { signal } = guard;
    clock.wait(ms, signal).then(
      () => {
        if (!signal.aborted) then();
      },
      () => {},
    );
  }

  function watchSilence(ms: number): void {
    after(ms, () => {
      const left = waitingSince === undefined ? stallMs : waitingSince + stallMs - clock.now();
      if (left > 0) watchSilence(left);
      else breakOff('silence');
    });
  }

  function settle(): void {
    if (settled) return;
    settled = true;
    guard.abort();
    guard = new AbortController();
    after(graceMs, () => controller.abort());
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

  watchSilence(stallMs);
  return {
    signal: controller.signal,
    get brokenOff() {
      return brokenOff;
    },
    received,
    get doneMarker() {
      return doneMarker;
    },
    watch(response) {
      waitingSince = undefined;
      const reader = response.body?.getReader();
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(to) {
            waitingSince = clock.now();
            const read = await reader?.read();
            waitingSince = undefined;
            if (read === undefined || read.done) {
              ended = true;
              to.close();
              return;
            }
            note(read.value);
            if (received.bytes > mostBytes) breakOff('too-large');
            to.enqueue(read.value);
          },
          cancel: (reason) => reader?.cancel(reason),
        },
        // Nothing is read ahead: a byte is waited for only when somebody wants it.
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: response.headers });
    },
    settle,
    close() {
      guard.abort();
      outer?.removeEventListener('abort', onAbort);
      if (!ended) controller.abort();
    },
  };
}

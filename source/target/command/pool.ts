import { TargetError } from '../types.js';
import type { Worker } from './worker.js';

/** Workers that are kept between sessions: at most `size` at once, each with one session at a time. */
export interface Pool {
  /** Waits for a free worker that was started with this prompt. In the order of asking. Throws what `start` throws. */
  take(prompt: string | undefined): Promise<Worker>;
  /** Gives a worker back. One that failed is replaced when it is needed. */
  give(worker: Worker): Promise<void>;
  /** Ends all workers; who waits gets an error. */
  close(): Promise<void>;
}

interface Waiting {
  prompt: string | undefined;
  resolve: (worker: Worker) => void;
  reject: (error: unknown) => void;
}

/**
 * A worker keeps the prompt that it was started with (file and variable are part of its environment), so a worker
 * of another prompt is ended and a new one started in its place.
 */
export function createPool(size: number, start: (prompt: string | undefined) => Promise<Worker>): Pool {
  let idle: Worker[] = [];
  const waiting: Waiting[] = [];
  /** Workers in use, being started and being replaced. With `idle` never more than `size`. */
  let busy = 0;
  let isClosed = false;

  /** Serves who waits, first come first served, as far as there are workers. Decides at once, so that no place is given twice. */
  function serve(): void {
    // One that ended while nobody used it has cleaned up after itself.
    idle = idle.filter((worker) => worker.isUsable());
    while (waiting.length > 0) {
      const { prompt } = waiting[0] as Waiting;
      const same = idle.find((worker) => worker.prompt === prompt);
      const hasRoom = busy + idle.length < size;
      const replaced = same === undefined && !hasRoom ? idle[0] : undefined;
      if (same === undefined && !hasRoom && replaced === undefined) return;
      idle = idle.filter((worker) => worker !== same && worker !== replaced);
      busy++;
      const { resolve, reject } = waiting.shift() as Waiting;
      provide(prompt, same, replaced).then(resolve, (error) => {
        busy--;
        reject(error);
        serve();
      });
    }
  }

  async function provide(
    prompt: string | undefined,
    same: Worker | undefined,
    replaced: Worker | undefined,
  ): Promise<Worker> {
    if (same !== undefined) return same;
    await replaced?.stop('gently');
    return start(prompt);
  }

  return {
    take(prompt) {
      if (isClosed) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        waiting.push({ prompt, resolve, reject });
        serve();
      });
    },
    async give(worker) {
      if (!isClosed && worker.isUsable()) idle.push(worker);
      else await worker.stop(worker.isUsable() ? 'gently' : 'now');
      busy--;
      serve();
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(closedError());
      await Promise.all(idle.splice(0).map((worker) => worker.stop('gently')));
    },
  };
}

function closedError(): TargetError {
  return new TargetError('other', 'the target was closed');
}

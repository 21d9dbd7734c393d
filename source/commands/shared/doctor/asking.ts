import { systemClock } from '../../../base/clock.js';
import { UserError } from '../../../base/errors.js';
import { ModelError } from '../../../model/types.js';
import type { Fetch } from '../../../model/wire/options.js';
import type { Project } from '../../../project/config.js';
import { TargetError } from '../../../target/types.js';
import type { Skew } from './machine.js';

/** How models and products are asked. */
export interface AskOptions {
  project: Project;
  env: NodeJS.ProcessEnv;
  /** Milliseconds after which whoever has not answered is given up. */
  limitMs: number;
  /** Hears what time servers say it is. */
  onSkew: (skew: Skew) => void;
}

/** Names the account of a product that is asked, and the draw of a model. */
export const account = 'evalrun-doctor';

/** Tells what time servers say it is, which stands in every answer. */
export function withDates(fetch: Fetch, onSkew: (skew: Skew) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    const { host } = new URL(url instanceof Request ? url.url : url);
    if (!Number.isNaN(date)) onSkew({ host, ms: date - Date.now() });
    return response;
  };
}

/** Rejects when the time is over, whether or not what runs hears of it. */
export async function withLimit<T>(limitMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const done = new AbortController();
  const over = systemClock.wait(limitMs, done.signal).then(
    () => {
      const error = new TargetError('network', `no answer in ${limitMs / 1000} s`);
      controller.abort(error);
      throw error;
    },
    // Never comes: what runs has ended first.
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([run(controller.signal), over]);
  } finally {
    done.abort();
  }
}

/** The message of what is for a person. Throws mistakes of ours on, to be reported as such. */
export function messageOf(error: unknown): string {
  if (error instanceof ModelError || error instanceof TargetError || error instanceof UserError)
    return error.message;
  throw error;
}

import { openSettings } from '../../project/settings.js';
import type { CommandIo } from '../io.js';
import { tellNotes } from './notes.js';
import { isOnScreen } from './terminal.js';

/** Tells a person what is being waited for. */
export interface Waits {
  /** Gives what is waited for. Until it is there, a line with a spinner stands in the terminal; elsewhere one is written. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

/** What is there sooner needs no word; a line that stays is not written for what takes a moment. */
const patienceMs = { spinner: 150, line: 1000 };

/**
 * On a terminal a spinner, elsewhere a line that stays, and only if `tellsInLines`. They stand on standard error, so that
 * results stay alone on the other.
 */
export function createWaits(
  args: { plain?: boolean; json?: boolean },
  io: CommandIo,
  { tellsInLines = false } = {},
): Waits {
  // Where Ink takes its environment for CI it draws nothing until it ends.
  const isShown = isOnScreen(args, io) && Boolean(io.stderr.isTTY) && !('CI' in io.env);
  if (!isShown && !tellsInLines) return { during: (_what, work) => work };
  return {
    async during(what, work) {
      if (await isThereWithin(isShown ? patienceMs.spinner : patienceMs.line, work)) return work;
      const close = isShown ? await spin(what, io) : void tellNotes([`${what} …`], io);
      try {
        return await work;
      } finally {
        close?.();
      }
    },
  };
}

/** Whether the work is done after so many milliseconds, or has failed. */
async function isThereWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const settled = work.then(
    () => true as const,
    () => true as const,
  );
  const isThere = await Promise.race([settled, late]);
  clearTimeout(timer);
  return isThere;
}

async function spin(what: string, { stderr, env }: CommandIo): Promise<() => void> {
  const [{ openInlineWait }, settings] = await Promise.all([
    import('../../ui/inline-wait.js'),
    openSettings(env),
  ]);
  return openInlineWait(what, { stderr, env, theme: settings.get('theme') });
}

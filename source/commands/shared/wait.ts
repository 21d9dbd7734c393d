import { openSettings } from '../../project/settings.js';
import type { CommandIo } from '../io.js';
import { isOnScreen } from './terminal.js';

/** Tells a person what is being waited for. */
export interface Waits {
  /** Gives what is waited for; until it is there, a line with a spinner stands in the terminal. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

/** What is there sooner needs no word. */
const patienceMs = 150;

/** On a terminal a spinner, elsewhere nothing. It stands on standard error, so that results stay alone on the other. */
export function createWaits(args: { plain?: boolean; json?: boolean }, io: CommandIo): Waits {
  // Where Ink takes its environment for CI it draws nothing until it ends.
  const isShown = isOnScreen(args, io) && Boolean(io.stderr.isTTY) && !('CI' in io.env);
  if (!isShown) return { during: (_what, work) => work };
  return {
    async during(what, work) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, patienceMs, 'late');
      });
      const settled = work.then(
        () => 'there' as const,
        () => 'there' as const,
      );
      const first = await Promise.race([settled, late]);
      clearTimeout(timer);
      if (first === 'there') return work;
      const [{ openInlineWait }, settings] = await Promise.all([
        import('../../ui/inline-wait.js'),
        openSettings(io.env),
      ]);
      const close = openInlineWait(what, {
        stderr: io.stderr,
        env: io.env,
        theme: settings.get('theme'),
      });
      try {
        return await work;
      } finally {
        close();
      }
    },
  };
}

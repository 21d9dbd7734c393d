import { systemClock } from '../../base/clock.js';
import type { AppOptions } from '../../ui/types.js';
import type { CommandIo } from '../io.js';

/** What the screens open on; the terminal and the person's settings are those of the process. */
type Shown = Pick<AppOptions, 'runs' | 'desk' | 'isComparing' | 'pastRuns' | 'triage' | 'home'>;

/** Opens the screens and resolves when the person has left. */
export async function openScreens(shown: Shown, io: CommandIo): Promise<void> {
  const open = await loadScreens(io);
  await open(shown);
}

/** Loads the screens; what it gives draws the first frame before it returns. */
export async function loadScreens(io: CommandIo): Promise<(shown: Shown) => Promise<unknown>> {
  const openTheirs = async () => (await import('../../project/settings.js')).openSettings(io.env);
  const [{ openApp }, settings] = await Promise.all([import('../../ui/open.js'), openTheirs()]);
  const { stdin, stdout, stderr, env } = io;
  return (shown) => openApp({ ...shown, settings, stdin, stdout, stderr, env, clock: systemClock });
}

import type { Clock } from '../base/clock.js';
import type { ReviewDesk } from '../grade/labels/desk.js';
import type { Accounts } from '../model/pacing/accounts.js';
import type { ReadTrial, RunControls, RunListener } from '../run/types.js';

/** What the person chose and the app remembers. `get` gives undefined for what was never set; `set` never throws. */
export interface AppSettings {
  get(key: SettingKey): string | undefined;
  set(key: SettingKey, value: string): void;
}

/** `theme`: `colour` (default) or `plain`. `sort`: a name of `sortNames` of the grid. */
export type SettingKey = 'theme' | 'sort';

/** One run on screen, live or past. */
export interface AppRun {
  /** Shown instead of the suite's name. */
  title?: string;
  /**
   * Gives every message so far, then those to come, in order. Called once. Of a past run it may give a promise that
   * resolves after the last message; one that rejects ends the app with its error.
   */
  feed(listener: RunListener): void | Promise<void>;
  readTrial: ReadTrial;
  /** Only for a run that is going on in this process. */
  controls?: RunControls | undefined;
  /** How its provider accounts are paced now; of a run that is going on in this process. */
  paces?(): ReturnType<Accounts['states']>;
}

export interface AppOptions {
  /** At least one. Several: Tab switches between them. */
  runs: AppRun[];
  /** Opens on the review of what lies there, instead of on the grid. */
  desk?: ReviewDesk;
  settings: AppSettings;
  /** A terminal: the command checks that before it opens the app. */
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** What is written to it while the app has the screen is held back until the app has ended. Default: the process's. */
  stderr?: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  clock: Clock;
}

/**
 * How the app ended. The terminal is restored by then.
 * `quit`: the person left; no run was going. `abandoned`: the person left while a run was going, or pressed Ctrl+C
 * twice; runs were told to abort. `signal`: the process was told to end; runs were told to abort.
 */
export type AppResult = { how: 'quit' } | { how: 'abandoned' } | { how: 'signal'; signal: NodeJS.Signals };

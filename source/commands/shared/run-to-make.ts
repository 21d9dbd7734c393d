import type { RunSettings } from '../../project/run-settings.js';
import type { RunSummariser } from '../../run/summary.js';
import type { LiveRun } from '../../run/types.js';

/** One run that is to be made: everything is loaded and nothing has begun. */
export interface RunToMake {
  suite: string;
  settings: RunSettings;
  /** Makes the run, or opens its journal again. */
  open(summariser: RunSummariser): Promise<LiveRun>;
}

import type { Judging } from '../../compare/judge-run.js';
import type { Accounts } from '../../model/pacing/accounts.js';
import type { RunSummariser } from '../../run/summary.js';
import type { LiveRun } from '../../run/types.js';
import type { Place } from '../../suite/types.js';
import type { JudgedRun } from './bisect-on-red.js';
import type { Input } from './inputs.js';

/** One run that is to be made: everything is loaded and nothing has begun. */
export interface RunToMake {
  suite: string;
  /** The folder of the suite, absolute: scores of a labelled run are kept in it. Not set: they are not kept. */
  suiteFolder?: string;
  judging: Judging;
  /** What was noticed on the way and stops nothing, lines of `note: …` and `warning: …`. */
  notes?: readonly string[];
  /** Where its scenarios stand, by id, see `scenarioPlaces`. */
  places?: ReadonlyMap<string, Place>;
  /** What is read for it, which no report takes the place of. */
  inputs?(): Promise<readonly Input[]>;
  /** The provider accounts that it asks, where it says how they are paced. */
  accounts?: Accounts;
  /** Looks into it when it has ended, where that was asked for, see `bisectOnRed`. */
  lookInto?(run: JudgedRun): Promise<void>;
  /** Makes the run, or opens its journal again. */
  open(summariser: RunSummariser): Promise<LiveRun>;
}

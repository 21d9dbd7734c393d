import type { ExitCode } from '../base/errors.js';
import type { BisectRecord } from '../bisect/record.js';
import type { Decision } from '../compare/gate.js';
import type { RunTally } from '../tally/types.js';

/** A bisect that is over, or that was left, for reports. */
export interface FinishedBisect {
  record: BisectRecord;
  tally: RunTally;
  decision: Decision;
  journal: string;
  /** What the process ends with, where that is not what was decided: something could not be written. */
  exitCode?: ExitCode;
  /** Of evalrun. */
  version: string;
  /** How evalrun is started, for the lines to paste. */
  program: string;
  /** The file that the narrowed prompt was written to; not set where it was not. */
  written?: string;
}

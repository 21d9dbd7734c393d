import type { ReadTrial } from '../run/types.js';
import type { RunTally } from '../tally/types.js';

/** Where the conversations of a run's base are. */
export interface BaseSource {
  tally: RunTally;
  /** The condition of that run. */
  condition: string;
  readTrial: ReadTrial;
  /** What it is called where the name of its condition says too little. Not made visible. */
  name?: string;
}

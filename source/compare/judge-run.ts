import type { GateSettings } from '../project/gate-settings.js';
import type { RunTally } from '../tally/types.js';
import { type Decision, decide } from './gate.js';
import type { Comparison, Evidence } from './types.js';

/** What a run is judged by, beside what it says of itself. */
export interface Judging {
  gate: GateSettings;
  baseline?: Evidence;
}
export interface Judgement {
  decision: Decision;
  comparison: Comparison | undefined;
}
export function judgeRun(tally: RunTally, judging: Judging): Judgement {
  return { comparison: undefined, decision: decide(tally, tally.started.gate ?? judging.gate) };
}

import type { Clock } from '../base/clock.js';
import type { ExitCode } from '../base/errors.js';
import type { AttributionReport } from '../compare/attribute.js';
import type { Decision } from '../compare/gate.js';
import type { NoiseFloor } from '../compare/noise-floor.js';
import type { Comparison } from '../compare/types.js';
import type { KnownLabels } from '../grade/labels/types.js';
import type { Accounts } from '../model/pacing/accounts.js';
import type { RunMessage } from '../run/events.js';
import type { RunPlace } from '../run/runs.js';
import type { RunTally, ScenarioTally } from '../tally/types.js';
import type { BisectedRun } from './bisected.js';

/** Tells of runs without a screen. One reporter serves all runs of an invocation, one after another. */
export interface Reporter {
  /**
   * Hears every message of a run, after the tally has taken it in; of a run that is resumed `run-started` and then
   * what is new. `row` is the row that it changed.
   */
  hear(message: RunMessage, tally: RunTally, row: ScenarioTally | undefined): void;
  /** Hears how provider accounts are paced, whenever that changes: a run that waits for one tells of nothing else. */
  waits?(accounts: ReturnType<Accounts['states']>): void;
  /** The run has ended. */
  finishRun(finished: FinishedRun): Promise<void>;
  /** Nothing more will come; `exitCode` is what the process will end with. */
  finish(exitCode: ExitCode): Promise<void>;
}

export interface FinishedRun {
  tally: RunTally;
  decision: Decision;
  place: Pick<RunPlace, 'journal'>;
  /** With what it was compared, and what changed. */
  comparison?: Comparison;
  /** Of a run that was made to tell two conditions apart. */
  attribution?: AttributionReport;
  /** Of a run of the same condition twice. */
  noise?: NoiseFloor;
  /** What bisects found that look into it; of a run that nobody bisected none. */
  bisects?: readonly BisectedRun[];
  /** Where scenarios stand, by id: from the top of the project, lines from 1. */
  places?: ReadonlyMap<string, { file: string; line: number; column: number }>;
  /** How far its judge can be trusted; safe to print. */
  judgeNotes?: readonly string[];
  /** What people said of cases of its judge: what the calibration of each judged check comes from. */
  labels?: KnownLabels;
}

export interface ReporterOptions {
  /** Where the report goes: resolves once the text is taken, for texts that are written piece by piece. */
  write(text: string): Promise<void>;
  clock: Clock;
  /** What a line for a person goes through before it is written. Default: nothing; see `textForLocale`. */
  forLocale?(text: string): string;
  /** How many runs will be told of, where that is known: for reports of bounded length. */
  runs?: number;
  /** Version of evalrun. */
  version: string;
  /** How evalrun is started, for the lines to paste. */
  program: string;
}

import { readFile as readFileWithCallback } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeFileAtomically } from '../base/atomic.js';
import { messageOf, UserError } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';
import type { PassRate } from '../base/statistics.js';
import type { CheckVerdict } from '../grade/types.js';
import type { BisectFound, Watched } from './bisect-events.js';
import type { Ledgers, RunMessage } from './events.js';
import type { RunStarted } from './reader.js';

/** The state of a run as its journal tells it. `unfinished`: the process was killed. */
export type SummaryState = 'completed' | 'interrupted' | 'stopped' | 'unfinished';

/** What a list of runs shows of one of them: derived from its journal, kept beside it, rebuilt at any time. */
export interface RunSummary {
  version: 1;
  runId: string;
  suite: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt: number | undefined;
  state: SummaryState;
  /** Those that were planned: of a bisect both ends, and not what it tried in between. */
  conditions: { id: string; promptName: string; model: string }[];
  /** A condition or the judge is a simulated model. */
  isSimulated: boolean;
  repeat: number;
  seed: string;
  label?: string;
  /** The run whose conversations it grades again. */
  regradeOf?: string;
  note?: string;
  trials: { total: number; done: number; errors: number };
  /** Scenarios by verdict. */
  scenarios: { pass: number; warn: number; fail: number; unknown: number; error: number };
  tokens: Ledgers;
  taints: { kind: string; message: string }[];
  /** One a condition that was run; not set by earlier versions. */
  scores?: ConditionScore[];
  /** Hash of what was asked, scenarios with their checks and the judge: scores of different ones are no trend. */
  criteria?: string;
  /** Scenarios of the suite were left out. */
  isFiltered?: true;
  /** What the run was made for, where not for a verdict on its conditions. */
  purpose?: NonNullable<RunStarted['purpose']>;
  /** What a bisect was of, and what it found. */
  bisect?: SummedBisect;
  /** What each check came to, one a condition that was run; of a run that is no evidence, and by earlier versions, not set. */
  results?: ConditionResults[];
  /** The gate's word when the run ended. */
  decision: { verdict: string; exitCode: number; headline: string };
  /** Bytes of the journal that this was derived from. */
  journalBytes: number;
}

/** What a list of runs shows of a bisect. */
export interface SummedBisect {
  /** Names of both prompts. */
  good: string;
  bad: string;
  /** How many hunks lie between them. */
  hunks: number;
  watched: readonly Watched[];
  /** The run whose red verdict it looks into. */
  of?: string;
  /** Not set: it has not come to an end. */
  found?: BisectFound;
}

/** What one condition of a run scored. */
export interface ConditionScore {
  condition: string;
  /** Of the condition, see `Condition.hash`. */
  hash: string;
  /** Trials that passed, of all graded ones. */
  passed: number;
  of: number;
  axes: { axis: string; passed: number; of: number }[];
  /** Mean of the judged cases, 1 to 5. */
  meanJudged?: number;
  liveTools?: true;
}

/** What the checks of a run came to under one condition. Trials of confirmations count in what was used up alone. */
export interface ConditionResults {
  condition: string;
  /** Of the condition and of what the product said of its model and version: what is equal for results of the same. */
  hash: string;
  scenarios: {
    id: string;
    /** Agent milliseconds and tokens, input + output, of all its trials. */
    ms: number;
    tokens: number;
    checks: CheckOutcome[];
  }[];
}

/** What one check of one scenario came to. */
export interface CheckOutcome extends PassRate {
  id: string;
  /** Of what it asks, see `criterionHash`. */
  asks: string;
  verdict: CheckVerdict;
}

/** Hears a run's messages from the first on, and sums them up when it is over. */
export interface RunSummariser {
  hear(message: RunMessage): void;
  /** `journalBytes` as in RunSummary. */
  summary(journalBytes: number): RunSummary;
}

export const summaryFile = 'summary.json';

/** A list of a thousand runs reads as many summaries: without file handles that takes half as long. */
const readFile = promisify(readFileWithCallback);

/** Writes the summary of the run in `folder`. Throws UserError where it cannot be written. */
export async function writeSummary(folder: string, summary: RunSummary): Promise<void> {
  try {
    await writeFileAtomically(path.join(folder, summaryFile), `${JSON.stringify(summary)}\n`);
  } catch (error) {
    throw new UserError(
      `the run is kept in ${folder}, and its summary cannot be written: ${messageOf(error)}; evalrun runs --rebuild writes it when that is mended`,
    );
  }
}

/** The summary of the run in `folder`; undefined where there is none that this version can read. */
export async function readSummary(folder: string): Promise<RunSummary | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, summaryFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isSummary(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSummary(value: unknown): value is RunSummary {
  return (
    isJsonObject(value) &&
    value.version === 1 &&
    typeof value.runId === 'string' &&
    typeof value.suite === 'string' &&
    typeof value.startedAt === 'number' &&
    typeof value.state === 'string' &&
    typeof value.journalBytes === 'number' &&
    Array.isArray(value.conditions) &&
    isJsonObject(value.trials) &&
    isJsonObject(value.scenarios) &&
    isJsonObject(value.decision)
  );
}

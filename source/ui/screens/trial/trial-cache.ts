import { messageOf } from '../../../base/errors.js';
import type { TrialKey } from '../../../run/events.js';
import { trialId } from '../../../run/events.js';
import type { TrialRecord } from '../../../run/types.js';
import type { Cell } from '../../../tally/types.js';
import type { AppRun } from '../../types.js';

/** What is known of the trial that was asked for. */
export interface TrialReading {
  record: TrialRecord | undefined;
  /** Reading takes long enough to say so. */
  isSlow: boolean;
  problem: string | undefined;
}

/** What a trial is read from; the same object for the same run. */
type ReadRun = Pick<AppRun, 'readTrial'>;

/** Reads the trial that is open, again when it grew, and never holds another. */
export interface TrialCache {
  look(run: ReadRun, key: TrialKey, cell: Cell): TrialReading;
  close(): void;
}

const slowMs = 150;

/** Changes with every event of the trial that was written. */
function versionOf(cell: Cell): string {
  const last = cell.positions.at(-1);
  return `${cell.attempt} ${last ? last.offset + last.length : 0}`;
}

/** `onChange` is called when a reading arrives or becomes slow. */
export function createTrialCache(onChange: () => void): TrialCache {
  let held: { run: ReadRun; id: string; version: string; reading: TrialReading } | undefined;
  let wanted: { run: ReadRun; key: TrialKey; cell: Cell; version: string } | undefined;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** One read at a time: what the trial grew by meanwhile is read by the next. */
  async function read(): Promise<void> {
    if (isReading || !wanted) return;
    isReading = true;
    const { run, key, cell, version } = wanted;
    const id = trialId(key);
    timer = setTimeout(() => {
      if (held?.id === id && held.run === run && held.reading.record === undefined) {
        held = { ...held, reading: { ...held.reading, isSlow: true } };
        onChange();
      }
    }, slowMs);
    let reading: TrialReading;
    try {
      reading = { record: await run.readTrial(key, cell.positions), isSlow: false, problem: undefined };
    } catch (error) {
      const problem = messageOf(error);
      reading = { record: undefined, isSlow: false, problem };
    }
    clearTimeout(timer);
    isReading = false;
    if (isClosed) return;
    if (held?.id === id && held.run === run) {
      held = { run, id, version, reading };
      onChange();
    }
    const next = wanted;
    if (next.version !== version || trialId(next.key) !== id || next.run !== run) void read();
  }

  return {
    look(run, key, cell) {
      const id = trialId(key);
      const version = versionOf(cell);
      if (held?.id !== id || held.run !== run) {
        held = { run, id, version: '', reading: { record: undefined, isSlow: false, problem: undefined } };
      }
      if (held.version !== version) {
        wanted = { run, key, cell, version };
        void read();
      }
      return held.reading;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

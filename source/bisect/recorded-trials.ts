import type { CheckVerdict } from '../grade/types.js';
import type { BisectPurpose } from '../run/bisect-events.js';
import { type RunEvent, type TrialKey, trialId } from '../run/events.js';
import { spoiltBy } from '../run/trial-taint.js';
import type { Candidate } from './candidate.js';

/** What a bisect knows of one conversation: enough for any check of its scenario to become the watched one. */
export interface RecordedCell {
  key: TrialKey;
  /** By id of the check; empty until it has ended. */
  checks: ReadonlyMap<string, CheckVerdict>;
  /** `error`: it could not be run, or what was run is no evidence. */
  state: 'waiting' | 'running' | 'ended' | 'error';
}

/** One trial of a bisect: a conversation of each scenario that was watched when it began, on one prompt. */
export interface RecordedTrial {
  /** From 1. */
  trial: number;
  candidate: Candidate;
  /** Id of the condition that the candidate is. */
  condition: string;
  purpose: BisectPurpose;
  cells: RecordedCell[];
}

/** The trials of a bisect, as the events of its run tell of them. */
export interface RecordedTrials {
  /** In the order in which they were begun. */
  readonly all: readonly RecordedTrial[];
  /** Whether some have not ended. */
  areGoing(): boolean;
  /** Takes in a `plan-extended` whose condition is a candidate. False where it is of no bisect. */
  add(event: Extract<RunEvent, { type: 'plan-extended' }>, candidate: Candidate): boolean;
  /** Takes in what happens in a trial. Gives whether anything that stands in its cell changed. */
  hear(event: TrialEvent): boolean;
  /** What was running is to start anew. */
  breakOff(): void;
}

type TrialEvent = Extract<RunEvent, { trial: TrialKey; attempt: number }>;

interface Cell extends RecordedCell {
  checks: Map<string, CheckVerdict>;
  /** Something makes the attempt that is going on no evidence. */
  isSpoilt: boolean;
}

/** `onEnd` hears of each trial when the last of its conversations has ended. */
export function createRecordedTrials(onEnd: (trial: RecordedTrial) => void): RecordedTrials {
  const all: RecordedTrial[] = [];
  const byNumber = new Map<number, RecordedTrial>();
  const going = new Set<RecordedTrial>();
  const cells = new Map<string, { cell: Cell; of: RecordedTrial }>();

  function end(cell: Cell, of: RecordedTrial, state: 'ended' | 'error'): void {
    cell.state = state;
    if (!hasEnded(of)) return;
    going.delete(of);
    onEnd(of);
  }

  return {
    all,
    areGoing: () => going.size > 0,
    add({ scenario, condition, from, to, bisect }, candidate) {
      if (!bisect || condition === undefined) return false;
      const { trial, purpose } = bisect;
      const of = byNumber.get(trial) ?? { trial, candidate, condition, purpose, cells: [] };
      if (!byNumber.has(trial)) all.push(of);
      byNumber.set(trial, of);
      going.add(of);
      for (let repeat = from; repeat <= to; repeat++) {
        const key = { scenario, condition, repeat };
        const cell: Cell = { key, checks: new Map(), state: 'waiting', isSpoilt: false };
        of.cells.push(cell);
        cells.set(trialId(key), { cell, of });
      }
      return true;
    },
    hear(event) {
      const known = cells.get(trialId(event.trial));
      if (!known || cellHasEnded(known.cell)) return false;
      const { cell, of } = known;
      switch (event.type) {
        case 'trial-started':
          cell.state = 'running';
          cell.checks.clear();
          cell.isSpoilt = false;
          return true;
        case 'check-finished':
          cell.checks.set(event.result.checkId, event.result.verdict);
          return false;
        case 'trial-finished':
          end(cell, of, cell.isSpoilt ? 'error' : 'ended');
          return true;
        case 'trial-errored':
          if (event.final) end(cell, of, 'error');
          else cell.state = 'waiting';
          return true;
        case 'turn-finished':
          if (spoiltBy(event)) cell.isSpoilt = true;
          return false;
        case 'product-log':
          return false;
      }
    },
    breakOff() {
      for (const { cells: open } of going)
        for (const cell of open) if (cell.state === 'running') cell.state = 'waiting';
    },
  };
}

/** Whether all conversations of a trial have ended. */
export function hasEnded({ cells }: RecordedTrial): boolean {
  return cells.every(cellHasEnded);
}

function cellHasEnded({ state }: RecordedCell): boolean {
  return state === 'ended' || state === 'error';
}

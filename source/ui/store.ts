import type { Clock } from '../base/clock.js';
import type { Comparison } from '../compare/types.js';
import type { RunEvent, RunMessage } from '../run/events.js';
import { applyMessage, createTally, endReplay } from '../tally/tally.js';
import type { RunTally } from '../tally/types.js';
import { createPace, type Pace } from './pace.js';
import { isSameChange, type RowChange, rowChanges } from './row-change.js';
import type { AppRun, GateWord } from './types.js';

/** What the screens read of one run. The tally changes in place; revisions tell what changed. */
export interface RunStore {
  readonly run: AppRun;
  /** Not set until the run's first message; of a run of the past, until all of it is read: half of it tells nothing true. */
  readonly tally: RunTally | undefined;
  /** How far a run of the past has been read; undefined before its first message, and once all of it is. */
  readonly reading: RunReading | undefined;
  readonly pace: Pace;
  /** How the run stands against its base, at most half a second old; undefined without a base. */
  readonly comparison: Comparison | undefined;
  /** The gate's word; undefined while the run is going on, and where the gate has none. */
  readonly gate: GateWord | undefined;
  /** What became of a scenario; undefined while that cannot be said. */
  changeOf(scenario: string): RowChange | undefined;
  /** Another number with every change of the row. */
  revisionOf(scenario: string): number;
  /** Scenarios whose rows changed since the last call. */
  takeTouched(): string[];
}

/** Trials that were read of those that the run has. */
export interface RunReading {
  suite: string;
  done: number;
  total: number;
}

export interface Store {
  readonly runs: readonly RunStore[];
  /** Draws what is known now, without waiting for the next regular flush. */
  flush(): void;
  /** Draws soon: something changed that no message told of. */
  nudge(): void;
  /** Brings comparisons up to date that are due, and draws again when the others are. */
  compare(): void;
  close(): void;
}

/** Events come by the hundred a second; eyes and Ink do not need more than this. */
const flushMs = 100;
/** While a run is going and says nothing, spinner and times still move. */
const idleMs = 250;
/** A comparison goes over all rows that have ended: it is made anew so often, and takes a thirtieth of the time at most. */
const compareMs = 500;
const compareShare = 30;

/**
 * Feeds the runs into their tallies and calls `onFlush` at most every 100 ms, and at once when a run has ended.
 * `onError` hears what a feed rejects with.
 */
export function createStore(
  runs: readonly AppRun[],
  clock: Clock,
  onFlush: () => void,
  onError: (error: unknown) => void,
): Store {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function schedule(at: number): void {
    if (isClosed || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(flush, Math.max(0, at - clock.now()));
  }

  function flush(): void {
    if (isClosed) return;
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    flushedAt = clock.now();
    onFlush();
    if (stores.some(isMoving)) schedule(flushedAt + idleMs);
  }

  const stores = runs.map((run) =>
    createRunStore(run, (isUrgent) => schedule(isUrgent ? 0 : flushedAt + flushMs), onError),
  );
  for (const store of stores) store.start().catch(onError);
  return {
    runs: stores,
    flush,
    nudge: () => schedule(flushedAt + flushMs),
    compare() {
      for (const store of stores) {
        const nextAt = store.compare(clock.now());
        if (nextAt !== undefined) schedule(nextAt);
      }
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** A run waits, too: for an answer, or before another attempt. Only one that is paused and empty stands still. */
function isMoving({ run, tally }: RunStore): boolean {
  if (!run.controls || tally?.state !== 'running') return false;
  // A bisect waits for a person, and then nothing moves.
  const bisect = run.bisect?.();
  if (bisect && bisect.status().kind !== 'trying') return tally.trials.running > 0;
  return tally.trials.running > 0 || !run.controls.isPaused;
}

/** After these the run may stand otherwise against its base. */
const comparedEvents: readonly RunEvent['type'][] = [
  'run-started',
  'run-resumed',
  'trial-finished',
  'trial-errored',
  'plan-extended',
  'taint',
  'run-finished',
];

interface LiveRunStore extends RunStore {
  start(): Promise<void>;
  /** Compares anew where that is due; gives when it will be, where it is not yet. */
  compare(now: number): number | undefined;
}

function createRunStore(
  run: AppRun,
  onChange: (isUrgent: boolean) => void,
  onError: (error: unknown) => void,
): LiveRunStore {
  const revisions = new Map<string, number>();
  const touched = new Set<string>();
  let tally: RunTally | undefined;
  let isRead = false;
  let pace = createPace(0);
  /** How often all rows changed at once. */
  let epoch = 0;
  let comparison: Comparison | undefined;
  let gate: GateWord | undefined;
  let changes = new Map<string, RowChange>();
  let isStale = false;
  let compareAt = Number.NEGATIVE_INFINITY;
  /** A run that goes on in this process is shown as it comes. */
  const shownTally = () => (isRead || run.controls !== undefined ? tally : undefined);

  function touch(scenario: string): void {
    revisions.set(scenario, (revisions.get(scenario) ?? 0) + 1);
    touched.add(scenario);
  }

  function compare(now: number): number | undefined {
    const tally = shownTally();
    if (!isStale || !tally) return undefined;
    if (now < compareAt && tally.state === 'running') return compareAt;
    isStale = false;
    const begun = performance.now();
    try {
      comparison = run.compare?.(tally);
      if (tally.state !== 'running') gate = run.judge?.(tally);
    } catch (error) {
      onError(error);
      return undefined;
    }
    if (run.compare) takeChanges(tally);
    compareAt = now + Math.max(compareMs, compareShare * (performance.now() - begun));
    return undefined;
  }

  function takeChanges(tally: RunTally): void {
    const before = changes;
    changes = comparison ? rowChanges(comparison, tally) : new Map();
    for (const { scenario } of tally.rows) {
      if (!isSameChange(before.get(scenario.id), changes.get(scenario.id))) touch(scenario.id);
    }
  }

  function touchAll(rows: RunTally['rows']): void {
    epoch++;
    for (const { scenario } of rows) touched.add(scenario.id);
  }

  function take(message: RunMessage): void {
    const { event } = message;
    isStale ||= comparedEvents.includes(event.type);
    if (event.type === 'run-started') {
      tally = createTally(event);
      pace = createPace(event.at);
      onChange(true);
      return;
    }
    if (!tally) return;
    const row = applyMessage(tally, message);
    // Both put every running trial back to waiting.
    if (event.type === 'run-resumed' || event.type === 'run-finished') touchAll(tally.rows);
    if (row) touch(row.scenario.id);
    if (event.type === 'run-resumed' || event.type === 'plan-extended') pace.restart(event.at);
    if (event.type === 'trial-finished' || (event.type === 'trial-errored' && event.final))
      pace.ended(event.at);
    onChange(event.type === 'run-finished');
  }

  return {
    run,
    get tally() {
      return shownTally();
    },
    get reading() {
      if (!tally || shownTally()) return undefined;
      const { done, total } = tally.trials;
      return { suite: tally.started.suite, done, total };
    },
    get pace() {
      return pace;
    },
    get comparison() {
      return comparison;
    },
    get gate() {
      return tally?.state === 'running' ? undefined : gate;
    },
    changeOf: (scenario) => changes.get(scenario),
    compare,
    revisionOf: (scenario) => epoch * 2 ** 32 + (revisions.get(scenario) ?? 0),
    takeTouched() {
      const scenarios = [...touched];
      touched.clear();
      return scenarios;
    },
    async start() {
      const reading = run.feed(take);
      if (reading) await reading;
      isRead = true;
      if (run.controls !== undefined || !tally) return;
      // A journal without an end: what was running when its process was killed will never end.
      endReplay(tally);
      touchAll(tally.rows);
      isStale = true;
      onChange(true);
    },
  };
}

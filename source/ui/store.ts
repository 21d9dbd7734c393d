import type { Clock } from '../base/clock.js';
import type { RunMessage } from '../run/events.js';
import { applyMessage, createTally, endReplay } from '../tally/tally.js';
import type { RunTally } from '../tally/types.js';
import { createPace, type Pace } from './pace.js';
import type { AppRun } from './types.js';

/** What the screens read of one run. The tally changes in place; revisions tell what changed. */
export interface RunStore {
  readonly run: AppRun;
  /** Not set until the run's first message. */
  readonly tally: RunTally | undefined;
  readonly pace: Pace;
  /** Another number with every change of the row. */
  revisionOf(scenario: string): number;
  /** Scenarios whose rows changed since the last call. */
  takeTouched(): string[];
}

export interface Store {
  readonly runs: readonly RunStore[];
  /** Draws what is known now, without waiting for the next regular flush. */
  flush(): void;
  close(): void;
}

/** Events come by the hundred a second; eyes and Ink do not need more than this. */
const flushMs = 100;
/** While a run is going and says nothing, spinner and times still move. */
const idleMs = 250;

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
    createRunStore(run, (isUrgent) => schedule(isUrgent ? 0 : flushedAt + flushMs)),
  );
  for (const store of stores) store.start().catch(onError);
  return {
    runs: stores,
    flush,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** A run waits, too: for an answer, or before another attempt. Only one that is paused and empty stands still. */
function isMoving({ run, tally }: RunStore): boolean {
  if (!run.controls || tally?.state !== 'running') return false;
  return tally.trials.running > 0 || !run.controls.isPaused;
}

function createRunStore(
  run: AppRun,
  onChange: (isUrgent: boolean) => void,
): RunStore & { start(): Promise<void> } {
  const revisions = new Map<string, number>();
  const touched = new Set<string>();
  let tally: RunTally | undefined;
  let pace = createPace(0);
  /** How often all rows changed at once. */
  let epoch = 0;

  function touchAll(rows: RunTally['rows']): void {
    epoch++;
    for (const { scenario } of rows) touched.add(scenario.id);
  }

  function take(message: RunMessage): void {
    const { event } = message;
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
    if (row) {
      const { id } = row.scenario;
      revisions.set(id, (revisions.get(id) ?? 0) + 1);
      touched.add(id);
    }
    if (event.type === 'run-resumed' || event.type === 'plan-extended') pace.restart(event.at);
    if (event.type === 'trial-finished' || (event.type === 'trial-errored' && event.final))
      pace.ended(event.at);
    onChange(event.type === 'run-finished');
  }

  return {
    run,
    get tally() {
      return tally;
    },
    get pace() {
      return pace;
    },
    revisionOf: (scenario) => epoch * 2 ** 32 + (revisions.get(scenario) ?? 0),
    takeTouched() {
      const scenarios = [...touched];
      touched.clear();
      return scenarios;
    },
    async start() {
      await run.feed(take);
      if (run.controls !== undefined || !tally) return;
      // A journal without an end: what was running when its process was killed will never end.
      endReplay(tally);
      touchAll(tally.rows);
      onChange(true);
    },
  };
}

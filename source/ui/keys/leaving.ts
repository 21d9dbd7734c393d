import type { AppModel } from '../model.js';
import type { RunStore } from '../store.js';

/** Whether trials of a run may still start or end in this process. */
export function isGoing({ run, tally }: RunStore): boolean {
  return run.controls !== undefined && (tally === undefined || tally.state === 'running');
}

/** First Ctrl+C: finish what is in flight. Second: abort and leave. With nothing going, it just leaves. */
export function interrupt(model: AppModel): void {
  const going = model.stores.filter(isGoing);
  // A bisect that nobody has begun has nothing to stop.
  if (going.length === 0 || model.bisectDesk?.status().kind === 'planned') {
    model.leave({ how: 'quit' });
    return;
  }
  if (model.state.isStopping) {
    abandon(model);
    return;
  }
  for (const { run } of going) run.controls?.stop();
  const inFlight = going.reduce((sum, { tally }) => sum + (tally?.trials.running ?? 0), 0);
  model.set({ isStopping: true, field: undefined });
  model.say(`stopping: ${inFlight} in flight finish; Ctrl+C again aborts them and leaves`, 'warn');
}

/** Aborts what is going and leaves. */
export function abandon(model: AppModel): void {
  for (const { run } of model.stores.filter(isGoing)) run.controls?.abort();
  model.leave({ how: 'abandoned' });
}

/** `q` on the first screen. A run that was opened from other screens leads back to them. */
export function quit(model: AppModel): void {
  if (model.stores.some(isGoing)) model.set({ field: { kind: 'leave' } });
  else if (model.back) model.back();
  else model.leave({ how: 'quit' });
}

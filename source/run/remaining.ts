import { trialId } from './events.js';
import { createExtensions } from './extensions.js';
import { trialsInOrder } from './plan.js';
import type { Plan } from './planned.js';
import { createProgress, noteProgress, type RunProgress } from './progress.js';
import type { QueuedTrial } from './queue.js';
import { type RunStarted, replayJournal } from './reader.js';

/** The trials of a plan that have not ended, in the order in which they start. */
export function* remainingTrials(plan: Plan, progress: RunProgress): Generator<QueuedTrial> {
  const conditions = [...plan.conditions, ...progress.added.map(({ condition }) => condition)];
  const whole = { ...plan, conditions };
  for (const key of trialsInOrder(whole, createExtensions(whole, progress.extensions))) {
    const id = trialId(key);
    if (progress.ended.has(id)) continue;
    yield { key, failedAttempts: progress.failedAttempts.get(id) ?? 0, notBefore: 0 };
  }
}

/** Whether all trials of a plan have ended, and the journal says so. */
export function isComplete(plan: Plan, progress: RunProgress): boolean {
  return progress.outcome === 'completed' && remainingTrials(plan, progress).next().done === true;
}

/** How far the run of a journal has come. Throws as `replayJournal`. */
export async function readProgress(journal: string): Promise<{ started: RunStarted; progress: RunProgress }> {
  const progress = createProgress();
  const { started } = await replayJournal(journal, ({ event }) => noteProgress(progress, event));
  return { started, progress };
}

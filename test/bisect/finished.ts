import type { FinishedBisect } from '../../source/report/bisect-finished.js';
import { applyMessage, createTally, endReplay } from '../../source/tally/tally.js';
import type { RunTally } from '../../source/tally/types.js';
import type { FakeRun } from './fake-run.js';

/** The tally of the first events of a fake run; of all where it is not said how many. */
export function tallyOf(
  { events, record }: Pick<FakeRun, 'events' | 'record'>,
  count = events.length,
): RunTally {
  const tally = createTally(record.started);
  for (const [index, event] of events.slice(0, count).entries())
    applyMessage(tally, { event, position: { offset: 2 * index, length: 1 } });
  endReplay(tally);
  return tally;
}

/** A fake run as reports take it. */
export function finishedOf(fake: Pick<FakeRun, 'events' | 'record'>): FinishedBisect {
  return {
    record: fake.record,
    tally: tallyOf(fake),
    decision: { exitCode: 3, headline: 'NOT FINISHED', reasons: [] } as unknown as FinishedBisect['decision'],
    journal: 'nowhere.jsonl',
    version: '1.0.0',
    program: 'evalrun',
  };
}

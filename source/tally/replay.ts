import { isBeingWritten } from '../run/lock.js';
import { replayJournal } from '../run/reader.js';
import { applyMessage, createTally, endReplay } from './tally.js';
import type { RunTally } from './types.js';

/**
 * The tally of a run by its journal. One that nobody writes any more has ended, whether it says so or not. Throws
 * JournalError as `replayJournal` does.
 */
export async function readTally(journal: string): Promise<RunTally> {
  const isLive = await isBeingWritten(journal);
  let tally: RunTally | undefined;
  await replayJournal(journal, (message) => {
    if (message.event.type === 'run-started') tally = createTally(message.event);
    if (tally) applyMessage(tally, message);
  });
  if (!tally) throw new Error('a journal that was read began with no run');
  if (!isLive) endReplay(tally);
  return tally;
}

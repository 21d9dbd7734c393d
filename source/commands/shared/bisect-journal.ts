import { type BisectRecord, createRecord } from '../../bisect/record.js';
import { replayJournal } from '../../run/reader.js';

/**
 * What a journal tells of its bisect, and how many bytes of it were read. Throws UserError where it is of another run.
 */
export async function readRecord(journal: string): Promise<{ record: BisectRecord; bytes: number }> {
  let record: BisectRecord | undefined;
  const { bytes } = await replayJournal(journal, ({ event }) => {
    if (event.type === 'run-started') record = createRecord(event);
    else record?.hear(event);
  });
  if (!record) throw new Error('a journal that was read began with no run');
  return { record, bytes };
}

import { createProposals } from '../../bisect/proposals.js';
import { type BisectRecord, createRecord } from '../../bisect/record.js';
import { replayJournal } from '../../run/reader.js';
import type { RunPlace } from '../../run/runs.js';
import type { BisectDesk } from '../../ui/bisect-desk.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import { resumeLine } from './bisect-seat.js';
import { pastRun } from './past-run.js';

/** A bisect of the past for its screen, from its journal: it is only shown. */
export function pastBisect(place: RunPlace, io: CommandIo): AppRun {
  let record: BisectRecord | undefined;
  let desk: BisectDesk | undefined;

  function createDesk(record: BisectRecord): BisectDesk {
    return {
      record,
      status() {
        const found = record.found();
        return found ? { kind: 'found', found } : { kind: 'stopped' };
      },
      proposal: createProposals(record),
      subscribe: () => () => {},
      plan: () => [],
      resume: resumeLine(record.started.runId, io),
    };
  }

  return {
    ...pastRun(place, io),
    async feed(listener) {
      await replayJournal(place.journal, (message) => {
        const { event } = message;
        if (event.type === 'run-started') record = createRecord(event);
        else record?.hear(event);
        listener(message);
      });
      if (record) desk = createDesk(record);
    },
    bisect: () => desk,
  };
}

import type { Proposal } from '../../bisect/next.js';
import { type BisectRecord, createRecord } from '../../bisect/record.js';
import type { Session } from '../../bisect/session.js';
import { propose } from '../../bisect/strategy.js';
import type { BisectFound } from '../../run/bisect-events.js';
import { replayJournal } from '../../run/reader.js';
import type { RunPlace } from '../../run/runs.js';
import type { BisectDesk } from '../../ui/bisect-desk.js';
import type { AppRun } from '../../ui/types.js';
import type { CommandIo } from '../io.js';
import type { OpenBisect } from './make-bisect.js';
import { pastRun } from './past-run.js';

export interface LiveDeskOptions {
  /** What it will cost, a line each. Not set: nobody is asked to begin. */
  plan?: (opened: OpenBisect) => readonly string[] | Promise<readonly string[]>;
  writeNarrowed?: (opened: OpenBisect) => Promise<{ path: string; diff: string }>;
  /** Hears why it cannot go on. */
  fail(error: unknown): void;
}

/** A bisect that goes on in this process, for its screen. Nothing is tried before somebody begins. */
export function liveDesk(opened: OpenBisect, io: CommandIo, options: LiveDeskOptions): BisectDesk {
  const { driver, record, run } = opened;
  const { plan, writeNarrowed, fail } = options;
  const listeners = new Set<() => void>();
  let hasBegun = false;
  let lines: readonly string[] | undefined;

  async function workOut(): Promise<void> {
    lines = (await plan?.(opened)) ?? [];
    for (const listener of listeners) listener();
  }
  workOut().catch(fail);

  return {
    record,
    status: () => (hasBegun ? driver.status() : { kind: 'planned' }),
    proposal: driver.proposal,
    subscribe(listener) {
      listeners.add(listener);
      const leave = driver.subscribe(listener);
      return () => {
        listeners.delete(listener);
        leave();
      };
    },
    plan: () => lines,
    resume: resumeLine(run.runId, io),
    controls: {
      begin() {
        if (hasBegun) return;
        hasBegun = true;
        driver.start().catch(fail);
      },
      goOn: driver.goOn,
      decide: driver.decide,
      ...(writeNarrowed && { writeNarrowed: () => writeNarrowed(opened) }),
    },
  };
}

/** The line that goes on with a bisect another time. */
export function resumeLine(runId: string, { program }: CommandIo): string {
  return `${program} bisect --resume ${runId}`;
}

/** A bisect of the past for its screen, from its journal: it is only shown. */
export function pastBisect(place: RunPlace, io: CommandIo): AppRun {
  let record: BisectRecord | undefined;
  let found: BisectFound | undefined;
  let known: { of: Session; proposal: Proposal } | undefined;
  let desk: BisectDesk | undefined;

  function createDesk(record: BisectRecord): BisectDesk {
    return {
      record,
      status: () => (found ? { kind: 'found', found } : { kind: 'stopped' }),
      proposal() {
        const of = record.session();
        if (known?.of !== of) known = { of, proposal: propose(of) };
        return known.proposal;
      },
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
        // What was said or tried after a finding may change it.
        if (event.type === 'bisect-found') found = event.found;
        else if (event.type === 'bisect-decided' && event.decision.kind !== 'note') found = undefined;
        listener(message);
      });
      if (record) desk = createDesk(record);
    },
    bisect: () => desk,
  };
}

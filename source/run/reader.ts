import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isSystemError } from '../base/errors.js';
import { createAudit } from './audit.js';
import type { JournalPosition, RunEvent } from './events.js';
import { trialId } from './events.js';
import { journalError } from './journal-error.js';
import { JournalError, readEvent } from './read-event.js';
import type { ReadTrial, RunListener, TrialRecord } from './types.js';

export type RunStarted = Extract<RunEvent, { type: 'run-started' }>;

export interface ReplayInfo {
  started: RunStarted;
  /** Events read. */
  events: number;
  /** Bytes up to the end of the last whole line: where writing goes on. */
  bytes: number;
  /** Bytes of a half-written last line, left out. */
  droppedBytes: number;
}

const lineFeed = 0x0a;

/**
 * Reads a journal from its beginning and gives every event with its position, in order. Holds one line at a time,
 * however long the journal. A last line without its line end was cut off by a crash and is left out. `until` stops
 * after that many bytes. Throws JournalError for a line that is damaged or out of place, see `createAudit`, and for a
 * journal without a first line: nothing of such a file is believed.
 */
export async function replayJournal(
  file: string,
  listener: RunListener,
  options: { until?: number; signal?: AbortSignal } = {},
): Promise<ReplayInfo> {
  let started: RunStarted | undefined;
  let audit: ReturnType<typeof createAudit> | undefined;
  let events = 0;
  let offset = 0;
  let partial: Buffer[] = [];
  let partialBytes = 0;

  function takeLine(bytes: Buffer): void {
    events++;
    const event = readEvent(bytes.toString('utf8'), file, events);
    if (events === 1) {
      if (event.type !== 'run-started') {
        throw new JournalError(file, 1, `a journal begins with run-started, this one with ${event.type}`);
      }
      started = event;
      audit = createAudit(event);
    } else if (event.type === 'run-started') {
      throw new JournalError(file, events, 'a second run-started: two runs were written into one journal');
    }
    const complaint = audit?.(event);
    if (complaint !== undefined) throw new JournalError(file, events, `the journal is damaged: ${complaint}`);
    const position = { offset, length: bytes.length + 1 };
    offset += position.length;
    listener({ event, position });
  }

  if (options.until !== 0) {
    for await (const chunk of piecesOf(file, options)) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
        const tail = chunk.subarray(from, end);
        takeLine(partialBytes > 0 ? Buffer.concat([...partial, tail]) : tail);
        partial = [];
        partialBytes = 0;
        from = end + 1;
      }
      if (from < chunk.length) {
        partial.push(chunk.subarray(from));
        partialBytes += chunk.length - from;
      }
    }
  }
  if (!started)
    throw new JournalError(file, 1, 'the journal holds no run: it was cut off before its first line');
  return { started, events, bytes: offset, droppedBytes: partialBytes };
}

/** The bytes of a journal. Throws UserError where the file cannot be read. */
async function* piecesOf(
  file: string,
  { until, signal }: { until?: number; signal?: AbortSignal },
): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, {
    highWaterMark: 256 * 1024,
    ...(until !== undefined && { end: until - 1 }),
    ...(signal && { signal }),
  });
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw isSystemError(error) ? journalError(file, 'read', error) : error;
  }
}

/** The first event of a journal, without reading on. Throws as `replayJournal` does. */
export async function readRunStarted(file: string): Promise<RunStarted> {
  const stop = new AbortController();
  let started: RunStarted | undefined;
  const hear: RunListener = ({ event }) => {
    if (event.type !== 'run-started') return;
    started = event;
    stop.abort();
  };
  try {
    ({ started } = await replayJournal(file, hear, { signal: stop.signal }));
  } catch (error) {
    if (!started) throw error;
  }
  return started;
}

/**
 * Reads single trials of a journal by the positions that their cells hold, and nothing else of the file.
 * `settled` is awaited first: of a run that is going on, the last lines may still be on their way to the file.
 * The reader rejects with JournalError when other events stand there.
 */
export function createTrialReader(file: string, settled: () => Promise<void> = async () => {}): ReadTrial {
  return async (key, positions) => {
    const record: TrialRecord = {
      key,
      attempt: 0,
      turns: [],
      results: [],
      finished: undefined,
      error: undefined,
    };
    if (positions.length === 0) return record;
    await settled();
    const handle = await open(file, 'r').catch((error) => {
      throw journalError(file, 'read', error);
    });
    try {
      for (const position of positions) {
        const bytes = Buffer.alloc(position.length);
        const { bytesRead } = await handle.read(bytes, 0, position.length, position.offset);
        // A position may span neighbouring lines; each ends with a line feed, so the last piece is empty.
        const lines = bytes.subarray(0, bytesRead).toString('utf8').split('\n');
        if (lines.pop() !== '' || bytesRead < position.length) throw misplaced(file, position);
        for (const line of lines) {
          const event = readEvent(line, `${file} at byte ${position.offset}`, 1);
          if (!('trial' in event) || trialId(event.trial) !== trialId(key)) throw misplaced(file, position);
          addToRecord(record, event);
        }
      }
    } finally {
      await handle.close();
    }
    return record;
  };
}

function misplaced(file: string, position: JournalPosition): JournalError {
  return new JournalError(
    `${file} at byte ${position.offset}`,
    1,
    'the journal changed since it was read: the events of the trial are not here',
  );
}

function addToRecord(record: TrialRecord, event: RunEvent): void {
  switch (event.type) {
    case 'trial-started':
      record.attempt = event.attempt;
      break;
    case 'turn-finished':
      record.turns.push(event.turn);
      break;
    case 'check-finished':
      record.results.push(event.result);
      break;
    case 'trial-finished': {
      const { end, unsent, ms, tokens } = event;
      record.finished = { end, unsent, ms, tokens };
      break;
    }
    case 'product-log':
      record.log = event.text;
      break;
    case 'trial-errored':
      record.error = { kind: event.kind, message: event.message };
      break;
    default:
      break;
  }
}

import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalPosition, RunEvent, RunMessage } from '../../source/run/events.js';
import { createJournal, openJournal } from '../../source/run/journal.js';
import { createTrialReader, replayJournal } from '../../source/run/reader.js';
import { condition, reply, temporaryFolder } from './support.js';

const started: RunEvent = {
  type: 'run-started',
  version: 1,
  runId: '20261130-142530-k3fz',
  at: 1,
  suite: 'tiny',
  suiteHash: 'x',
  plan: { scenarios: [], conditions: [condition('a')], repeat: 1 },
  seed: '7',
  concurrency: 1,
  evalrun: '0',
  node: 'v20',
  command: 'evalrun run',
};

function taint(message: string): RunEvent {
  return { type: 'taint', at: 2, kind: 'fallback', message };
}

async function replayed(file: string): Promise<RunMessage[]> {
  const messages: RunMessage[] = [];
  await replayJournal(file, (message) => messages.push(message));
  return messages;
}

async function written(events: RunEvent[]): Promise<{ file: string; positions: JournalPosition[] }> {
  const file = path.join(await temporaryFolder(), 'journal.jsonl');
  const journal = await openJournal(file);
  const positions = events.map((event) => journal.append(event));
  await journal.close();
  return { file, positions };
}

describe('the journal', () => {
  it('reads back every event in order, at the byte offsets that writing said, whatever the text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '日本語 ✓ \u{1f469}\u200d\u{1f4bb}',
        'a\u2028b\u2029c\nd\r\n',
        '\ud800 alone',
        '{"type":"run-started"}\n',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (texts) => {
        const events = [started, ...texts.map(taint)];
        const { file, positions } = await written(events);
        const messages = await replayed(file);
        expect(messages.map(({ event }) => event)).toEqual(events);
        expect(messages.map(({ position }) => position)).toEqual(positions);
        const bytes = await readFile(file);
        for (const [index, { offset, length }] of positions.entries()) {
          expect(JSON.parse(bytes.subarray(offset, offset + length).toString('utf8'))).toEqual(events[index]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('reads lines that are longer than what is read at once', async () => {
    const long = 'é'.repeat(700_000);
    const { file, positions } = await written([started, taint(long), taint('short')]);
    const messages = await replayed(file);
    expect(messages.map(({ event }) => (event.type === 'taint' ? event.message.length : 0))).toEqual([
      0, 700_000, 5,
    ]);
    expect(messages.map(({ position }) => position)).toEqual(positions);
  });

  it('is readable by its owner alone', async () => {
    const { file } = await written([started]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('leaves out a last line without its end and says how many bytes that were', async () => {
    const { file, positions } = await written([started, taint('kept'), taint('cut off')]);
    const end = positions[2]?.offset ?? 0;
    const bytes = await readFile(file);
    for (let cut = end; cut < bytes.length; cut++) {
      await writeFile(file, bytes.subarray(0, cut));
      const heard: RunMessage[] = [];
      const info = await replayJournal(file, (message) => heard.push(message));
      expect(heard).toHaveLength(2);
      expect(info).toMatchObject({ events: 2, bytes: end, droppedBytes: cut - end });
    }
  });

  it('names file and line of a damaged line in the middle', async () => {
    const { file, positions } = await written([started, taint('one'), taint('two')]);
    const bytes = await readFile(file);
    const offset = positions[1]?.offset ?? 0;
    bytes.fill(0, offset, offset + 4);
    await writeFile(file, bytes);
    await expect(replayed(file)).rejects.toThrow(
      `${file}:2: the journal is damaged here: this line is not JSON`,
    );
  });

  it.each([
    ['{"type":"trial-started","at":1,"attempt":1}', 'trial-started without a proper trial'],
    ['{"type":"taint","at":"now","kind":"auth","message":"m"}', 'taint without a proper at'],
    ['[]', 'this line is not an event'],
    ['{"type":"new-thing","at":1}', 'this evalrun knows no event "new-thing": update evalrun'],
  ])('refuses the line %s', async (line, message) => {
    const { file } = await written([started]);
    await writeFile(file, `${await readFile(file, 'utf8')}${line}\n${JSON.stringify(taint('later'))}\n`);
    await expect(replayed(file)).rejects.toThrow(`${file}:2: `);
    await expect(replayed(file)).rejects.toThrow(message);
  });

  it('refuses a journal of a newer format, one of two runs, and one without a run', async () => {
    const { file } = await written([started]);
    const line = JSON.stringify(started);
    await writeFile(file, `${JSON.stringify({ ...started, version: 2 })}\n`);
    await expect(replayed(file)).rejects.toThrow('has format 2 and this evalrun reads up to 1');
    await writeFile(file, `${line}\n${line}\n`);
    await expect(replayed(file)).rejects.toThrow('a second run-started');
    await writeFile(file, `${JSON.stringify(taint('first'))}\n`);
    await expect(replayed(file)).rejects.toThrow('a journal begins with run-started');
    await writeFile(file, line.slice(0, 40));
    await expect(replayed(file)).rejects.toThrow('cut off before its first line');
  });

  it('is never written over: a new journal needs a new file', async () => {
    const { file } = await written([started]);
    await expect(openJournal(file)).rejects.toThrow('EEXIST');
  });

  it('goes on after the last whole line', async () => {
    const { file } = await written([started, taint('one')]);
    const { bytes } = await replayJournal(file, () => {});
    await writeFile(file, `${await readFile(file, 'utf8')}{"type":"tai`);
    const journal = await openJournal(file, { continueAt: bytes });
    const position = journal.append(taint('two'));
    await journal.close();
    expect(position.offset).toBe(bytes);
    expect((await replayed(file)).map(({ event }) => event)).toEqual([started, taint('one'), taint('two')]);
  });

  it('has written all that was appended once it has settled', async () => {
    const file = path.join(await temporaryFolder(), 'journal.jsonl');
    const journal = await openJournal(file);
    for (let i = 0; i < 500; i++) journal.append(i === 0 ? started : taint(`event ${i}`));
    await journal.settled();
    expect((await stat(file)).size).toBe(journal.size);
    journal.append(taint('after'));
    await journal.settled();
    expect((await stat(file)).size).toBe(journal.size);
    await journal.close();
  });

  it('says that it cannot be written, once, and takes nothing more', async () => {
    const failures: string[] = [];
    const full = {
      write: () => Promise.reject(new Error('ENOSPC: no space left on device, write')),
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const journal = createJournal('full.jsonl', full, 0, (error) => failures.push(error.message));
    journal.append(started);
    journal.append(taint('behind'));
    await expect(journal.settled()).rejects.toThrow('the journal full.jsonl cannot be written: ENOSPC');
    expect(failures).toHaveLength(1);
    expect(() => journal.append(taint('more'))).toThrow('cannot be written');
    await expect(journal.close()).rejects.toThrow('cannot be written');
  });

  it('writes on where the system took only a part, and never two writes at once', async () => {
    const file: number[] = [];
    let underWay = 0;
    let most = 0;
    const slow = {
      async write(bytes: Buffer, offset: number, length: number, position: number) {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        const bytesWritten = Math.min(length, 50);
        for (let i = 0; i < bytesWritten; i++) file[position + i] = bytes[offset + i] ?? 0;
        underWay--;
        return { bytesWritten };
      },
      sync: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const journal = createJournal('slow.jsonl', slow, 0, undefined);
    const events = [started, taint('one'), taint('zwei ä'), taint('three')];
    for (const event of events) {
      journal.append(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await journal.close();
    const lines = Buffer.from(file).toString('utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
    expect(most).toBe(1);
  });
});

describe('reading one trial', () => {
  const trial = { scenario: 's', condition: 'a', repeat: 1 };
  const other = { ...trial, repeat: 2 };
  const events: RunEvent[] = [
    started,
    { type: 'trial-started', at: 1, trial, attempt: 1 },
    { type: 'trial-started', at: 1, trial: other, attempt: 1 },
    {
      type: 'turn-finished',
      at: 2,
      trial,
      attempt: 1,
      turn: { index: 1, message: 'é', reply: reply('à'), ms: 5 },
    },
    {
      type: 'check-finished',
      at: 2,
      trial,
      attempt: 1,
      result: { checkId: 'c', type: 't', kind: 'hard', verdict: 'pass', reason: 'r' },
    },
  ];

  it('gives what stands at its positions, lines of one position included', async () => {
    const { file, positions } = await written(events);
    const [, start, , turn, check] = positions;
    if (!start || !turn || !check) throw new Error('three positions');
    const both = { offset: turn.offset, length: turn.length + check.length };
    const record = await createTrialReader(file)(trial, [start, both]);
    expect(record).toMatchObject({ attempt: 1, finished: undefined, error: undefined });
    expect(record.turns.map((each) => each.reply.text)).toEqual(['à']);
    expect(record.results.map((result) => result.checkId)).toEqual(['c']);
  });

  it('refuses what stands there of another trial, and half lines', async () => {
    const { file, positions } = await written(events);
    const [, start, foreign, turn] = positions;
    if (!start || !foreign || !turn) throw new Error('three positions');
    const read = createTrialReader(file);
    await expect(read(trial, [foreign])).rejects.toThrow('are not here');
    await expect(read(trial, [{ offset: turn.offset, length: turn.length - 3 }])).rejects.toThrow(
      'are not here',
    );
    await expect(read(trial, [{ offset: 1e7, length: 10 }])).rejects.toThrow('are not here');
  });

  it('gives an empty record of a trial that has not begun', async () => {
    const { file } = await written(events);
    expect(await createTrialReader(file)(trial, [])).toMatchObject({ attempt: 0, turns: [], results: [] });
  });
});

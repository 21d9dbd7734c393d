import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../source/base/errors.js';
import { openJournal } from '../../source/run/journal.js';
import { journalError } from '../../source/run/journal-error.js';
import { lockJournal } from '../../source/run/lock.js';
import { createTrialReader, replayJournal } from '../../source/run/reader.js';
import { temporaryFolder } from './support.js';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no, open 'x'`), { code, syscall: 'open' });
}

describe('a journal that cannot be used', () => {
  it('is told of by its name, with what the system says and what helps', () => {
    const { message, exitCode } = journalError('runs/1/journal.jsonl', 'opened', systemError('EROFS'));
    expect(message).toBe(
      "the journal runs/1/journal.jsonl cannot be opened: EROFS: no, open 'x'; that disk can only be read: mount it for writing, or copy the folder of the run to where it can be",
    );
    expect(exitCode).toBe(2);
    for (const code of ['EACCES', 'EPERM'])
      expect(journalError('j', 'opened', systemError(code)).message).toContain(
        '; make the file and its folder yours',
      );
    const failed = journalError('j', 'written', systemError('EIO'), { after: 'then this', exitCode: 3 });
    expect(failed.message).toBe("the journal j cannot be written: EIO: no, open 'x'; then this");
    expect(failed.exitCode).toBe(3);
  });

  it('is never a bare message of the system, wherever it shows', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'journal.jsonl');
    await mkdir(file);
    const gone = path.join(folder, 'gone/journal.jsonl');
    for (const [tried, what, work] of [
      [file, 'opened', () => openJournal(file, { continueAt: 0 })],
      [gone, 'opened', () => openJournal(gone)],
      [gone, 'locked', () => lockJournal(gone)],
      [file, 'read', () => replayJournal(file, () => {})],
      [
        gone,
        'read',
        () =>
          createTrialReader(gone)({ scenario: 's', condition: 'a', repeat: 1 }, [{ offset: 0, length: 1 }]),
      ],
    ] as const) {
      const error = await work().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UserError);
      expect((error as UserError).message).toContain(`the journal ${tried} cannot be ${what}: E`);
    }
  });
});

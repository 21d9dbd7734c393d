import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { lockSync } from 'proper-lockfile';
import { describe, expect, it } from 'vitest';
import { openForEdit } from '../../source/base/edit-file.js';
import { UserError } from '../../source/base/errors.js';

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'evalrun-labels-')), 'judges', 'default.labels.yaml');

describe('writing to a file that several people write', () => {
  it('loses nothing of what several people write at once', async () => {
    const file = freshFile();
    const module = fileURLToPath(new URL('../../source/base/edit-file.ts', import.meta.url));
    const program = `
      const { openForEdit } = await import(${JSON.stringify(module)});
      const edit = await openForEdit(${JSON.stringify(file)});
      for (let at = 0; at < 25; at++) edit((text) => text + process.env.WHO + at + '\\n');
    `;
    const people = ['ada', 'bob', 'cleo'];
    await Promise.all(
      people.map((WHO) =>
        execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { env: { WHO } }),
      ),
    );
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const wanted = people.flatMap((who) => Array.from({ length: 25 }, (_, at) => `${who}${at}`));
    expect(lines.toSorted()).toEqual(wanted.toSorted());
  });

  it('says who holds the file where nobody lets go of it, and leaves it as it is', async () => {
    const file = freshFile();
    const edit = await openForEdit(file);
    edit(() => '# first\n');
    const release = lockSync(file, { realpath: false });
    expect(() => edit(() => '# second\n')).toThrow('default.labels.yaml.lock');
    release();
    expect(readFileSync(file, 'utf8')).toBe('# first\n');
    edit((text) => `${text}# second\n`);
    expect(readFileSync(file, 'utf8')).toBe('# first\n# second\n');
  });

  it('says that it cannot be written, and lets through what the change throws', async () => {
    const file = freshFile();
    writeFileSync(dirname(file), 'in the way of the folder');
    const edit = await openForEdit(file);
    expect(() => edit(() => '# a\n')).toThrow(UserError);
    expect(() => edit(() => '# a\n')).toThrow(/default\.labels\.yaml cannot be written \(E\w+\)/);
    const other = await openForEdit(freshFile());
    const own = () => {
      throw new RangeError('mine');
    };
    expect(() => other(own)).toThrow(RangeError);
  });

  it('leaves a file alone where there is nothing to change', async () => {
    const file = freshFile();
    const edit = await openForEdit(file);
    edit(() => '# a\n');
    writeFileSync(file, '# by hand\n');
    edit(() => undefined);
    expect(readFileSync(file, 'utf8')).toBe('# by hand\n');
  });
});

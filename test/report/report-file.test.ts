import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReportFile } from '../../source/report/report-file.js';
import { readReportChoice } from '../../source/report/reporters.js';
import { temporaryFolder } from './support.js';

describe('the file of a report', () => {
  it('is the old one until the new one is whole, in a folder that is made', async () => {
    const file = path.join(temporaryFolder(), 'a/b/diff.json');
    const first = await createReportFile(file);
    expect(existsSync(file)).toBe(false);
    await first.write('one');
    await first.close();
    const second = await createReportFile(file);
    await second.write('tw');
    expect(readFileSync(file, 'utf8')).toBe('one');
    await second.write('o');
    await second.close();
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(readdirSync(path.dirname(file))).toEqual(['diff.json']);
  });

  it('leaves nothing of a report that did not become whole', async () => {
    const folder = temporaryFolder();
    const file = await createReportFile(path.join(folder, 'x.md'));
    await file.write('half');
    await file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused before anything runs where it cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    mkdirSync(path.join(folder, 'there.json'));
    await expect(createReportFile(path.join(folder, 'file/x.json'))).rejects.toThrow(
      /the report .*x\.json cannot be written/,
    );
    await expect(createReportFile(path.join(folder, 'there.json'))).rejects.toThrow(
      'is a folder; name a file in it',
    );
  });

  it('may be a device', async () => {
    const file = await createReportFile('/dev/null');
    await file.write('x');
    await file.close();
  });
});

describe('--report', () => {
  it('goes by the ending of the file, or by the name before it', () => {
    expect(readReportChoice('out/diff.json')).toEqual({ reporter: 'json', file: 'out/diff.json' });
    expect(readReportChoice('J.XML')).toEqual({ reporter: 'junit', file: 'J.XML' });
    expect(readReportChoice('a=b.md')).toEqual({ reporter: 'markdown', file: 'a=b.md' });
    expect(readReportChoice('junit=/dev/stderr')).toEqual({ reporter: 'junit', file: '/dev/stderr' });
  });

  it.each(['', 'out', 'x.html', 'html=x', 'junit='])('refuses %j and says what there is', (text) => {
    expect(() => readReportChoice(text)).toThrow('.json (json), .xml (junit) or .md (markdown)');
  });
});

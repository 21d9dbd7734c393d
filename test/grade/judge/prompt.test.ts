import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../source/base/errors.js';
import { loadJudgePrompt } from '../../../source/grade/judge/prompt.js';

const shipped = fileURLToPath(new URL('../../../judges', import.meta.url));

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'evalrun-judges-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('judge prompts', () => {
  it('are shipped with one that explains the sections, the scales and the answer', async () => {
    const { text, sha256 } = await loadJudgePrompt('default@1', [shipped]);
    for (const word of ['`rubric`', '`fact`', '`scale`', '`transcript`', '"score": 3', '"pass": true'])
      expect(text).toContain(word);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('come from the first folder that has them', async () => {
    const own = folderWith({ 'strict@2.md': 'Be strict.\n', 'default@1.md': 'Ours.\n' });
    expect(await loadJudgePrompt('strict@2', [own, shipped])).toMatchObject({
      name: 'strict@2',
      text: 'Be strict.\n',
    });
    expect((await loadJudgePrompt('default@1', [own, shipped])).text).toBe('Ours.\n');
    expect((await loadJudgePrompt('default@1', [join(own, 'none'), shipped])).text).toMatch(/^You grade/);
  });

  it('have the same hash with the line ends of every system', async () => {
    const unix = await loadJudgePrompt('a@1', [folderWith({ 'a@1.md': 'One.\nTwo.\n' })]);
    const windows = await loadJudgePrompt('a@1', [folderWith({ 'a@1.md': '\ufeffOne.\r\nTwo.\r\n' })]);
    expect(windows).toEqual(unix);
  });

  it('that do not exist are answered with those that do', async () => {
    const own = folderWith({ 'strict@2.md': 'x', 'notes.md': 'x', 'default@1.labels.yaml': 'x' });
    await expect(loadJudgePrompt('default@7', [own, shipped])).rejects.toThrow(
      'there is no judge prompt "default@7"; there is default@1, reviewer@1, strict@2',
    );
    await expect(loadJudgePrompt('default', [own])).rejects.toThrow(
      '"default" is no judge prompt: it is named name@N, as in default@1; there is strict@2',
    );
    await expect(loadJudgePrompt('a@1', [folderWith({})])).rejects.toBeInstanceOf(UserError);
  });

  it('cannot be taken from elsewhere by their name', async () => {
    const own = folderWith({ 'secret@1.md': 'x' });
    mkdirSync(join(own, 'judges'));
    await expect(loadJudgePrompt('../secret@1', [join(own, 'judges')])).rejects.toThrow('is no judge prompt');
  });

  it('that are empty are refused', async () => {
    await expect(loadJudgePrompt('a@1', [folderWith({ 'a@1.md': ' \n' })])).rejects.toThrow(
      /a@1\.md is empty$/,
    );
  });
});

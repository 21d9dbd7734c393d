import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { editorArguments, editorOf, runEditor } from '../../../source/ui/terminal/editor.js';

const place = { file: '/p/scenarios.yaml', line: 12 };

it('takes the editor of the person, whichever way it is said', () => {
  expect(editorOf({ VISUAL: 'nano', EDITOR: 'vim' })).toBe('nano');
  expect(editorOf({ VISUAL: ' ', EDITOR: 'vim' })).toBe('vim');
  expect(editorOf({})).toBe('vi');
});

it.each([
  ['vi', ['+12', '/p/scenarios.yaml']],
  ['/usr/bin/nvim -u NONE', ['+12', '/p/scenarios.yaml']],
  ['code --wait', ['--goto', '/p/scenarios.yaml:12']],
  ['/usr/local/bin/subl -w', ['/p/scenarios.yaml:12']],
  ['hx', ['/p/scenarios.yaml:12']],
])('opens %s at the line', (editor, args) => {
  expect(editorArguments(editor, place)).toEqual(args);
});

it('gives the shell the flags of the editor and nothing of the file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalrun-editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told = path.join(folder, 'told');
  const file = path.join(folder, '$(touch oops) "a" b.yaml');
  const editor = `sh -c 'printf "%s\\n" "$@" > "${told}"' sh --flag`;
  expect(await runEditor(editor, { file, line: 3 })).toBeUndefined();
  expect(readFileSync(told, 'utf8')).toBe(`--flag\n+3\n${file}\n`);
});

it('says that an editor is not there, or failed', async () => {
  expect(await runEditor('no-such-editor', place)).toBe('no-such-editor ended with exit code 127');
  expect(await runEditor('false', place)).toBe('false ended with exit code 1');
});
